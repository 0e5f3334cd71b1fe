#include "sim/shapes/geometry.hpp"

#include <algorithm>

namespace wavesim {

std::vector<std::uint8_t> GeometricShape::mask(const Grid& grid, NodesOf ask) const {
  check();
  ask.slack = 1e-9 * std::min(grid.spacing[0], grid.spacing[1]);
  return mask_nodes(grid, ask, [&] { return [&](double x, double y) { return depth(x, y, ask.slack); }; });
}

}  // namespace wavesim
