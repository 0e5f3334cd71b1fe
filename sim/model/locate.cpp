#include <algorithm>
#include <cmath>

#include "sim/input/text.hpp"
#include "sim/model/model_parts.hpp"

namespace wavesim {

Bilinear locate(const Grid& grid, double x, double y) {
  const std::array<double, 2> point{x, y};
  std::array<std::array<long, 2>, 2> index;
  std::array<double, 2> part;
  for (int axis = 0; axis < 2; ++axis) {
    const double place = grid.in_spacings(axis, point[axis]);
    const long low = std::clamp(long(std::floor(place)), 0L, grid.cells[axis] - 1);
    part[axis] = std::clamp(place - double(low), 0.0, 1.0);
    index[axis] = {low, low + 1};
    if (grid.periodic[axis] && low + 1 == grid.cells[axis]) index[axis][1] = 0;
  }
  Bilinear b;
  for (int k = 0; k < 4; ++k) {
    const int i = k % 2, j = k / 2;
    b.node[k] = grid.index(index[0][i], index[1][j]);
    b.weight[k] = (i ? part[0] : 1 - part[0]) * (j ? part[1] : 1 - part[1]);
  }
  return b;
}

bool in_rectangle(const Grid& grid, double x, double y) {
  const std::array<double, 2> point{x, y};
  for (int axis = 0; axis < 2; ++axis) {
    const double slack = 1e-9 * grid.spacing[axis] * double(grid.nodes(axis));
    if (!(point[axis] >= grid.low(axis) - slack && point[axis] <= grid.high(axis) + slack)) return false;
  }
  return true;
}

std::string rectangle_text(const Grid& grid) {
  return "x = " + text(grid.low(0)) + " to " + text(grid.high(0)) + ", y = " + text(grid.low(1)) + " to " +
         text(grid.high(1)) + " m";
}

std::string place_text(const Grid& grid, std::size_t node) {
  const auto [ix, iy] = grid.place(node);
  return "x = " + text(grid.x(ix)) + ", y = " + text(grid.y(iy));
}

}  // namespace wavesim
