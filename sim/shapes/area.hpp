#pragma once
// From where shapes lie to which nodes are inside them.
//
// Shapes are taken together as one area before any rim is looked for. A node that is inside none of them but
// on the rim of one is inside the area if shapes fill all sectors round it: there they touch along a line. Of
// shapes that touch in a point some sector is empty.
//
// Nodes on the rim of the area are not part of the wave. Where the rim is fixed, u = 0 holds at the first
// node that is not: of the two nodes on either side of the rim on a grid line that is to be the nearer one,
// so an inside node that lies nearer to the rim than its neighbour beyond is held as well. The lowest tone of
// a drum of radius 50 h is then 0.1 % sharp; held at the nodes beyond the rim alone it would be 0.6 % flat. A
// free rim lies half a cell beyond the last node inside, which is unbiased as it is.
//
// Nodes on the edges of the rectangle are looked at a millionth of a cell further in, and those in the
// absorbing layers beyond at the nearest point of the rectangle.

#include "sim/shapes/shape.hpp"

namespace wavesim {

/// Which rim rules a node: that of the first shape in the list that has it inside or on its rim.
enum class Ruled : std::uint8_t { outside, by_fixed_rim, by_free_rim };

/// The nodes inside the union of the shapes, none of which cuts out, in parallel.
std::vector<Ruled> nodes_inside(const std::vector<const Shape*>& shapes, const Grid& grid);

/// 1 on the nodes that a cut-out of this shape takes away: those inside, on the rim and, if that is fixed,
/// those that are nearer to it than their neighbour within.
std::vector<std::uint8_t> nodes_covered(const Shape& shape, const Grid& grid, bool fixed);

}  // namespace wavesim
