#pragma once
// What stands between a reduction and its epilogue where the points of a field are shared with other ranks. A
// result is a few doubles with a way to join two of them, which need not be a sum (the largest magnitude, the
// least eigenvalue): so the results of all ranks are gathered, and each rank joins them in the order of the
// ranks. All then have the same bits, whatever joining means.

#include <cstddef>

#include "kernels/backend/hd.hpp"

namespace wavesim {

/// Enqueued in the order of a backend's other work, and may be recorded with it.
struct AllGather {
  virtual ~AllGather() = default;
  virtual int ranks() const = 0;
  /// The result of rank k, `doubles` numbers, goes to all + k * doubles; `own` is this rank's. Both lie in the
  /// backend's memory.
  virtual void gather(const double* own, int doubles, double* all) = 0;
};

template <class R>
inline constexpr int doubles_of = int(sizeof(R) / sizeof(double));

/// The results of all ranks, joined in the order of the ranks.
template <class R>
HD R joined(const R* gathered, int ranks) {
  R all = gathered[0];
  for (int k = 1; k < ranks; ++k) all.join(gathered[k]);
  return all;
}

}  // namespace wavesim
