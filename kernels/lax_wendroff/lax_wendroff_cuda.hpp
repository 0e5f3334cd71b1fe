#pragma once
// Passes of steps of eighth order on a GPU: a block of threads goes up a strip of columns (cuda_front.hpp).

#include "kernels/backend/cuda.hpp"
#include "kernels/lax_wendroff/cuda_front.hpp"

namespace wavesim {
namespace cuda {

template <class Shape>
__global__ void __launch_bounds__(temporal::lanes, 2)
    lax_wendroff_kernel(BlockPlan plan, const __grid_constant__ typename Shape::Pass pass, Guard guard) {
  if (guard.closed()) return;
  extern __shared__ __align__(128) unsigned char shared[];
  go_up_in_eighth_order<Shape>(plan, pass, shared);
}

}  // namespace cuda

template <int K, class Pass>
void Cuda::lax_wendroff(const char* label, const Pass& pass) {
  counts_.add(label, pass.bytes(), false);
  if constexpr (K <= lax_wendroff_steps(true)) {
    using Shape = cuda::LaxWendroffShape<K, Pass>;
    const BlockPlan plan = plan_blocks<typename Pass::value>(pass.extent, Shape::halo - 1, blocks_at_once_);
    [[maybe_unused]] static const bool allowed =
        cuda::allow_shared_memory(cuda::lax_wendroff_kernel<Shape>, Shape::bytes);
    cuda::lax_wendroff_kernel<Shape>
        <<<plan.blocks(), temporal::lanes, Shape::bytes, stream_>>>(plan, pass, guard_);
    check(cudaGetLastError());
  }
}

}  // namespace wavesim
