#pragma once
// From where shapes lie to which nodes are inside them.
//
// Shapes are taken together as one area before any rim is looked for. A node that is inside none of them but
// on the rim of one is inside the area if shapes fill all sectors round it: there they touch along a line. Of
// shapes that touch in a point some sector is empty.
//
// Nodes on the rim of the area are not part of the wave. Where the rim is fixed and follows the grid in stairs,
// u = 0 holds at the first node that is not: of the two nodes on either side of the rim on a grid line that is to be the nearer one,
// so an inside node that lies nearer to the rim than its neighbour beyond is held as well. The lowest tone of
// a drum of radius 50 h is then 0.1 % sharp; held at the nodes beyond the rim alone it would be 0.6 % flat. A
// free rim lies half a cell beyond the last node inside, which is unbiased as it is.
//
// Nodes on the edges of the rectangle are looked at a millionth of a cell further in, and those in the
// absorbing layers beyond at the nearest point of the rectangle.

#include "sim/shapes/shape.hpp"

namespace wavesim {

using Outlines = std::vector<std::unique_ptr<Outline>>;

/// The union of some shapes. Not to be shared by threads: each makes its own.
class Area {
 public:
  Area(const Outlines& outlines, const Grid& grid);
  Area(const Area& other);

  /// How a point lies to the area.
  struct Found {
    int ruler;    // the shape that has it inside; of several that only together enclose it, the first; or -1
    bool on_rim;  // not inside, but on the rim of a shape
  };
  /// Of a point, metres; it is looked at within the rectangle.
  Found look(double x, double y);

 private:
  double pulled_in(int axis, double v) const;
  /// Whether the point at a small distance in some direction is inside a shape.
  bool filled(double x, double y, double angle);
  /// Whether the middle of each sector between the rims that meet at a point is inside a shape. Sectors of
  /// less than 0.01 are rims that coincide but for rounding.
  bool enclosed(double x, double y);

  Outlines outlines_;
  std::array<double, 2> low_, high_;  // metres
  double probe_;                      // distance of the points that are looked at instead of sectors
  RimDirections rims_;
};

/// Which rim rules a node: that of the first shape in the list that has it inside or on its rim.
enum class Ruled : std::uint8_t { outside, by_fixed_staircase, by_fixed_cut, by_free_rim };

/// The nodes inside the union of the shapes, none of which cuts out, in parallel; in the rows that are computed here.
Array<Ruled> nodes_inside(const std::vector<const Shape*>& shapes, const Grid& grid);

/// Likewise, 1 on the nodes that a cut-out of this shape takes away: those inside, on the rim and, if that is fixed,
/// those that are nearer to it than their neighbour within.
Array<std::uint8_t> nodes_covered(const Shape& shape, const Grid& grid, bool fixed);

}  // namespace wavesim
