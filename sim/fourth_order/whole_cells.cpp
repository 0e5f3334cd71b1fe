#include "sim/fourth_order/whole_cells.hpp"

#include <algorithm>
#include <utility>

#include "sim/model/model_parts.hpp"

namespace wavesim {

WholeCells::WholeCells(const Model& model, double reference_mass, double dt, double largest)
    : m_(model),
      cells_(model),
      stretching_(model, dt),
      reference_mass_(reference_mass),
      dt_(dt),
      largest_(largest) {
  for (int axis = 0; axis < 2; ++axis) {
    const double h = model.grid.spacing[axis];
    face_scale_[axis] = dt * dt / (reference_mass * h * h);
  }
}

/// S acts across the edge alone: h^2 u_nn / 24 = h^2 (g'' + eta/m g') / (24 c^2).
std::array<double, 2> WholeCells::unfiltered_edge(int axis, std::size_t node) const {
  const double courant = m_.speed[node] * dt_ / m_.grid.spacing[axis];
  return {1 / (24 * courant * courant), dt_ * m_.damping[node] / m_.mass[node]};
}

std::size_t WholeCells::wrapped(long ix, long iy) const {
  const Grid& g = m_.grid;
  return g.index(std::max(g.wrapped(0, ix), 0L), std::max(g.wrapped(1, iy), 0L));
}

std::array<std::size_t, 4> WholeCells::corners(long ix, long iy) const {
  return {wrapped(ix, iy), wrapped(ix + 1, iy), wrapped(ix, iy + 1), wrapped(ix + 1, iy + 1)};
}

CellMedium WholeCells::medium(long ix, long iy) const {
  const std::array<std::size_t, 4> node = corners(ix, iy);
  CellMedium c;
  c.faces = {face(0, node[0]), face(0, node[2]), face(1, node[0]), face(1, node[1])};
  for (int k = 0; k < 4; ++k) {
    c.mass[k] = mass(node[k]);
    c.damping[k] = damping(node[k]);
  }
  c.stretch = {stretching_.of_cell(0, ix), stretching_.of_cell(1, iy)};
  for (int k = 0; k < 4; ++k) c.damping[k] += 2 * (c.stretch[0] + c.stretch[1]) * c.mass[k];
  return c;
}

template <class F>
void WholeCells::each_side(long ix, long iy, F&& f) const {
  const Grid& g = m_.grid;
  if (ix == 0) f(OnSide{left, 0, 2, 1, 3});
  if (ix == g.cells[0] - 1) f(OnSide{right, 1, 3, 0, 2});
  if (iy == 0) f(OnSide{bottom, 0, 1, 2, 3});
  if (iy == g.cells[1] - 1) f(OnSide{top, 2, 3, 0, 1});
}

bool WholeCells::on_a_side(long ix, long iy) const {
  bool any = false;
  each_side(ix, iy, [&](const OnSide& s) { any = any || m_.edges[s.side].kind == EdgeCondition::free; });
  return any;
}

/// The derivative of a quantity inwards from a node on a side, times the spacing: of second order. None where one of
/// the three nodes is outside, and at most a quarter of the quantity, so that matrices stay definite where it jumps.
template <class Value>
double WholeCells::slope(int side, std::size_t node, Value&& value) const {
  const Grid& g = m_.grid;
  if (g.cells[side / 2] < 2) return 0;
  const std::size_t step = side < 2 ? 1 : std::size_t(g.nodes(0));
  std::array<double, 3> at{};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = side % 2 == 0 ? node + k * step : node - k * step;
    at[k] = value(i);
    if (!is_inside(m_, i) || !(at[k] >= 0)) return 0;
  }
  return std::clamp((-3 * at[0] + 4 * at[1] - at[2]) / 2, -at[0] / 4, at[0] / 4);
}

/// Half cells along a free edge: with the slopes of m and T across the edge, their integrals are of fourth order.
void WholeCells::add_half_cells(const OnSide& s, const std::array<std::size_t, 4>& node, CellMatrix& K,
                                CellMatrix& M, CellMatrix& D) const {
  for (const int at : {s.a, s.b}) {
    M[at][at] += slope(s.side, node[at], [&](std::size_t i) { return mass(i); }) / 24;
    D[at][at] += slope(s.side, node[at], [&](std::size_t i) { return damping(i); }) / 24;
  }
  const int along = s.side < 2 ? 1 : 0;
  const double T = slope(s.side, node[s.a], [&](std::size_t i) { return face(along, i); }) / 12;
  K[s.a][s.a] += T, K[s.b][s.b] += T, K[s.a][s.b] -= T, K[s.b][s.a] -= T;
}

CellMatrix WholeCells::radiation_terms(const OnSide& s, const std::array<std::size_t, 4>& node) const {
  const double a = radiation(s.side, node[s.a]), b = radiation(s.side, node[s.b]);
  return side_damping(s.a, s.b, a, b) - lumped_side_damping(s.a, s.b, a, b);
}

CellTerms WholeCells::terms(const CellMedium& c, long ix, long iy) const {
  CellMatrix K = cell_stiffness(c.faces), M = cell_mass(c.mass), D = cell_mass(c.damping);
  CellTerms terms;
  const auto [a, b] = c.stretch;
  const bool stretched = a != 0 || b != 0;
  each_side(ix, iy, [&](const OnSide& s) {
    if (m_.edges[s.side].kind != EdgeCondition::free) return;
    // In a layer the half cells stay as they are, of second order: its fluxes are those of the cell alone.
    if (!stretched) add_half_cells(s, corners(ix, iy), K, M, D);
    if (m_.edges[s.side].radiation) terms.damping += radiation_terms(s, corners(ix, iy));
  });
  const CellMatrix own = M;
  keep_eigenvalue(largest_, K, M);  // where the medium jumps, theta is larger
  CellFaces T = c.faces;
  if (stretched) {
    const double x = (1 + b) / (1 + a), y = (1 + a) / (1 + b);
    T = {x * T.bottom, x * T.top, y * T.left, y * T.right};
    K = cell_stiffness(T);
    CellMatrix kept = M - own;  // a layer stretches all mass, or waves grow in it
    for (auto& row : kept)
      for (double& entry : row) entry *= 2 * (a + b);
    D += kept;
  }
  terms.mass = M - lumped_cell_mass(c.mass);
  terms.stiffness = K - cell_stiffness_of_five_points(T);
  terms.damping += D - lumped_cell_mass(c.damping);
  return terms;
}

}  // namespace wavesim
