#include "sim/fourth_order/nine_points.hpp"

#include <algorithm>
#include <cmath>

#include "sim/fourth_order/cut_cells.hpp"
#include "sim/fourth_order/rim_curvature.hpp"
#include "sim/model/model_parts.hpp"

namespace wavesim {

namespace {

class NinePointBuilder {
 public:
  NinePointBuilder(const Model& m, const Unknowns& u, const HostCoefficients& five, double dt, double largest)
      : m_(m),
        u_(u),
        five_(five),
        dt_(dt),
        largest_(dt * dt * largest),
        cells_(m, five.reference_mass, dt, largest_),
        curved_(rim_curvatures(m, cells_.nine_point_cells())),
        damped_(!five.damping.empty()),
        pitch_(std::size_t(u.extent.pitch)),
        rows_(wanted_rows(m, u.extent, 0)) {
    const RowRange written = wanted_rows(m, u.extent);  // a cell writes to both of its rows
    out_.matrices.mass = HostNinePointMatrix(u.extent, written);
    out_.matrices.stiffness = HostNinePointMatrix(u.extent, written);
    if (damped_) out_.matrices.damping = HostNinePointMatrix(u.extent, written);
  }

  NinePointSystem build() {
    take_five_points();
    add_curvatures();
    if (largest_ > 0 && !cells_.everywhere()) keep_eigenvalue_of_cut_cells();
    add_cells();
    for (HostNinePointMatrix* A : {&out_.matrices.mass, &out_.matrices.damping, &out_.matrices.stiffness})
      if (!A->centre.empty()) copy_round_periodic_axes(*A);
    out_.driven = couplings_with_driven_edges(m_, u_, five_, cells_);
    return std::move(out_);
  }

 private:
  std::size_t slot(int row, int col) const { return std::size_t(row + 1) * pitch_ + std::size_t(col); }

  double in_units_of_kernels(double stiffness) const { return dt_ * dt_ / five_.reference_mass * stiffness; }
  double curvature(std::size_t node) const {
    const auto at = std::lower_bound(curved_.begin(), curved_.end(), node,
                                     [](const RimCurvature& c, std::size_t n) { return c.node < n; });
    return at != curved_.end() && at->node == node ? in_units_of_kernels(at->stiffness) : 0;
  }

  void add_curvatures() {
    for (const RimCurvature& c : curved_) {
      const auto [ix, iy] = m_.grid.place(c.node);
      if (iy - u_.first[1] < rows_.first || iy - u_.first[1] >= rows_.end) continue;
      out_.matrices.stiffness.centre[slot(int(iy - u_.first[1]), int(ix - u_.first[0]))] +=
          in_units_of_kernels(c.stiffness);
    }
  }

  void take_five_points() {
    const Extent e = u_.extent;
    const auto coupling = [](double face) { return face > 0 ? face : 0; };
    HostNinePoints& to = out_.matrices;
#pragma omp parallel for schedule(static)
    for (int row = rows_.first; row < rows_.end; ++row)
      for (int col = 0; col < e.nx; ++col) {
        const std::size_t k = slot(row, col);
        const long ix = u_.first[0] + col, iy = u_.first[1] + row;
        double west = five_.east[k - 1], east = five_.east[k], south = five_.north[k - pitch_],
               north = five_.north[k];
        to.mass.centre[k] = five_.mass[k];
        if (damped_) to.damping.centre[k] = five_.damping[k];
        if (const Stretching& s = cells_.stretching(); s.any()) {
          west *= s.face_x(ix - 1, iy), east *= s.face_x(ix, iy);
          south *= s.face_y(ix, iy - 1), north *= s.face_y(ix, iy);
          if (is_inside(m_, m_.grid.index(ix, iy)))
            to.damping.centre[k] +=
                s.damping(ix, iy, five_.mass[k], damping_of_medium(m_, ix, iy, five_.mass[k], dt_));
        }
        to.stiffness.centre[k] = std::abs(west) + std::abs(east) + std::abs(south) + std::abs(north);
        to.stiffness.west[k] = -coupling(west);
        to.stiffness.south[k] = -coupling(south);
      }
  }

  void keep_eigenvalue_of_cut_cells() {
    const CutCells cut(m_, u_, five_, cells_, largest_, [this](std::size_t node) { return curvature(node); });
    HostNinePoints& to = out_.matrices;
#pragma omp parallel for schedule(static)
    for (int row = rows_.first; row < rows_.end; ++row)
      for (int col = 0; col < u_.extent.nx; ++col) {
        const long ix = u_.first[0] + col, iy = u_.first[1] + row;
        if (!is_inside(m_, m_.grid.index(ix, iy))) continue;
        const MassOfCutCells more = cut.at(ix, iy);
        const std::size_t k = slot(row, col);
        to.mass.centre[k] += more.centre, to.mass.west[k] += more.west, to.mass.south[k] += more.south;
        if (cells_.stretching().any())  // a layer stretches all mass, or waves grow in it
          to.damping.centre[k] += cells_.stretching().damping(ix, iy, more.raised, 0);
      }
  }

  void add_row_of_cells(long iy) {
    CellMedium last;
    CellTerms terms;
    bool known = false;
    for (long ix = 0; ix < m_.grid.cells[0]; ++ix) {
      if (!cells_.at(ix, iy)) continue;
      const CellMedium c = cells_.medium(ix, iy);
      const bool on_side = cells_.on_a_side(ix, iy);
      if (!known || on_side || !(c == last)) terms = cells_.terms(c, ix, iy);
      last = c;
      known = !on_side;
      const std::array<long, 4> at{u_.index(ix, iy), u_.index(ix + 1, iy), u_.index(ix, iy + 1),
                                   u_.index(ix + 1, iy + 1)};
      add(out_.matrices.mass, at, terms.mass);
      add(out_.matrices.stiffness, at, terms.stiffness);
      if (damped_) add(out_.matrices.damping, at, terms.damping);
    }
  }

  /// Every second row of cells at once, as two that are next to each other share nodes; the last one alone
  /// where it is a neighbour of the first round a periodic axis. Those round the rows that are wanted.
  void add_cells() {
    const long rows = m_.grid.cells[1], paired = rows - rows % 2;
    const bool all = rows_.first == 0 && rows_.end == u_.extent.ny;
    const long from = all ? 0 : std::max(0L, u_.first[1] + rows_.first - 1),
               end = all ? rows : std::min(rows, u_.first[1] + rows_.end);
    for (const long parity : {0L, 1L})
#pragma omp parallel for schedule(static)
      for (long iy = from + (from + parity) % 2; iy < std::min(end, paired); iy += 2) add_row_of_cells(iy);
    if (paired < end) add_row_of_cells(rows - 1);
  }

  /// `at`: the unknowns at the corners, or -1.
  void add(HostNinePointMatrix& A, const std::array<long, 4>& at, const CellMatrix& cell) const {
    const auto place = [&](int k) { return std::size_t(at[k]) + pitch_; };
    for (int k = 0; k < 4; ++k)
      if (at[k] >= 0) A.centre[place(k)] += cell[k][k];
    const auto couple = [&](Array<double>& entries, int owner, int other) {
      if (at[owner] >= 0 && at[other] >= 0) entries[place(owner)] += cell[owner][other];
    };
    couple(A.west, 1, 0);
    couple(A.west, 3, 2);
    couple(A.south, 2, 0);
    couple(A.south, 3, 1);
    couple(A.south_west, 3, 0);
    couple(A.south_east, 2, 1);
  }

  void copy_round_periodic_axes(HostNinePointMatrix& A) const {
    const int nx = u_.extent.nx, ny = u_.extent.ny;
    if (u_.topology.wrap_x)  // the padding at the end of a row holds an entry of the next one: one row more
      for (int row = rows_.first; row < std::min(rows_.end + 1, ny); ++row) {
        A.west[slot(row, nx)] = A.west[slot(row, 0)];
        A.south_west[slot(row, nx)] = A.south_west[slot(row, 0)];
        A.south_east[slot(row, 0) - 1] = A.south_east[slot(row, nx - 1)];
      }
    if (u_.topology.wrap_y)
      for (int col = -1; col <= nx; ++col) {
        const std::size_t from = slot(0, 0) + std::size_t(col + 1) - 1,
                          to = slot(ny, 0) + std::size_t(col + 1) - 1;
        if (col >= 0) A.south[to] = A.south[from], A.south_west[to] = A.south_west[from];
        if (col < nx) A.south_east[to] = A.south_east[from];
      }
  }

  const Model& m_;
  const Unknowns& u_;
  const HostCoefficients& five_;
  const double dt_;
  const double largest_;  // the eigenvalue times dt^2
  const WholeCells cells_;
  const std::vector<RimCurvature> curved_;
  const bool damped_;
  const std::size_t pitch_;
  const RowRange rows_;
  NinePointSystem out_;
};

}  // namespace

HostNinePointMatrix::HostNinePointMatrix(const Extent& e, RowRange rows)
    : south_west(zeros_in(e, rows)),
      south(zeros_in(e, rows)),
      south_east(zeros_in(e, rows)),
      west(zeros_in(e, rows)),
      centre(zeros_in(e, rows)) {}

NinePointSystem nine_points(const Model& model, const Unknowns& unknowns, const HostCoefficients& five,
                            double dt, double largest_eigenvalue) {
  return NinePointBuilder(model, unknowns, five, dt, largest_eigenvalue).build();
}

UniformNinePointCoefficients<double> uniform_nine_points(const Model& m, const Unknowns& unknowns,
                                                         double reference_mass, double dt,
                                                         double largest_eigenvalue) {
  const double largest = dt * dt * largest_eigenvalue;
  const WholeCells cells(m, reference_mass, dt, largest);
  const CellMedium medium = cells.medium(0, 0);
  const CellMatrix K = cell_stiffness(medium.faces), D = cell_mass(medium.damping);
  CellMatrix M = cell_mass(medium.mass);
  keep_eigenvalue(largest, K, M);
  const auto of_corner = [](const CellMatrix& A) {
    return CornerEntries<double>{A[0][0], A[0][1], A[0][2], A[0][3]};
  };
  UniformNinePointCoefficients<double> c;
  c.topology = unknowns.topology;
  c.mass = of_corner(M), c.damping = of_corner(D), c.stiffness = of_corner(K);
  for (int side = 0; side < 4; ++side) {
    c.cells_beyond[side] = m.edges[side].kind != EdgeCondition::free;
    if (m.edges[side].radiation) c.radiation[side] = cells.radiation(side, 0);
  }
  return c;
}

void correct_faces_at_edges(Model& m) {
  const Grid& g = m.grid;
  for (int side = 0; side < 4; ++side) {
    const int axis = side / 2, along = 1 - axis;
    NodeField& faces = axis == 0 ? m.face_x : m.face_y;
    if (!holds_value(m.edges[side].kind) || faces.uniform() || g.cells[axis] < 3) continue;
    const bool low = side == left || side == bottom;
    if (axis == 1 && !g.own.has(low ? 0 : g.cells[1])) continue;
    for (long k = axis == 0 ? g.first_row() : 0; k < (axis == 0 ? g.end_row() : g.nodes(along)); ++k) {
      const auto face = [&](long inwards) -> double& {
        const long i = low ? inwards : g.cells[axis] - 1 - inwards;
        return faces.values[axis == 0 ? g.index(i, k) : g.index(k, i)];
      };
      const double a = face(0), b = face(1), c = face(2);
      if (!(a > 0 && b > 0 && c > 0)) continue;
      const double at_edge = (15 * a - 10 * b + 3 * c) / 8, slope = -2 * a + 3 * b - c;
      const double e = std::clamp(slope / at_edge, -1.0, 1.0);  // h T'/T; a jump has no slope
      face(0) = a * (1 - e / 24 * (1 + 11.0 / 24 * e));
    }
  }
}

}  // namespace wavesim
