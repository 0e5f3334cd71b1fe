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

}  // namespace wavesim
