#include "sim/model/pml.hpp"

#include <algorithm>
#include <cmath>

#include "sim/fourth_order/whole_cells.hpp"
#include "sim/model/model_parts.hpp"

namespace wavesim {

namespace {

/// f(cell, k, layer, rate) for each cell of an axis in a layer: it is cell k of `layer`, from the rectangle outwards;
/// `rate` is zeta at the outer end.
template <class F>
void each_cell_in_layers(const Model& m, int axis, F&& f) {
  for (int end = 0; end < 2; ++end) {
    const double rate = m.edges[2 * axis + end].pml_rate;
    const long layer = rate > 0 ? m.grid.layer[axis][end] : 0;
    for (long k = 0; k < layer; ++k)
      f(std::size_t(end == 0 ? layer - 1 - k : m.grid.cells[axis] - layer + k), k, layer, rate);
  }
}

std::vector<double> rates(const Model& m, int axis) {
  std::vector<double> rate(std::size_t(m.grid.cells[axis]), 0.0);
  each_cell_in_layers(m, axis, [&](std::size_t cell, long k, long layer, double at_end) {
    const double depth = (double(k) + 0.5) / double(layer);
    rate[cell] += at_end * depth * depth;
  });
  return rate;
}

/// Divides the tensions of faces across layers by 1 + h^2 zeta' / (4 c), with nine points / (6 c): then what the
/// grid itself reflects where zeta changes is of a higher order (docs/math.md, section 2).
void match_to_grid(Model& m, int axis) {
  const Grid& g = m.grid;
  std::vector<double> slope(std::size_t(g.cells[axis]), 0.0);  // h zeta' outwards
  bool any = false;
  each_cell_in_layers(m, axis, [&](std::size_t cell, long k, long layer, double at_end) {
    slope[cell] = 2 * at_end * (double(k) + 0.5) / double(layer * layer);
    any = true;
  });
  if (!any) return;
  NodeField& faces = axis == 0 ? m.face_x : m.face_y;
  if (faces.uniform()) faces.values.assign(g.node_count(), faces.constant);
  const double share = g.spacing[axis] / (m.space_order == 4 ? 6 : 4);
#pragma omp parallel for schedule(static)
  for (long iy = 0; iy < g.nodes(1); ++iy)
    for (long ix = 0; ix < g.nodes(0); ++ix) {
      const long k = axis == 0 ? ix : iy;
      const std::size_t i = g.index(ix, iy);
      if (k < g.cells[axis] && slope[std::size_t(k)] > 0)
        faces.values[i] /= 1 + share * slope[std::size_t(k)] / m.speed[i];
    }
}

}  // namespace

double PmlProfile::cells() const {
  double all = 1, outside = 1;
  for (const std::vector<double>& along : rate) {
    all *= double(along.size());
    outside *= double(std::count(along.begin(), along.end(), 0.0));
  }
  return empty() ? 0 : all - outside;
}

void add_pml(Model& model) {
  for (int axis = 0; axis < 2; ++axis) {
    model.pml.rate[axis] = rates(model, axis);
    match_to_grid(model, axis);
  }
}

/// exp(-2/c int zeta) = R with int zeta = zeta_end L / 3.
double pml_rate_at_end(double speed, double thickness, double reflection) {
  return 3 * speed / (2 * thickness) * std::log(1 / reflection);
}

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

class PmlCells {
 public:
  PmlCells(const Model& m, const Unknowns& u, const HostCoefficients& five, double dt)
      : m_(m), u_(u), five_(five), dt_(dt), stretching_(m, dt), whole_(m, five.reference_mass, dt, 0) {}

  HostPml build() {
    cell_at_.assign(std::size_t(m_.grid.cells[0]) * std::size_t(m_.grid.cells[1]), -1);
    for (long iy = 0; iy < m_.grid.cells[1]; ++iy)
      for (long ix = 0; ix < m_.grid.cells[0]; ++ix)
        if (stretching_.of_cell(0, ix) != 0 || stretching_.of_cell(1, iy) != 0) add_cell(ix, iy);
    for (int row = 0; row < u_.extent.ny; ++row)
      for (int col = 0; col < u_.extent.nx; ++col) add_point(row, col);
    return std::move(out_);
  }

 private:
  /// An unknown, or what holds its place.
  long corner(long ix, long iy) const {
    const auto node = m_.grid.index(m_.grid.wrapped(0, ix), m_.grid.wrapped(1, iy));
    if (!is_inside(m_, node)) return -1;
    const long i = u_.index(ix, iy);
    if (i >= 0) return i;
    const int side = u_.side(ix, iy);
    return m_.edges[side].kind == EdgeCondition::driven ? -2 - side : -1;
  }

  void add_cell(long ix, long iy) {
    const std::array<long, 4> at{corner(ix, iy), corner(ix + 1, iy), corner(ix, iy + 1),
                                 corner(ix + 1, iy + 1)};
    if (std::none_of(at.begin(), at.end(), [](long i) { return i >= 0; })) return;
    cell_at_[place(ix, iy)] = int(out_.corner[0].size());
    for (int k = 0; k < 4; ++k) out_.corner[k].push_back(at[k]);
    const bool whole = m_.space_order == 4 && whole_.at(ix, iy);
    const CellFaces T =
        whole ? whole_.medium(ix, iy).faces
              : CellFaces{face_x(ix, iy), face_x(ix, iy + 1), face_y(ix, iy), face_y(ix + 1, iy)};
    // The matrix of a cell tells the flux: -A[0][1] and -A[2][3] are what the differences along a face bring to it.
    const CellMatrix A = whole ? cell_stiffness({T.bottom, T.top, 0, 0})
                               : cell_stiffness_of_five_points({T.bottom, T.top, 0, 0}),
                     B = whole ? cell_stiffness({0, 0, T.left, T.right})
                               : cell_stiffness_of_five_points({0, 0, T.left, T.right});
    const auto add = [&](int axis, double first, double mixed, double second) {
      out_.flux[axis][0].push_back(first);
      out_.flux[axis][1].push_back(mixed);
      out_.flux[axis][2].push_back(second);
    };
    add(0, -A[0][1], -A[0][3], -A[2][3]);
    add(1, -B[0][2], -B[0][3], -B[1][3]);
    out_.stretch[0].push_back(stretching_.of_cell(0, ix));
    out_.stretch[1].push_back(stretching_.of_cell(1, iy));
  }

  void add_point(int row, int col) {
    const long ix = u_.first[0] + col, iy = u_.first[1] + row;
    const std::size_t k = slot(row, col);
    const long i = u_.extent.number(row, col);
    if (!is_inside(m_, m_.grid.index(ix, iy))) return;
    const std::array<int, 4> cells{cell(ix, iy), cell(ix - 1, iy), cell(ix, iy - 1), cell(ix - 1, iy - 1)};
    if (std::all_of(cells.begin(), cells.end(), [](int c) { return c < 0; })) return;
    out_.point.push_back(i);
    for (int c = 0; c < 4; ++c) out_.cell[c].push_back(cells[c]);
    out_.reaction.push_back(
        stretching_.reaction(ix, iy, five_.mass[k], damping_of_medium(m_, ix, iy, five_.mass[k], dt_)));
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
  std::size_t place(long ix, long iy) const {
    return std::size_t(iy) * std::size_t(m_.grid.cells[0]) + std::size_t(ix);
  }
  int cell(long ix, long iy) const {
    ix = m_.grid.wrapped(0, ix), iy = m_.grid.wrapped(1, iy);
    if (ix < 0 || iy < 0 || ix >= m_.grid.cells[0] || iy >= m_.grid.cells[1]) return -1;
    return cell_at_[place(ix, iy)];
  }

  const Model& m_;
  const Unknowns& u_;
  const HostCoefficients& five_;
  const double dt_;
  const Stretching stretching_;
  const WholeCells whole_;
  std::vector<int> cell_at_;
  HostPml out_;
};

}  // namespace

void stretch(const Model& m, const Unknowns& u, double dt, HostCoefficients& five) {
  const Stretching s(m, dt);
  const Extent e = u.extent;
#pragma omp parallel for schedule(static)
  for (int row = -1; row < e.ny; ++row)
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

HostPml pml_cells(const Model& model, const Unknowns& unknowns, const HostCoefficients& five, double dt) {
  return PmlCells(model, unknowns, five, dt).build();
}

}  // namespace wavesim
