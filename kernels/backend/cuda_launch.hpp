#pragma once
// What each launch is given beside its work: a guard, and where a reduction ends. Compiled by nvcc only.

#include <cuda_runtime.h>

#include "kernels/backend/cuda_check.hpp"
#include "kernels/comm/peer_leaves.hpp"
#include "kernels/reduce/sum_order.hpp"

namespace wavesim::cuda {

/// Threads of a block.
inline constexpr int threads = sum_order::lanes;

/// Lets blocks of a kernel have so many bytes of shared memory beside those that it declares. To be called once for a kernel:
/// it takes the driver as long as a launch. Returns true.
template <class Kernel>
bool allow_shared_memory(Kernel* kernel, int bytes) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  return true;
}

/// A kernel under a guard does nothing unless *flag == value when it starts.
struct Guard {
  const int* flag = nullptr;
  int value = 0;
  __device__ bool closed() const { return flag && *flag != value; }
};

/// What a memset does, under a guard.
template <class T>
__global__ void zero_kernel(T* to, std::size_t n, Guard guard) {
  if (guard.closed()) return;
  const std::size_t k = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k < n) to[k] = T{};
}

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
