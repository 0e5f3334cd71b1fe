#include "sim/model/layers.hpp"

#include <algorithm>

namespace wavesim {

Grid without_layers(const Grid& grid) {
  Grid inner = grid;
  for (int axis = 0; axis < 2; ++axis) {
    inner.cells[axis] -= grid.layer[axis][0] + grid.layer[axis][1];
    inner.origin[axis] = grid.low(axis);
    inner.layer[axis] = {0, 0};
  }
  if (grid.own.ranks) {  // rows of a layer are made from one of these
    const auto inside = [&](long row) { return std::clamp(row - grid.layer[1][0], 0L, inner.cells[1]); };
    inner.own.first = inside(grid.own.first);
    inner.own.end = inside(grid.own.end - 1) + 1;
    for (long& row : inner.own.partition) row = std::clamp(row - grid.layer[1][0], 0L, inner.nodes(1));
  }
  return inner;
}

NodeField extend_into_layers(NodeField field, const Grid& grid) {
  const Grid inner = without_layers(grid);
  if (field.uniform() || inner.cells == grid.cells) return field;
  NodeField wide;
  wide.values.resize(grid.node_count());
  const long nx = grid.nodes(0);
#pragma omp parallel for schedule(static)
  for (long iy = grid.first_row(); iy < grid.end_row(); ++iy)
    for (long ix = 0; ix < nx; ++ix)
      wide.values[grid.index(ix, iy)] =
          field.values[inner.index(std::clamp(ix - grid.layer[0][0], 0L, inner.cells[0]),
                                   std::clamp(iy - grid.layer[1][0], 0L, inner.cells[1]))];
  return wide;
}

}  // namespace wavesim
