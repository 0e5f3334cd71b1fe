#include "sim/fourth_order/interpolation.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/eighth_order/interpolation.hpp"
#include "sim/model/model_parts.hpp"

namespace wavesim {

namespace {

/// Lagrange's weights of the points 0, 1, 2, 3 at t.
std::array<double, 4> cubic(double t) {
  return {-(t - 1) * (t - 2) * (t - 3) / 6, t * (t - 2) * (t - 3) / 2, -t * (t - 1) * (t - 3) / 2,
          t * (t - 1) * (t - 2) / 6};
}

}  // namespace

/// Between the first and the last of four nodes along each axis all cells are whole.
bool Interpolation::is_cubic(const std::array<std::array<long, 4>, 2>& index) const {
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      if (!filter_.cells().at(index[0][i], index[1][j])) return false;
  return true;
}

std::vector<Weighted> Interpolation::weights(double x, double y) const {
  if (m_.space_order == 8) return eighth_order_weights(m_, x, y);
  const Grid& g = m_.grid;
  const std::array<double, 2> point{x, y};
  std::array<std::array<long, 4>, 2> index{};
  std::array<std::array<double, 4>, 2> weight{};
  bool fits = m_.space_order == 4;
  for (int axis = 0; axis < 2; ++axis) {
    const double place = g.in_spacings(axis, point[axis]);
    fits = fits && g.cells[axis] >= 3;
    long low = long(std::floor(place)) - 1;
    if (!g.periodic[axis]) low = std::clamp(low, 0L, std::max(0L, g.cells[axis] - 3));
    weight[axis] = cubic(place - double(low));
    for (int k = 0; k < 4; ++k) index[axis][k] = g.wrapped(axis, low + k);
  }
  std::vector<Weighted> all;
  if (!fits || !is_cubic(index)) {
    const Bilinear b = locate(m_, x, y);
    for (int k = 0; k < 4; ++k) all.push_back({b.node[k], b.weight[k]});
    return all;
  }
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i) {
      const double w = weight[0][i] * weight[1][j];
      if (w != 0) all.push_back({g.index(index[0][i], index[1][j]), w});
    }
  return all;
}

std::vector<Weighted> Interpolation::readings(double x, double y) const {
  std::vector<Weighted> all = weights(x, y);
  if (m_.space_order != 4) return all;
  std::map<std::size_t, double> sum;
  for (const Weighted& of_u : all)
    for (const Weighted& of_v : filter_.row(of_u.node)) sum[of_v.node] += of_u.weight * of_v.weight;
  all.clear();
  for (const auto& [node, weight] : sum) all.push_back({node, weight});
  return all;
}

}  // namespace wavesim
