#include "sim/fourth_order/nine_points.hpp"
#include "sim/model/model_parts.hpp"

namespace wavesim {

namespace {

class DrivenEdges {
 public:
  DrivenEdges(const Model& m, const Unknowns& u, const HostCoefficients& five, const WholeCells& cells)
      : m_(m), u_(u), five_(five), cells_(cells), filter_(m), rows_(wanted_rows(m, u.extent, most_ghosts)) {}

  std::array<DrivenCouplings, 4> build() {
    bool any = false;
    for (int side = 0; side < 4; ++side) any = any || is_driven(side);
    if (!any) return {};
    couple_faces_of_five_points();
    const auto [nx, ny] = m_.grid.cells;
    const long from = rows_.first == 0 ? 0 : u_.first[1] + rows_.first - 1,
               end = rows_.end == u_.extent.ny ? ny : u_.first[1] + rows_.end;
    for (long iy = from; iy < end; ++iy)
      for (long ix = 0; ix < nx; ++ix) {
        const bool inner = iy > 0 && iy < ny - 1 && ix > 0 && ix < nx - 1;
        if (inner) ix = nx - 1;
        if (cells_.at(ix, iy)) couple_cell(ix, iy);
      }
    return std::move(to_);
  }

 private:
  bool is_driven(int side) const { return m_.edges[side].kind == EdgeCondition::driven; }

  void couple_faces_of_five_points() {
    const Extent e = u_.extent;
    const auto couple = [&](int side, int row, int col, double face, long wx, long wy) {
      const std::size_t wall = m_.grid.index(wx, wy);
      if (!is_driven(side) || !(face < 0) || !is_inside(m_, wall)) return;
      hold(to_[side][e.number(row, col)], side, wall, face);
    };
    const long x0 = u_.first[0], y0 = u_.first[1], x1 = x0 + e.nx, y1 = y0 + e.ny;
    const Stretching& s = cells_.stretching();
    for (int row = rows_.first; row < rows_.end; ++row) {
      const long y = y0 + row;
      couple(left, row, 0, s.outer_face(left, x0, y) * five_.east[slot(row, 0) - 1], x0 - 1, y);
      couple(right, row, e.nx - 1, s.outer_face(right, x1 - 1, y) * five_.east[slot(row, e.nx - 1)], x1, y);
    }
    for (int col = 0; col < e.nx; ++col) {
      const long x = x0 + col;
      if (rows_.first == 0)
        couple(bottom, 0, col, s.outer_face(bottom, x, y0) * five_.north[slot(-1, col)], x, y0 - 1);
      if (rows_.end == e.ny)
        couple(top, e.ny - 1, col, s.outer_face(top, x, y1 - 1) * five_.north[slot(e.ny - 1, col)], x, y1);
    }
  }

  void couple_cell(long ix, long iy) {
    const CellTerms terms = cells_.terms(cells_.medium(ix, iy), ix, iy);
    for (int held = 0; held < 4; ++held) {
      const long hx = ix + held % 2, hy = iy + held / 2;
      if (u_.index(hx, hy) >= 0 || !is_driven(u_.side(hx, hy))) continue;
      for (int k = 0; k < 4; ++k) {
        const long i = u_.index(ix + k % 2, iy + k / 2);
        if (i < 0) continue;
        DrivenCoupling& c = to_[u_.side(hx, hy)][i];
        hold(c, u_.side(hx, hy), m_.grid.index(hx, hy), terms.stiffness[k][held]);
        c.inertia += terms.mass[k][held];
        c.damping += terms.damping[k][held];
      }
    }
  }

  /// An entry of K between an unknown and a node on an edge.
  void hold(DrivenCoupling& c, int side, std::size_t wall, double entry) const {
    c.stiffness += entry;
    const auto [ix, iy] = m_.grid.place(wall);
    if (filter_.share(ix, iy) == 0) return;
    const auto [second, damped] = cells_.unfiltered_edge(side / 2, wall);
    c.inertia -= second * entry;
    c.damping -= second * damped * entry;
  }

  /// The element of a field with ghost rows.
  std::size_t slot(int row, int col) const {
    return std::size_t(row + 1) * std::size_t(u_.extent.pitch) + std::size_t(col);
  }

  const Model& m_;
  const Unknowns& u_;
  const HostCoefficients& five_;
  const WholeCells& cells_;
  const Filter filter_;
  const RowRange rows_;  // whose points are pushed: passes push rows beside a rank's own
  std::array<DrivenCouplings, 4> to_;
};

}  // namespace

std::array<DrivenCouplings, 4> couplings_with_driven_edges(const Model& model, const Unknowns& unknowns,
                                                           const HostCoefficients& five,
                                                           const WholeCells& cells) {
  return DrivenEdges(model, unknowns, five, cells).build();
}

}  // namespace wavesim
