#pragma once
// Passes of several leapfrog steps on a GPU: a block of threads goes up a strip of columns (cuda_front.hpp).

#include "kernels/backend/cuda.hpp"
#include "kernels/leapfrog/cuda_front.hpp"
#include "kernels/leapfrog/layers_cuda.hpp"

namespace wavesim {
namespace cuda {

template <int K, class Pass>
__global__ void __launch_bounds__(temporal::lanes, 2)
    leapfrog_kernel(BlockPlan plan, const __grid_constant__ Pass pass, Guard guard) {
  if (guard.closed()) return;
  extern __shared__ __align__(128) unsigned char shared[];
  go_up<LeapfrogShape<K, Pass>>(plan, pass, shared);
}

/// What all blocks of a cluster have written is what they read from here on.
__device__ inline void wait_for_cluster() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/// Passes one after the other by a cluster of blocks, which has all of the grid. `Work`: a pass, or that and what lies around it.
template <int K, class Pass, class Work>
__global__ void __launch_bounds__(temporal::lanes, 2)
    leapfrog_cluster_kernel(BlockPlan plan, const __grid_constant__ Work work, int passes, Guard guard) {
  if (guard.closed()) return;
  extern __shared__ __align__(128) unsigned char shared[];
  constexpr bool layered = !std::is_same_v<Work, Pass>;
  const Pass& pass = pass_of(work);
  for (int n = 0; n < passes; ++n) {
    if (n > 0) wait_for_cluster();
    go_up<LeapfrogShape<K, Pass, true>>(plan, pass, shared, n);
    __pipeline_wait_prior(0);
    if constexpr (layered) step_tiles(work, n, shared);
  }
}

}  // namespace cuda

template <int K, class Pass>
void Cuda::leapfrog(const char* label, const Pass& pass) {
  using T = typename Pass::value;
  counts_.add(label, pass.bytes(), false);
  const BlockPlan plan = plan_blocks<T>(pass.extent, pass.columns, K - 1, blocks_at_once_);
  constexpr int shared = cuda::LeapfrogShape<K, Pass>::bytes;
  [[maybe_unused]] static const bool allowed =
      cuda::allow_shared_memory(cuda::leapfrog_kernel<K, Pass>, shared);
  cuda::leapfrog_kernel<K, Pass><<<plan.blocks(), plan.lanes<T>(), shared, stream_>>>(plan, pass, guard_);
  check(cudaGetLastError());
}

template <int K, class Work>
void Cuda::leapfrog_in_turn(const char* label, const Work& work, int passes) {
  const auto& pass = cuda::pass_of(work);
  using Pass = std::remove_cvref_t<decltype(pass)>;
  using T = typename Pass::value;
  counts_.add(label, passes * cuda::bytes_of_pass(work), false);
  const BlockPlan plan = plan_blocks<T>(pass.extent, pass.columns, K - 1, blocks_at_once_);
  const auto kernel = cuda::leapfrog_cluster_kernel<K, Pass, Work>;
  const int shared = std::max(cuda::LeapfrogShape<K, Pass, true>::bytes, cuda::bytes_of_tiles(work));
  [[maybe_unused]] static const bool allowed = cuda::allow_shared_memory(kernel, cuda::most_of_two_blocks);
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {unsigned(plan.blocks()), 1, 1};
  cudaLaunchConfig_t launch{};
  launch.gridDim = unsigned(plan.blocks()), launch.blockDim = unsigned(plan.lanes<T>());
  launch.dynamicSmemBytes = std::size_t(shared), launch.stream = stream_;
  launch.attrs = &cluster, launch.numAttrs = 1;
  check(cudaLaunchKernelEx(&launch, kernel, plan, work, passes, guard_));
}

}  // namespace wavesim
