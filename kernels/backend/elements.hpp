#pragma once
// The elements that a loop goes over one by one, without their neighbours.

#include "kernels/grid/extent.hpp"

namespace wavesim {

/// All of a field, padding included, or a list of n.
struct Elements {
  int count;
  Extent extent;
  Elements(const Extent& e) : count(e.count()), extent(e) {}
  Elements(int n) : count(n), extent(vector_extent(n)) {}
};

}  // namespace wavesim
