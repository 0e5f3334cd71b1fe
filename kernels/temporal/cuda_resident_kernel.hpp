#pragma once
// The kernel of blocked sweeps where a block has all rows of its chunk at once. Compiled by nvcc only.

#include "kernels/temporal/cuda_resident_block.hpp"
#include "kernels/temporal/cuda_slice_sums.hpp"

namespace wavesim::cuda {

/// Whether the device allows a block so much shared memory.
inline bool allows_shared_memory(int bytes) {
  static const int most = [] {
    int device = 0, value = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    return value;
  }();
  return bytes <= most;
}

/// Like LeaveSlice, where whole warps have the lanes of one slice or another.
template <class Result, class R>
struct LeaveSlices {
  static constexpr int halves = int(sizeof(Result) / sizeof(R)), warps = temporal::lanes / 32;
  double* parts;
  R (*of_warps)[halves][warps];  // in shared memory, by slice
  __device__ void lane(int k, int, int lane, const R& of_lane, int half) const {
    const R r = warp_sum(of_lane);
    if (lane % 32 == 0) of_warps[k][half][lane / 32] = r;
  }
  __device__ void slice(int k, int part, int count, int half) const {
    R r = of_warps[k][half][0];
    for (int w = 1; w < count; ++w) r.join(of_warps[k][half][w]);
    leave_part(r, parts, part * halves + half);
  }
};

template <class T, int K, int N, bool from_zero, bool centred, class Medium, class Fields, class Epilogue>
__global__ void __launch_bounds__(
    ResidentPlan<typename Pass<T, K, Medium>::template Plan<Fields, from_zero>, N>::most_threads, 1)
    resident_kernel(const __grid_constant__ SweepPlan plan, ResidentThreads threads, RowStarts starts,
                    const __grid_constant__ Medium medium, const __grid_constant__ Fields fields,
                    const __grid_constant__ SweepCoefficients<T, K> steps,
                    const __grid_constant__ typename Pass<T, K, Medium>::Inside inside, Guard guard,
                    double* parts, unsigned* ticket, Conclusion<typename Fields::Result> conclusion,
                    Epilogue epilogue) {
  if (guard.closed()) return;
  using Plan = ResidentPlan<typename Pass<T, K, Medium>::template Plan<Fields, from_zero>, N>;
  using Leave = LeaveSlices<typename Fields::Result, Norms>;
  extern __shared__ __align__(128) unsigned char shared[];
  __shared__ Norms of_warps[Plan::most_slices][Leave::halves][Leave::warps];
  resident_norms<Plan, centred>(Leave{parts, of_warps}, plan, threads, starts, medium, fields, steps, inside,
                                shared);
  if (threadIdx.x >= temporal::lanes) return;  // sums over blocks take as many as a front has
  join_slices(plan, parts, ticket, conclusion, epilogue);
}

}  // namespace wavesim::cuda
