#pragma once
// Norms in blocked sweeps: each lane of a block adds those of its points, and the lanes' are joined after the last row.

#include <cmath>

#include "kernels/numbers/finite.hpp"
#include "kernels/reduce/reduce.hpp"

namespace wavesim {

/// Norms over the points of a lane. A NaN shows in the squares.
struct LaneNorms {
  double squares = 0, largest = 0;
  HD void add(double r) {
    squares = std::fma(r, r, squares);
    largest = std::fabs(r) > std::fabs(largest) ? r : largest;  // with its sign: an instruction less
  }
  HD Norms norms() const { return {squares, is_nan(squares) ? squares : std::fabs(largest)}; }
};

/// The rows whose right-hand sides a chunk of `rows` rows adds up. Where the front makes a row of right-hand sides
/// `lead` rows before it is at that row with residuals, the norms of both are done at once if slices of right-hand sides lie
/// `lead` rows higher.
struct ReferenceRows {
  int from, count;
};
template <int lead>
HD ReferenceRows reference_rows(int row0, int rows, int ny) {
  const int from = row0 == 0 ? 0 : row0 + lead, to = row0 + rows + lead < ny ? row0 + rows + lead : ny;
  return {from, to > from ? to - from : 0};
}

}  // namespace wavesim
