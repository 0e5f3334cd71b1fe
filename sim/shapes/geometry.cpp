#include "sim/shapes/geometry.hpp"

#include <algorithm>

namespace wavesim {

std::vector<std::uint8_t> GeometricShape::where_depth_exceeds(const Grid& grid, double slacks) const {
  check();
  const double slack = 1e-9 * std::min(grid.spacing[0], grid.spacing[1]);
  return mask_nodes_each(
      grid, [&] { return [&](double x, double y) { return depth(x, y, slack) > slacks * slack; }; });
}

std::vector<std::uint8_t> GeometricShape::inside(const Grid& grid) const {
  return where_depth_exceeds(grid, 1);
}

std::vector<std::uint8_t> GeometricShape::covered(const Grid& grid) const {
  return where_depth_exceeds(grid, -1);
}

}  // namespace wavesim
