#pragma once
// The kernels behind the CUDA backend's loops over elements that wait for one another, and over groups of lanes:
// stages, elements in their order, small dense problems. Compiled by nvcc only.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include "kernels/backend/access.hpp"
#include "kernels/backend/cuda_group.hpp"
#include "kernels/backend/cuda_launch.hpp"
#include "kernels/backend/stages.hpp"

namespace wavesim::cuda {

/// Of a block of groups: few, because a lane holds a row of its matrix in registers.
inline constexpr int group_threads = 128;

/// One stage, over many blocks.
template <class F>
__global__ void __launch_bounds__(threads) stage_kernel(int first, int last, Guard guard, F f) {
  if (guard.closed()) return;
  const int k = first + blockIdx.x * threads + threadIdx.x;
  if (k < last) f(k);
}
/// Stages s, s + step, ... that are small, in one block: a barrier costs less than a launch.
inline constexpr int stage_threads = 1024;
template <class F>
__global__ void __launch_bounds__(stage_threads)
    small_stages_kernel(const int* start, int s, int count, int step, Guard guard, F f) {
  if (guard.closed()) return;
  for (; count > 0; --count, s += step) {
    const int k = start[s] + threadIdx.x;
    if (k < start[s + 1]) f(k);
    __syncthreads();
  }
}

/// A thread for each element, which waits for those it depends on (Liu et al. 2016; Fiorentini 2022, 1.2).
/// Blocks take their elements when they start, in ascending order, so that those before them are done or
/// running, whatever order the blocks start in. A thread that has to wait polls in a loop in which the other
/// threads of its warp make progress too, so that it never blocks the one it waits for. done[i] == epoch: f(i)
/// has run and its results are visible.
template <class F>
__global__ void __launch_bounds__(threads) in_order_kernel(int n, bool forward, Dependencies on, int* done,
                                                           int epoch, unsigned* ticket, Guard guard, F f) {
  if (guard.closed()) return;
  __shared__ unsigned block;
  if (threadIdx.x == 0) block = atomicInc(ticket, gridDim.x - 1);
  __syncthreads();
  const int place = int(block) * threads + int(threadIdx.x);
  if (place >= n) return;
  const int i = forward ? place : n - 1 - place;
  volatile int* const flag = done;
  int k = on.start[i];
  const int end = on.start[i + 1];
  for (bool waiting = true; waiting;) {
    while (k < end) {
      const int j = on.neighbour[k];
      if ((forward ? j < i : j > i) && flag[j] != epoch) break;
      ++k;
    }
    if (k == end) {
      __threadfence();  // acquire: what the others wrote before their flags
      f(i);
      __threadfence();
      flag[i] = epoch;
      waiting = false;
    }
  }
}

/// Several groups of W lanes to a warp; the threads of a group return together.
template <int W, class F>
__device__ void run_groups(int count, const Guard& guard, const F& f) {
  if (guard.closed()) return;
  const int k = blockIdx.x * (group_threads / W) + threadIdx.x / W;
  if (k < count) f(Group<W>(threadIdx.x), k);
}
template <int W, class F>
__global__ void __launch_bounds__(group_threads) groups_kernel(int count, Guard guard, F f) {
  run_groups<W>(count, guard, f);
}
/// The same where f says how many blocks should be resident on a multiprocessor, to hide latency.
template <int W, class F>
__global__ void __launch_bounds__(group_threads, F::resident)
    resident_groups_kernel(int count, Guard guard, F f) {
  run_groups<W>(count, guard, f);
}

/// Stages of groups in one cluster of blocks: its barrier costs less than a launch, and orders memory among
/// the blocks.
inline constexpr int cluster_blocks = 8, cluster_threads = 512;
template <int W, class F>
__global__ void __cluster_dims__(cluster_blocks) __launch_bounds__(cluster_threads)
    groups_in_stages_kernel(int stages, Guard guard, F f) {
  if (guard.closed()) return;
  const Group<W> g(threadIdx.x);
  constexpr int each = cluster_threads / W;
  for (int s = 0; s < stages; ++s) {
    const int count = f.groups(s);
    // neighbouring problems go to different multiprocessors
    for (int k = threadIdx.x / W * cluster_blocks + blockIdx.x; k < count; k += each * cluster_blocks)
      f(g, s, k);
    cooperative_groups::this_cluster().sync();
  }
}

}  // namespace wavesim::cuda
