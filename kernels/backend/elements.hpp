#pragma once
// The elements that a loop goes over one by one, without their neighbours.

#include "kernels/grid/extent.hpp"

namespace wavesim {

/// Those of this rank's rows of a field, padding included, or a list of n.
struct Elements {
  int first, end;
  Extent extent;
  Elements(const Extent& e) : first(e.index(e.first_own, 0)), end(e.index(e.end_own(), 0)), extent(e) {}
  Elements(int n) : first(0), end(n), extent(vector_extent(n)) {}
  int count() const { return end - first; }
};

}  // namespace wavesim
