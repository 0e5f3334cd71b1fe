#pragma once
// The family of shapes that cut the region of the wave out of the rectangle.
// A new kind is one file in sim/shapes/ and one line in sim/shapes/registry.cpp.

#include <cstdint>

#include "sim/config/section.hpp"
#include "sim/grid.hpp"

namespace wavesim {

/// All kinds are written flat: {circle: {...}, edge: free}.
///
/// Shape edges are staircases: first order. A node exactly on a rim is not inside (nor inside what `not`
/// leaves): a circle of radius R with a fixed rim holds the nodes with r >= R, so that the wave vanishes
/// where the circle says, and a wall is never thinner than the nodes it touches. Along the edges of the
/// rectangle it is the edge that decides: a shape that reaches one, or ends on it, goes on beyond it.
struct Shape : Configured {
  std::string edge = "fixed";  // "fixed" | "free": what happens at this shape's rim; a key of every kind
  /// 1 on nodes inside the shape, 0 elsewhere, for all nodes of the grid.
  virtual std::vector<std::uint8_t> inside(const Grid& grid) const = 0;
  /// The same with the nodes exactly on the rim: what {not: shape} takes away.
  virtual std::vector<std::uint8_t> covered(const Grid& grid) const { return inside(grid); }
  /// Whether the shape takes away from the region instead of adding to it.
  virtual bool cuts_out() const { return false; }

 protected:
  /// Reads the key `edge`.
  void rim(Section& s) {
    s("edge", edge,
      {.text = "what holds at the rim: fixed (u = 0) or free (no force)", .choices = {"fixed", "free"}});
  }
};

template <>
const std::vector<Kind<Shape>>& kinds<Shape>();
template <>
std::string_view family<Shape>();

}  // namespace wavesim
