#pragma once
// What stands between a reduction and its epilogue where the rows of a field are shared out among ranks. A rank has the
// leaves (sum_order.hpp) of its own bands. All leaves are gathered, and each rank joins them like one that has all rows:
// so all ranks have the same bits, and those of one rank alone, whatever joining means (a sum, the largest magnitude,
// the least eigenvalue).

#include <cstddef>

#include "kernels/grid/bands.hpp"

namespace wavesim {

/// Enqueued in the order of a backend's other work, and may be recorded with it.
struct AllGather {
  virtual ~AllGather() = default;
  /// `leaves`, in the backend's memory, has `doubles` numbers for each band, of which those of this rank's bands are
  /// there. The others' are put in their places.
  virtual void gather(double* leaves, const Bands& bands, int doubles) = 0;
};

}  // namespace wavesim
