#include "sim/eighth_order/interpolation.hpp"

#include <cmath>
#include <map>

#include "sim/eighth_order/mirrored_axes.hpp"

namespace wavesim {

namespace {

constexpr int points = 8;

/// Lagrange's weights of the points 0 .. 7 at t.
std::array<double, points> lagrange(double t) {
  std::array<double, points> weights;
  for (int k = 0; k < points; ++k) {
    weights[std::size_t(k)] = 1;
    for (int j = 0; j < points; ++j)
      if (j != k) weights[std::size_t(k)] *= (t - j) / (k - j);
  }
  return weights;
}

/// The nodes of an axis and what they count at a coordinate.
std::map<long, double> along(const Model& m, const Unknowns& unknowns, std::size_t axis, double coordinate) {
  const double place = m.grid.in_spacings(int(axis), coordinate);
  const long low = long(std::floor(place)) - (points / 2 - 1);
  const std::array<double, points> weights = lagrange(place - double(low));
  const MirroredAxis mirrored = mirrored_axis(m, unknowns, axis);
  std::map<long, double> sum;
  for (int k = 0; k < points; ++k) {
    const MirroredAxis::Place at = mirrored.place(int(low + k - unknowns.first[axis]));
    if (const double weight = at.sign * weights[std::size_t(k)]; weight != 0)
      sum[unknowns.first[axis] + at.at] += weight;
  }
  return sum;
}

}  // namespace

std::vector<Weighted> eighth_order_weights(const Model& m, double x, double y) {
  const Unknowns unknowns = make_unknowns(m);
  std::vector<Weighted> all;
  const std::map<long, double> along_x = along(m, unknowns, 0, x);
  for (const auto& [iy, weight_y] : along(m, unknowns, 1, y))
    for (const auto& [ix, weight_x] : along_x) all.push_back({m.grid.index(ix, iy), weight_x * weight_y});
  return all;
}

}  // namespace wavesim
