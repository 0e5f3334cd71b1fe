#pragma once
// The kernels behind the loops of the CUDA backend (cuda.hpp): 16-byte loads and stores, tiles of rows, sums
// in a fixed order, stages, elements in their order, groups of lanes. Compiled by nvcc only.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include "kernels/backend/access.hpp"
#include "kernels/backend/cuda_group.hpp"
#include "kernels/backend/stages.hpp"
#include "kernels/reduce/all_gather.hpp"
#include "kernels/reduce/cuda_sum.hpp"
#include "kernels/reduce/reduce.hpp"
#include "kernels/reduce/sum_order.hpp"

namespace wavesim::cuda {

using namespace sum_order;
inline constexpr int threads = lanes;
/// Of a block of groups: few, because a lane holds a row of its matrix in registers.
inline constexpr int group_threads = 128;

struct Guard {
  const int* flag = nullptr;
  int value = 0;
  __device__ bool closed() const { return flag && *flag != value; }
};

/// Which block of the grid, in the order of the data or in reverse. Kernels alternate: a kernel that begins
/// where the last one ended finds some of its data in the cache.
__device__ inline int block_of(bool backwards) {
  return backwards ? int(gridDim.x - 1 - blockIdx.x) : int(blockIdx.x);
}

/// Where a reduction leaves its result, and when the epilogue runs: in the same kernel, or in a launch of its
/// own of that kernel, after the results of all ranks were gathered.
template <class R>
struct Conclusion {
  enum When { at_once, later, now };
  R* out;
  When when = at_once;
  const R* gathered = nullptr;
  int ranks = 0;

  /// Whether this launch is for the epilogue alone, which then has run.
  template <class Epilogue>
  __device__ bool alone(int thread, const Epilogue& epilogue) const {
    if (when != now) return false;
    if (blockIdx.x == 0 && thread == 0) {
      const R result = joined(gathered, ranks);
      *out = result;
      epilogue(result);
    }
    return true;
  }
  template <class Epilogue>
  __device__ void end(const R& result, const Epilogue& epilogue) const {
    *out = result;
    if (when == at_once) epilogue(result);
  }
};

/// Adds the blocks' parts in the order of the data and ends the reduction. Sums are in S: R, or Compensated<R>.
template <class S, class R, class Epilogue>
__device__ void finish(S r, int thread, bool backwards, double* parts, const Conclusion<R>& conclusion,
                       const Epilogue& epilogue) {
  bool all = false;  // a loop of two turns, so that the code of a block sum exists once
#pragma unroll 1
  for (;;) {
    r = block_sum<threads>(r, thread);
    if (all) break;
    if (thread == 0) leave_part(r, parts, block_of(backwards));
    if (blockIdx.x != gridDim.x - 1) return;
    r = join_parts<S, threads>(parts, gridDim.x, thread);
    all = true;
  }
  if (thread == 0) conclusion.end(value_of(r), epilogue);
}

template <class F, class... A>
__global__ void __launch_bounds__(threads) map_kernel(int packs, bool backwards, Guard guard, F f, A... a) {
  constexpr int V = pack_size<A...>();
  if (guard.closed()) return;
  const int k = block_of(backwards) * threads + threadIdx.x;
  if (k >= packs) return;
  Locals<V, A...> v;
  v.load(k * V, a...);
#pragma unroll
  for (int e = 0; e < V; ++e) call(f, v, e);
  v.store(k * V, a...);
}

template <class S, class R, class F, class Epilogue, class... A>
__global__ void __launch_bounds__(threads)
    map_sum_kernel(int packs, bool backwards, Guard guard, double* parts, Conclusion<R> conclusion, F f,
                   Epilogue epilogue, A... a) {
  constexpr int V = pack_size<A...>();
  if (guard.closed() || conclusion.alone(threadIdx.x, epilogue)) return;
  S sum = {};
  for (int k = block_of(backwards) * threads + threadIdx.x; k < packs; k += gridDim.x * threads) {
    Locals<V, A...> v;
    v.load(k * V, a...);
#pragma unroll
    for (int e = 0; e < V; ++e) sum.join(call(f, v, e));
    v.store(k * V, a...);
  }
  finish(sum, threadIdx.x, backwards, parts, conclusion, epilogue);
}

__device__ inline bool on_edge(const Extent& e, int col, int row) {
  return col == 0 || col == e.nx - 1 || row == 0 || row == e.ny - 1;
}

/// Calls g(Locals&, Row) on n rows of this thread from row `row` on: all loads and calls before the first
/// store. `edge` is a constant: without a branch in between, the loads of all rows are in flight together.
template <int n, bool edge, class G, class... A>
__device__ void column(int col, int row, const Extent& e, const G& g, const A&... a) {
  const int first = row * e.pitch + col;
  Locals<1, A...> v[n];
#pragma unroll
  for (int k = 0; k < n; ++k) {
    const Row r{first + k * e.pitch, col, row + k, e.pitch, edge};
    v[k].load(r.i, a...);
    g(v[k], r);
  }
#pragma unroll
  for (int k = 0; k < n; ++k) v[k].store(first + k * e.pitch, a...);
}

/// Calls g(Locals&, Row) on the rows of this thread in a tile. Whether they may lie on an edge that needs
/// care is asked of the tile: its threads agree.
template <class G, class... A>
__device__ void tile_rows(int tile, int tiles_x, const Rows& rows, const G& g, const A&... a) {
  constexpr int height = tile_y * rows_per_lane;
  static_assert(rows_per_lane == 4);  // the rest: 2 + 1
  const Extent& e = rows.extent;
  const int first_col = tile % tiles_x * tile_x, first_row = tile / tiles_x * height;
  const int col = first_col + threadIdx.x, row = first_row + threadIdx.y * rows_per_lane;
  const bool inside =
      first_col > 0 && first_col + tile_x < e.nx && first_row > 0 && first_row + height < e.ny;
  if (!inside && col >= e.nx) return;
  const int there = e.ny - row;
  if (inside || (!rows.edges && there >= rows_per_lane))
    return column<rows_per_lane, false>(col, row, e, g, a...);
  if (there >= rows_per_lane) return column<rows_per_lane, true>(col, row, e, g, a...);
  if (there >= 2) column<2, true>(col, row, e, g, a...);
  if (there > 0 && there % 2 == 1) column<1, true>(col, e.ny - 1, e, g, a...);
}

template <class F, class... A>
__global__ void __launch_bounds__(threads)
    rows_kernel(Rows rows, int tiles_x, bool backwards, Guard guard, F f, A... a) {
  if (guard.closed()) return;
  const auto visit = [&](Locals<1, A...>& v, Row r) { call(f, v, 0, r); };
  tile_rows(block_of(backwards), tiles_x, rows, visit, a...);
}

/// For kernels that only write, such as matrix assembly: non-temporal stores of 16 bytes to each operand.
/// Padding within a pack is written as zero.
template <class F, class... A>
__global__ void __launch_bounds__(threads) rows_out_kernel(Extent e, int across, Guard guard, F f, A... a) {
  constexpr int V = pack_size<A...>();
  if (guard.closed()) return;
  const int col = (blockIdx.x % across * tile_x + threadIdx.x) * V;
  const int row = blockIdx.x / across * tile_y + threadIdx.y;
  if (col >= e.nx || row >= e.ny) return;
  Locals<V, A...> v = {};
#pragma unroll
  for (int k = 0; k < V; ++k)
    if (col + k < e.nx) {
      const Row r{row * e.pitch + col + k, col + k, row, e.pitch, on_edge(e, col + k, row)};
      call(f, v, k, r);
    }
  v.stream(row * e.pitch + col, a...);
}

template <class S, class R, class F, class Epilogue, class... A>
__device__ void rows_sum(const Rows& rows, int tiles_x, int tiles, bool backwards, Guard guard, double* parts,
                         const Conclusion<R>& conclusion, const F& f, const Epilogue& epilogue,
                         const A&... a) {
  const int thread = threadIdx.y * tile_x + threadIdx.x;
  if (guard.closed() || conclusion.alone(thread, epilogue)) return;
  S sum = {};
  const auto visit = [&](Locals<1, A...>& v, Row r) { sum.join(call(f, v, 0, r)); };
  for (int tile = block_of(backwards); tile < tiles; tile += gridDim.x)
    tile_rows(tile, tiles_x, rows, visit, a...);
  finish(sum, thread, backwards, parts, conclusion, epilogue);
}
template <class S, class R, class F, class Epilogue, class... A>
__global__ void __launch_bounds__(threads)
    rows_sum_kernel(Rows rows, int tiles_x, int tiles, bool backwards, Guard guard, double* parts,
                    Conclusion<R> conclusion, F f, Epilogue epilogue, A... a) {
  rows_sum<S>(rows, tiles_x, tiles, backwards, guard, parts, conclusion, f, epilogue, a...);
}
/// The same for kernels that read a matrix, with registers for the loads of four rows in flight: 128 a thread
/// where operands are doubles, 64 where they are floats or where there are none.
template <class... A>
inline constexpr int matrix_blocks = pack_size<A...>() <= 2 ? 2 : 4;
template <class S, class R, class F, class Epilogue, class... A>
__global__ void __launch_bounds__(threads, matrix_blocks<A...>)
    matrix_sum_kernel(Rows rows, int tiles_x, int tiles, bool backwards, Guard guard, double* parts,
                      Conclusion<R> conclusion, F f, Epilogue epilogue, A... a) {
  rows_sum<S>(rows, tiles_x, tiles, backwards, guard, parts, conclusion, f, epilogue, a...);
}

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

template <class F>
__global__ void once_kernel(Guard guard, F f) {
  if (!guard.closed()) f();
}

}  // namespace wavesim::cuda
