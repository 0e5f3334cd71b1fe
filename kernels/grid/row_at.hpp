#pragma once
// From linear indices back to points.

#include "kernels/grid/extent.hpp"

namespace wavesim {

/// The point whose linear index is i. It may lie on an edge.
HD inline Row row_at(int i, const RowStarts& starts) {
  return {i, i % starts.pitch, starts.row_of(i), starts.pitch, true};
}

}  // namespace wavesim
