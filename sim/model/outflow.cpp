#include "sim/model/outflow.hpp"

#include <algorithm>

#include "sim/model/model_parts.hpp"
#include "sim/model/pml.hpp"

namespace wavesim {

namespace {

/// Of a constant medium without layers and shapes: along its absorbing edges.
std::vector<OutflowPoint> on_edges(const Model& m, const Unknowns& u, const HostCoefficients& five,
                                   double dt) {
  std::vector<OutflowPoint> points;
  const Extent e = u.extent;
  const double medium = dt * m.damping.constant / five.reference_mass;
  for (int row = 0; row < e.ny; ++row) {
    const int step = row == 0 || row == e.ny - 1 ? 1 : std::max(1, e.nx - 1);
    for (int col = 0; col < e.nx; col += step) {
      double wall = 0;  // over the share of a cell that the point has
      const auto add = [&](int side, bool here) {
        if (here)
          wall += dt * edge_damping(m, side, 0) /
                  (five.reference_mass * m.grid.spacing[side / 2] * five.half[side]);
      };
      add(left, col == 0), add(right, col == e.nx - 1), add(bottom, row == 0), add(top, row == e.ny - 1);
      if (wall > 0) points.push_back({e.number(row, col), wall / (wall + medium)});
    }
  }
  return points;
}

}  // namespace

std::vector<OutflowPoint> outflow_points(const Model& m, const Unknowns& u, const HostCoefficients& five,
                                         double dt) {
  if (five.mass.empty()) return on_edges(m, u, five, dt);
  std::vector<OutflowPoint> points;
  if (five.damping.empty()) return points;
  const Extent e = u.extent;
  const Stretching stretching(m, dt);
  for (int row = 0; row < e.ny; ++row)
    for (int col = 0; col < e.nx; ++col) {
      const long ix = u.first[0] + col, iy = u.first[1] + row;
      const std::size_t k = std::size_t(row + 1) * std::size_t(e.pitch) + std::size_t(col);
      if (!is_inside(m, m.grid.index(ix, iy))) continue;
      const double medium = damping_of_medium(m, ix, iy, five.mass[k], dt);
      const double whole = five.damping[k] + stretching.damping(ix, iy, five.mass[k], medium);
      if (!(whole > 0)) continue;
      const double share = 1 - medium / whole;
      if (share > 1e-12) points.push_back({e.number(row, col), share});
    }
  return points;
}

}  // namespace wavesim
