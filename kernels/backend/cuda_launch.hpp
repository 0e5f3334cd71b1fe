#pragma once
// What each launch is given beside its work: a guard, and where a reduction ends. Compiled by nvcc only.

#include <cuda_runtime.h>

#include "kernels/comm/peer_leaves.hpp"
#include "kernels/reduce/sum_order.hpp"

namespace wavesim::cuda {

/// Threads of a block.
inline constexpr int threads = sum_order::lanes;

/// A kernel under a guard does nothing unless *flag == value when it starts.
struct Guard {
  const int* flag = nullptr;
  int value = 0;
  __device__ bool closed() const { return flag && *flag != value; }
};

/// Where a reduction leaves its result, and when it ends: in the same kernel, after ranks with `peers` have brought each other
/// their leaves; or in a launch of its own of that kernel, by one block, after the leaves of all ranks were gathered.
template <class R>
struct Conclusion {
  enum When { at_once, later, now };
  R* out;
  When when = at_once;
  double* leaves = nullptr;  // one for each lane of a block; not used where `when` is at_once
  const LeafPeers* peers = nullptr;
};

}  // namespace wavesim::cuda
