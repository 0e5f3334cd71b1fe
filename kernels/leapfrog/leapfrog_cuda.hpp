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

/// What all blocks of a cluster have written is what they read from here on. The block's own barrier is for racecheck, which may
/// not know the cluster's.
__device__ inline void wait_for_cluster() {
  __syncthreads();
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/// Passes one after the other by a cluster of blocks, which has all of the grid.
template <int K, class Pass>
__global__ void __launch_bounds__(temporal::lanes, 2)
    leapfrog_cluster_kernel(BlockPlan plan, const __grid_constant__ Pass pass, int passes, Guard guard) {
  if (guard.closed()) return;
  extern __shared__ __align__(128) unsigned char shared[];
  for (int n = 0; n < passes; ++n) {
    if (n > 0) wait_for_cluster();
    go_up<LeapfrogShape<K, Pass, true>>(plan, pass, shared, n);
    __pipeline_wait_prior(0);
  }
}

}  // namespace cuda

template <int K, class Pass>
void Cuda::leapfrog(const char* label, const Pass& pass) {
  using T = typename Pass::value;
  counts_.add(label, pass.bytes(), false);
  const BlockPlan plan = plan_pass(pass, K, blocks_at_once_);
  constexpr int shared = cuda::LeapfrogShape<K, Pass>::bytes;
  [[maybe_unused]] static const bool allowed =
      cuda::allow_shared_memory(cuda::leapfrog_kernel<K, Pass>, shared);
  cuda::leapfrog_kernel<K, Pass><<<plan.blocks(), plan.lanes<T>(), shared, stream_>>>(plan, pass, guard_);
  check(cudaGetLastError());
}

template <int K, class Pass>
void Cuda::leapfrog_in_turn(const char* label, const Pass& pass, int passes) {
  using T = typename Pass::value;
  counts_.add(label, passes * pass.bytes(), false);
  const BlockPlan plan = plan_pass(pass, K, blocks_at_once_);
  const auto kernel = cuda::leapfrog_cluster_kernel<K, Pass>;
  constexpr int shared = cuda::LeapfrogShape<K, Pass, true>::bytes;
  [[maybe_unused]] static const bool allowed = cuda::allow_shared_memory(kernel, shared);
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {unsigned(plan.blocks()), 1, 1};
  cudaLaunchConfig_t launch{};
  launch.gridDim = unsigned(plan.blocks()), launch.blockDim = unsigned(plan.lanes<T>());
  launch.dynamicSmemBytes = shared, launch.stream = stream_;
  launch.attrs = &cluster, launch.numAttrs = 1;
  check(cudaLaunchKernelEx(&launch, kernel, plan, pass, passes, guard_));
}

}  // namespace wavesim
