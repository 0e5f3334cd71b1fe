#pragma once
// Absorbing layers outside the user's rectangle, and the nodes that a periodic axis has twice.

#include "sim/model/grid.hpp"

namespace wavesim {

/// The user's rectangle alone.
Grid without_layers(const Grid& grid);

/// A field on without_layers(grid), carried on into the layers by its edge values; corners take the corner's.
NodeField extend_into_layers(NodeField field, const Grid& grid);

/// On periodic axes the last node is the first: copies the values of the first to it.
template <class Values>
void copy_periodic(Values& values, const Grid& grid) {
  if (values.empty()) return;
  const long nx = grid.nodes(0), ny = grid.nodes(1);
  if (grid.periodic[0])
    for (long iy = grid.first_row(); iy < grid.end_row(); ++iy)
      values[grid.index(nx - 1, iy)] = values[grid.index(0, iy)];
  if (grid.periodic[1])
    for (long ix = 0; ix < nx; ++ix) values[grid.index(ix, ny - 1)] = values[grid.index(ix, 0)];
}

}  // namespace wavesim
