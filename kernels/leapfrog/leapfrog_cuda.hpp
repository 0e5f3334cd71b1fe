#pragma once
// Passes of several leapfrog steps on a GPU: a block of threads goes up a strip of columns (cuda_front.hpp).

#include "kernels/backend/cuda.hpp"
#include "kernels/leapfrog/cuda_front.hpp"

namespace wavesim {
namespace cuda {

template <int K, class Pass>
__global__ void __launch_bounds__(temporal::lanes, 2)
    leapfrog_kernel(BlockPlan plan, const __grid_constant__ Pass pass, Guard guard) {
  if (guard.closed()) return;
  extern __shared__ __align__(128) unsigned char shared[];
  go_up<LeapfrogShape<K, Pass>>(plan, pass, shared);
}

}  // namespace cuda

template <int K, class Pass>
void Cuda::leapfrog(const char* label, const Pass& pass) {
  counts_.add(label, pass.bytes(), false);
  const BlockPlan plan = plan_blocks<typename Pass::value>(pass.extent, pass.columns, K - 1, blocks_at_once_);
  constexpr int shared = cuda::LeapfrogShape<K, Pass>::bytes;
  [[maybe_unused]] static const bool allowed =
      cuda::allow_shared_memory(cuda::leapfrog_kernel<K, Pass>, shared);
  cuda::leapfrog_kernel<K, Pass><<<plan.blocks(), temporal::lanes, shared, stream_>>>(plan, pass, guard_);
  check(cudaGetLastError());
}

}  // namespace wavesim
