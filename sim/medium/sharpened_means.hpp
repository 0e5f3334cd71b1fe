#pragma once
// From means over cells back to values in their middles, to fourth order.

#include "sim/model/grid.hpp"

namespace wavesim {

/// Along an axis of a grid, values in the middle of means over one spacing: v - h^2 v''/24, by differences. What the
/// grid can show keeps its fourth order, and what is finer than the grid stays averaged away. The change is at most a
/// quarter of the value, and none beside values that are not positive. `faces`: there is one value for each cell along
/// the axis, at the nodes but the last; else one for each node, where those at the ends are no means along the axis.
void sharpen_means(NodeField& field, const Grid& grid, int axis, bool faces);

}  // namespace wavesim
