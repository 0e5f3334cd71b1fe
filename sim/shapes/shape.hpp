#pragma once
// The family of shapes that cut the region of the wave out of the rectangle.
// A new kind is one file in sim/shapes/ and one line in sim/shapes/registry.cpp.

#include <cstdint>

#include "sim/config/section.hpp"
#include "sim/model/grid.hpp"

namespace wavesim {

/// All kinds are written flat: {circle: {...}, edge: free}.
///
/// Shape edges are staircases: first order. A node exactly on a rim is not part of the wave, and a fixed rim
/// is put at the nearest node of each grid line (see mask_nodes in geometry.hpp). Along the edges of the
/// rectangle it is the edge that decides: a shape that reaches one, or ends on it, goes on beyond it.
struct Shape : Configured {
  std::string edge = "fixed";  // "fixed" | "free": what happens at this shape's rim; a key of every kind
  /// 1 on nodes inside the shape, 0 elsewhere, for all nodes of the grid.
  virtual std::vector<std::uint8_t> inside(const Grid& grid) const = 0;
  /// 1 on the nodes that {not: shape} takes away, where its rim is fixed or free.
  virtual std::vector<std::uint8_t> covered(const Grid& grid, bool fixed) const = 0;
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
