#include "sim/model/smooth_pole.hpp"

#include <array>
#include <cmath>

#include "sim/model/model_parts.hpp"

namespace wavesim {

namespace {

constexpr int width = 8;

/// The quintic B-spline of the nodes.
double spline(double x) {
  const auto power = [](double v) { return v > 0 ? v * v * v * v * v : 0; };
  const double a = std::abs(x);
  return (power(3 - a) - 6 * power(2 - a) + 15 * power(1 - a)) / 120;
}

/// Of the nodes floor(place) - 3 to floor(place) + 4: the spline less a quarter of its second difference, which gives long
/// waves back what the spline takes from them, k^2 h^2 / 4.
std::array<double, width> weights(double place) {
  const double past = place - std::floor(place);
  std::array<double, width> w{};
  for (int i = 0; i < width; ++i) {
    const double x = past - (i - 3);
    w[std::size_t(i)] = 1.5 * spline(x) - 0.25 * (spline(x - 1) + spline(x + 1));
  }
  return w;
}

}  // namespace

bool add_smooth_pole(const Pole& pole, const Model& model, SourcePoints& to) {
  const Grid& g = model.grid;
  const std::array<double, 2> at{pole.x, pole.y};
  std::array<std::array<double, width>, 2> weight{};
  std::array<std::array<long, width>, 2> index{};
  for (int axis = 0; axis < 2; ++axis) {
    const double place = g.in_spacings(axis, at[axis]);
    const long low = long(std::floor(place)) - 3;
    if (g.periodic[axis] ? g.cells[axis] < width : low < 0 || low + width - 1 > g.cells[axis]) return false;
    weight[axis] = weights(place);
    for (int i = 0; i < width; ++i) index[axis][i] = g.wrapped(axis, low + i);
  }
  for (const long iy : index[1])
    for (const long ix : index[0])
      if (!is_unknown(model, ix, iy)) return false;
  for (int j = 0; j < width; ++j)
    for (int i = 0; i < width; ++i) {
      to.node.push_back(g.index(index[0][i], index[1][j]));
      to.weight.push_back(pole.weight * weight[0][i] * weight[1][j]);
    }
  return true;
}

}  // namespace wavesim
