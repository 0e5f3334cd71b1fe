#pragma once
// The sums of blocked sweeps on a GPU (blocked_sweeps_cuda.hpp): of the lanes of a block for each slice, of slices and leaves.
// Compiled by nvcc only.

#include "kernels/backend/cuda.hpp"
#include "kernels/temporal/block_plan.hpp"

namespace wavesim::cuda {

/// Adds the lanes of each warp in a tree, and warps one after the other: the part of a slice of a block. `Result` is of two
/// of R where halves come one by one.
template <class Result>
struct LeaveSlice {
  double* parts;
  template <class R>
  __device__ void operator()(int part, const R& of_lane, int half = 0) const {
    constexpr int halves = int(sizeof(Result) / sizeof(R)), warps = temporal::lanes / 32;
    __shared__ R of_warps[halves][warps];  // the next slice ends some barriers later
    R r = warp_sum(of_lane);
    if (threadIdx.x % 32 == 0) of_warps[half][threadIdx.x / 32] = r;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int w = 1; w < warps; ++w) r.join(of_warps[half][w]);
    leave_part(r, parts, part * halves + half);
  }
};

/// Adds leaves like the lanes of a block.
template <class R, class Epilogue>
__device__ void join_leaves(const R& leaf, R* out, const Epilogue& epilogue) {
  const R sum = block_sum<temporal::lanes>(leaf, threadIdx.x);
  if (threadIdx.x != 0) return;
  *out = sum;
  epilogue(sum);
}
/// Adds the parts of each leaf strip by strip, and leaves: by the block that ends last. Mostly all are resident at once, and
/// one that waited for the parts of others while they work would take a fifth of a pass.
template <class R, class Epilogue>
__device__ void join_slices(const SweepPlan& plan, double* parts, unsigned* ticket,
                            const Conclusion<R>& conclusion, const Epilogue& epilogue) {
  const int thread = threadIdx.x;
  __shared__ bool last;
  // parts may arrive after the ticket: they are waited for
  if (thread == 0) last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  R leaf = join_parts<R, temporal::lanes, 16>(parts, thread, plan.parts_of_leaf(thread),
                                              plan.most_parts_of_leaf());
  if (conclusion.when == Conclusion<R>::later) {
    reinterpret_cast<R*>(conclusion.leaves)[thread] = leaf;
    return;
  }
  if (conclusion.peers)
    leaf = leaf_of_all_ranks(*conclusion.peers, leaf, thread, plan.band_of(thread), plan.bands.count);
  join_leaves(leaf, conclusion.out, epilogue);
}
/// After the leaves of all ranks were gathered.
template <class R, class Epilogue>
__global__ void __launch_bounds__(temporal::lanes)
    join_leaves_kernel(Guard guard, const double* leaves, R* out, Epilogue epilogue) {
  if (guard.closed()) return;
  join_leaves(reinterpret_cast<const R*>(leaves)[threadIdx.x], out, epilogue);
}

}  // namespace wavesim::cuda
