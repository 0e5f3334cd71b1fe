#pragma once
// The family of shapes that cut the region of the wave out of the rectangle.
// A new kind is one file in sim/shapes/ and one line in sim/shapes/registry.cpp.

#include <cstdint>

#include "sim/config/section.hpp"
#include "sim/grid.hpp"

namespace wavesim {

struct Shape : Configured {
  std::string edge = "fixed";               // "fixed" | "free": what happens at this shape's rim; a key of every kind
  /// 1 on nodes inside the shape, 0 elsewhere, for all nodes of the grid.
  virtual std::vector<std::uint8_t> inside(const Grid& grid) const = 0;
};

template <> const std::vector<Kind<Shape>>& kinds<Shape>();
template <> std::string_view family<Shape>();

}  // namespace wavesim
