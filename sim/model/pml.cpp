#include "sim/model/pml.hpp"

#include <algorithm>
#include <cmath>

#include "sim/fourth_order/whole_cells.hpp"
#include "sim/model/model_parts.hpp"

namespace wavesim {

Stretching::Stretching(const Model& m, double dt) : any_(!m.pml.empty()) {
  if (!any_) return;
  for (int axis = 0; axis < 2; ++axis) {
    for (const double rate : m.pml.rate[axis]) cells_[axis].push_back(0.5 * dt * rate);
    const long n = m.grid.cells[axis];
    for (long i = 0; i <= n; ++i) {  // layers do not reach round periodic axes
      const long before = std::max(i - 1, 0L), after = std::min(i, n - 1);
      nodes_[axis].push_back(0.5 * (of_cell(axis, before) + of_cell(axis, after)));
    }
  }
}

double damping_of_medium(const Model& m, long ix, long iy, double mass, double dt) {
  const std::size_t node = m.grid.index(ix, iy);
  return dt * m.damping[node] / m.mass[node] * mass;
}

namespace {

class PmlFaces {
 public:
  PmlFaces(const Model& m, const Unknowns& u, const HostCoefficients& five, double dt)
      : m_(m),
        u_(u),
        five_(five),
        dt_(dt),
        stretching_(m, dt),
        whole_(m, five.reference_mass, dt, 0),
        known_(wanted_rows(m, u.extent)) {}

  HostPml build() {
    const Extent& e = u_.extent;
    const bool shared = m_.grid.own.ranks, lowest = !shared || e.first_own == 0,
               uppermost = !shared || e.end_own() == e.ny;
    const long first = lowest ? 0 : u_.first[1] + e.first_own,
               end = uppermost ? m_.grid.cells[1] + (around_y() ? 0 : 1) : u_.first[1] + e.end_own();
    std::vector<int> south(width(), -1);
    above_ = cells_of_row(first - 1);
    if (!lowest) south = faces_along_y(first - 1);
    std::swap(below_, above_);
    for (long iy = first; iy < end; ++iy) {
      above_ = cells_of_row(iy);
      const std::vector<int> across = faces_along_x(iy);
      std::vector<int> north = faces_along_y(iy);
      add_points(iy, across, north, south);
      std::swap(below_, above_);
      std::swap(south, north);
    }
    if (around_y()) join_ends(south);
    return std::move(out_);
  }

 private:
  /// What the differences along a cell's faces bring to its fluxes along an axis: along the first face, both mixed, along the second.
  struct Cell {
    bool in_layer = false;
    std::array<double, 2> first{}, mixed{}, second{};
  };

  bool around_x() const { return m_.grid.periodic[0]; }
  bool around_y() const { return m_.grid.periodic[1]; }
  /// Whether coefficients of a row are here, where ranks share them out; of rows that hold no unknowns none are asked.
  bool is_known(long iy) const {
    const long row = iy - u_.first[1];
    return row < 0 || row >= u_.extent.ny || (row >= known_.first && row < known_.end);
  }
  /// Nodes of a row, and one more.
  std::size_t width() const { return std::size_t(m_.grid.cells[0]) + 2; }

  /// An unknown, or what holds its place.
  long corner(long ix, long iy) const {
    ix = m_.grid.wrapped(0, ix), iy = m_.grid.wrapped(1, iy);
    if (ix < 0 || iy < 0 || ix > m_.grid.cells[0] || iy > m_.grid.cells[1]) return -1;
    if (!is_inside(m_, m_.grid.index(ix, iy))) return -1;
    const long i = u_.index(ix, iy);
    if (i >= 0) return i;
    const int side = u_.side(ix, iy);
    return m_.edges[side].kind == EdgeCondition::driven ? -2 - side : -1;
  }

  /// Those of a row: cell ix is at ix + 1, so that there is one before the first.
  std::vector<Cell> cells_of_row(long iy) const {
    std::vector<Cell> cells(width());
    iy = m_.grid.wrapped(1, iy);
    if (iy < 0 || iy >= m_.grid.cells[1]) return cells;
    for (long ix = 0; ix < m_.grid.cells[0]; ++ix) cells[std::size_t(ix) + 1] = cell(ix, iy);
    if (around_x()) cells.front() = cells[width() - 2];
    return cells;
  }
  Cell cell(long ix, long iy) const {
    const double a = stretching_.of_cell(0, ix), b = stretching_.of_cell(1, iy);
    if (a == 0 && b == 0) return {};
    const std::array<long, 4> at{corner(ix, iy), corner(ix + 1, iy), corner(ix, iy + 1),
                                 corner(ix + 1, iy + 1)};
    if (std::none_of(at.begin(), at.end(), [](long i) { return i >= 0; })) return {};
    if (!is_known(iy) || !is_known(iy + 1)) return {true, {}, {}, {}};  // another rank's
    const bool whole = m_.space_order == 4 && whole_.at(ix, iy);
    const CellFaces T =
        whole ? whole_.medium(ix, iy).faces
              : CellFaces{face_x(ix, iy), face_x(ix, iy + 1), face_y(ix, iy), face_y(ix + 1, iy)};
    // The matrix of a cell tells the flux: -A[0][1] and -A[2][3] are what the differences along a face bring to it.
    const CellMatrix A = whole ? cell_stiffness({T.bottom, T.top, 0, 0})
                               : cell_stiffness_of_five_points({T.bottom, T.top, 0, 0}),
                     B = whole ? cell_stiffness({0, 0, T.left, T.right})
                               : cell_stiffness_of_five_points({0, 0, T.left, T.right});
    const double x = gain(a, b), y = gain(b, a);
    return {true, {-x * A[0][1], -y * B[0][2]}, {-x * A[0][3], -y * B[0][3]}, {-x * A[2][3], -y * B[1][3]}};
  }
  /// psi = phi / (1 + own) takes in so much of a flux (docs/math.md, (4d)).
  static double gain(double own, double other) { return 2 * (other - own) / ((1 + own) * (1 + own)); }

  struct NodeAt {
    long ix, iy;
  };
  /// The face between two nodes along an axis, which is the second one of the cell before it and the first one of the cell after it.
  /// Its number; -1: there is none.
  int add_face(int axis, NodeAt from, NodeAt to, const Cell& before, const Cell& after, double stretch) {
    if (!before.in_layer && !after.in_layer) return -1;
    const long first = corner(from.ix, from.iy), second = corner(to.ix, to.iy);
    if (first < 0 && second < 0) return -1;
    out_.from.push_back(first), out_.to.push_back(second);
    out_.row.push_back(int(from.iy - u_.first[1]));
    out_.own.push_back(before.second[std::size_t(axis)] + after.first[std::size_t(axis)]);
    out_.keep.push_back(pml_keep(stretch));
    if (m_.space_order == 4) {
      const auto beside = [&](HostPml::Beside& b, long dx, long dy, double flux) {
        b.from.push_back(corner(from.ix + dx, from.iy + dy)), b.to.push_back(corner(to.ix + dx, to.iy + dy));
        b.flux.push_back(flux);
      };
      const long dx = axis == 1, dy = axis == 0;
      beside(out_.before, -dx, -dy, before.mixed[std::size_t(axis)]);
      beside(out_.after, dx, dy, after.mixed[std::size_t(axis)]);
    }
    return int(out_.from.size()) - 1;
  }
  /// Numbers of the faces that begin at the nodes of a row.
  std::vector<int> faces_along_x(long iy) {
    std::vector<int> faces(width(), -1);
    for (long ix = 0; ix < m_.grid.cells[0]; ++ix) {
      const auto k = std::size_t(ix);
      faces[k] =
          add_face(0, {ix, iy}, {ix + 1, iy}, below_[k + 1], above_[k + 1], stretching_.of_cell(0, ix));
    }
    return faces;
  }
  std::vector<int> faces_along_y(long iy) {
    std::vector<int> faces(width(), -1);
    if (iy < m_.grid.cells[1])
      for (long ix = 0; ix < m_.grid.cells[0] + (around_x() ? 0 : 1); ++ix) {
        const auto k = std::size_t(ix);
        faces[k] = add_face(1, {ix, iy}, {ix, iy + 1}, above_[k], above_[k + 1], stretching_.of_cell(1, iy));
      }
    return faces;
  }

  /// The unknowns of a row that are corners of cells in layers.
  void add_points(long iy, const std::vector<int>& across, const std::vector<int>& north,
                  const std::vector<int>& south) {
    const long row = iy - u_.first[1];
    if (row < 0 || row >= u_.extent.ny) return;
    for (int col = 0; col < u_.extent.nx; ++col) {
      const long ix = u_.first[0] + col;
      const auto k = std::size_t(ix);
      const bool any =
          below_[k].in_layer || below_[k + 1].in_layer || above_[k].in_layer || above_[k + 1].in_layer;
      if (!any || !is_inside(m_, m_.grid.index(ix, iy))) continue;
      const int west = ix > 0 ? across[k - 1] : around_x() ? across[std::size_t(m_.grid.cells[0] - 1)] : -1;
      out_.point.push_back(u_.extent.number(int(row), col));
      out_.face[0].push_back(across[k]), out_.face[1].push_back(west);
      out_.face[2].push_back(north[k]), out_.face[3].push_back(south[k]);
      double& reaction = out_.reaction.emplace_back(0);
      if (!is_known(iy)) continue;
      const double mass = five_.mass[slot(int(row), col)];
      reaction = stretching_.reaction(ix, iy, mass, damping_of_medium(m_, ix, iy, mass, dt_));
    }
  }
  /// The faces that end at the first row's points begin at the last row's.
  void join_ends(const std::vector<int>& last) {
    for (std::size_t k = 0; k < out_.point.size() && u_.extent.row_of(out_.point[k]) == 0; ++k)
      out_.face[3][k] = last[std::size_t(out_.point[k] % u_.extent.pitch + u_.first[0])];
  }

  /// The face from (ix, iy) along x, of full length; a cell has one half of it.
  double face_x(long ix, long iy) const {
    const long row = m_.grid.wrapped(1, iy) - u_.first[1], col = m_.grid.wrapped(0, ix) - u_.first[0];
    if (row < 0 || row >= u_.count[1]) return 0;
    const double share = (row == 0 ? five_.half[bottom] : 1) * (row == u_.count[1] - 1 ? five_.half[top] : 1);
    return std::abs(five_.east[slot(int(row), int(col))]) / share;
  }
  double face_y(long ix, long iy) const {
    const long row = m_.grid.wrapped(1, iy) - u_.first[1], col = m_.grid.wrapped(0, ix) - u_.first[0];
    if (col < 0 || col >= u_.count[0]) return 0;
    const double share = (col == 0 ? five_.half[left] : 1) * (col == u_.count[0] - 1 ? five_.half[right] : 1);
    return std::abs(five_.north[slot(int(row), int(col))]) / share;
  }

  std::size_t slot(int row, int col) const {  // col and row may be -1
    return std::size_t(std::ptrdiff_t(row + 1) * u_.extent.pitch + col);
  }

  const Model& m_;
  const Unknowns& u_;
  const HostCoefficients& five_;
  const double dt_;
  const Stretching stretching_;
  const WholeCells whole_;
  const RowRange known_;
  std::vector<Cell> below_, above_;  // cells of the rows on both sides of a row of nodes
  HostPml out_;
};

}  // namespace

void stretch(const Model& m, const Unknowns& u, double dt, HostCoefficients& five) {
  const Stretching s(m, dt);
  const Extent e = u.extent;
  const RowRange known = wanted_rows(m, e);
#pragma omp parallel for schedule(static)
  for (int row = known.first == 0 ? -1 : known.first; row < known.end; ++row)
    for (int col = -1; col < e.nx; ++col) {
      const std::size_t k = std::size_t(std::ptrdiff_t(row + 1) * e.pitch + col);
      const long ix = u.first[0] + col, iy = u.first[1] + row;
      if (row >= 0) five.east[k] *= s.face_x(ix, iy);
      if (col >= 0) five.north[k] *= s.face_y(ix, iy);
      if (row < 0 || col < 0) continue;
      const std::size_t node = m.grid.index(ix, iy);
      if (is_inside(m, node))
        five.damping[k] += s.damping(ix, iy, five.mass[k], damping_of_medium(m, ix, iy, five.mass[k], dt));
    }
}

HostPml pml_faces(const Model& model, const Unknowns& unknowns, const HostCoefficients& five, double dt) {
  return PmlFaces(model, unknowns, five, dt).build();
}

}  // namespace wavesim
