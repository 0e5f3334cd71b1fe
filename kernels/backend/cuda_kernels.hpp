#pragma once
// The kernels behind the loops of the CUDA backend (cuda.hpp): 16-byte loads and stores, tiles of rows, sums
// in a fixed order. Compiled by nvcc only.

#include <cuda_runtime.h>

#include "kernels/backend/access.hpp"
#include "kernels/backend/cuda_launch.hpp"
#include "kernels/reduce/cuda_sum.hpp"
#include "kernels/reduce/reduce.hpp"
#include "kernels/reduce/sum_order.hpp"

namespace wavesim::cuda {

using namespace sum_order;

/// Which block of the grid, in the order of the data or in reverse. Kernels alternate: a kernel that begins
/// where the last one ended finds some of its data in the cache.
__device__ inline int block_of(bool backwards) {
  return backwards ? int(gridDim.x - 1 - blockIdx.x) : int(blockIdx.x);
}

/// A block of a reduction, in a grid of blocks of a band by this rank's bands.
struct BlockPlace {
  int band, block;
  __device__ BlockPlace(const Cut& cut, bool backwards)
      : band(cut.own.first + (backwards ? int(gridDim.y - 1 - blockIdx.y) : int(blockIdx.y))),
        block(block_of(backwards)) {}
};

/// Adds up the lanes of a block, then the blocks' parts in the order of the data (sum_order.hpp), and ends the reduction.
/// Sums are in S: R, or Compensated<R>.
template <class S, class R, class Epilogue>
__device__ void finish(S r, int thread, bool backwards, const Cut& cut, double* parts,
                       const Conclusion<R>& conclusion, const Epilogue& epilogue) {
  using C = Conclusion<R>;
  bool all = conclusion.when == C::now;  // a loop of two turns, so that the code of a block sum exists once
  if (all) r = reinterpret_cast<const S*>(conclusion.leaves)[thread];
#pragma unroll 1
  for (;;) {
    r = block_sum<threads>(r, thread);
    if (all) break;
    if (thread == 0) {
      const BlockPlace at(cut, backwards);
      leave_part(r, parts, cut.part(at.band, at.block));
    }
    if (blockIdx.x != gridDim.x - 1 || blockIdx.y != gridDim.y - 1) return;
    r = join_parts<S, lanes>(parts, thread, cut.parts_of_leaf(thread), cut.most_parts_of_leaf());
    if (conclusion.when == C::later) {
      reinterpret_cast<S*>(conclusion.leaves)[thread] = r;
      return;
    }
    if (conclusion.peers)
      r = leaf_of_all_ranks(*conclusion.peers, r, thread, cut.band_of(thread), cut.bands.count);
    all = true;
  }
  if (thread == 0) {
    const R result = value_of(r);
    *conclusion.out = result;
    epilogue(result);
  }
}

/// Packs from `first` to `end` - 1.
template <class F, class... A>
__global__ void __launch_bounds__(threads)
    map_kernel(int first, int end, bool backwards, Guard guard, F f, A... a) {
  constexpr int V = pack_size<A...>();
  if (guard.closed()) return;
  const int k = first + block_of(backwards) * threads + threadIdx.x;
  if (k >= end) return;
  Locals<V, A...> v;
  v.load(k * V, a...);
#pragma unroll
  for (int e = 0; e < V; ++e) call(f, v, e);
  v.store(k * V, a...);
}

template <class S, class R, class F, class Epilogue, class... A>
__global__ void __launch_bounds__(threads)
    map_sum_kernel(Cut cut, RowStarts starts, int elements, bool backwards, Guard guard, double* parts,
                   Conclusion<R> conclusion, F f, Epilogue epilogue, A... a) {
  constexpr int V = pack_size<A...>();
  if (guard.closed()) return;
  S sum = {};
  if (conclusion.when != Conclusion<R>::now) {
    const BlockPlace at(cut, backwards);
    const int end = min(starts(cut.bands.first_row(at.band + 1)), elements) / V,
              stride = cut.blocks_per_band * threads;
    int k = starts(cut.bands.first_row(at.band)) / V + at.block * threads + int(threadIdx.x);
    const auto visit = [&](Locals<V, A...>& v) {
#pragma unroll
      for (int e = 0; e < V; ++e) sum.join(call(f, v, e));
    };
    constexpr int together = 2;  // loads in flight of a lane
#pragma unroll 1                 // a compiler that unrolls a loop begins it with a division
    for (; k + (together - 1) * stride < end; k += together * stride) {
      Locals<V, A...> v[together];
#pragma unroll
      for (int j = 0; j < together; ++j) v[j].load((k + j * stride) * V, a...);
#pragma unroll
      for (int j = 0; j < together; ++j) visit(v[j]);
#pragma unroll
      for (int j = 0; j < together; ++j) v[j].store((k + j * stride) * V, a...);
    }
#pragma unroll 1
    for (; k < end; k += stride) {
      Locals<V, A...> v;
      v.load(k * V, a...);
      visit(v);
      v.store(k * V, a...);
    }
  }
  finish(sum, threadIdx.x, backwards, cut, parts, conclusion, epilogue);
}

__device__ inline bool on_edge(const Extent& e, int col, int row) {
  return col == 0 || col == e.nx - 1 || row == 0 || row == e.ny - 1;
}

/// Calls g(Locals&, Row) on n rows of this thread from row `row` on: all loads and calls before the first
/// store. `edge` is a constant: without a branch in between, the loads of all rows are in flight together.
template <int n, bool edge, class G, class... A>
__device__ void column(int col, int row, const Extent& e, const G& g, const A&... a) {
  const int first = e.index(row, col);
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

/// Calls g(Locals&, Row) on the rows of this thread in a tile that are this rank's. Whether they may lie on an edge that needs
/// care is asked of the tile: its threads agree.
template <class G, class... A>
__device__ void tile_rows(int tile, int tiles_x, const Rows& rows, const G& g, const A&... a) {
  constexpr int height = tile_y * rows_per_lane;
  const Extent& e = rows.extent;
  const int first_col = tile % tiles_x * tile_x, first_row = tile / tiles_x * height;
  const int col = first_col + threadIdx.x, row = first_row + threadIdx.y * rows_per_lane;
  const bool own = first_row >= e.first_own && first_row + height <= e.own_end,
             inside = own && first_col > 0 && first_col + tile_x < e.nx && first_row > 0 &&
                      first_row + height < e.ny;
  if (!inside && col >= e.nx) return;
  const int from = max(row, e.first_own), end = min(row + rows_per_lane, e.end_own());
  if (inside || (!rows.edges && end - from == rows_per_lane))
    return column<rows_per_lane, false>(col, row, e, g, a...);
  if (end - from == rows_per_lane) return column<rows_per_lane, true>(col, row, e, g, a...);
#pragma unroll 1
  for (int r = from; r < end; ++r) column<1, true>(col, r, e, g, a...);
}

template <class F, class... A>
__global__ void __launch_bounds__(threads)
    rows_kernel(Rows rows, int first_tile, int tiles_x, bool backwards, Guard guard, F f, A... a) {
  if (guard.closed()) return;
  const auto visit = [&](Locals<1, A...>& v, Row r) { call(f, v, 0, r); };
  tile_rows(first_tile + block_of(backwards), tiles_x, rows, visit, a...);
}

/// For kernels that only write, such as matrix assembly: non-temporal stores of 16 bytes to each operand.
/// Padding within a pack is written as zero.
template <class F, class... A>
__global__ void __launch_bounds__(threads) rows_out_kernel(Extent e, int across, Guard guard, F f, A... a) {
  constexpr int V = pack_size<A...>();
  if (guard.closed()) return;
  const int col = (blockIdx.x % across * tile_x + threadIdx.x) * V;
  const int row = e.first_own + blockIdx.x / across * tile_y + threadIdx.y;
  if (col >= e.nx || row >= e.end_own()) return;
  Locals<V, A...> v = {};
#pragma unroll
  for (int k = 0; k < V; ++k)
    if (col + k < e.nx) {
      const Row r{e.index(row, col) + k, col + k, row, e.pitch, on_edge(e, col + k, row)};
      call(f, v, k, r);
    }
  v.stream(e.index(row, col), a...);
}

template <class S, class R, class F, class Epilogue, class... A>
__device__ void rows_sum(const Rows& rows, int tiles_x, const Cut& cut, bool backwards, Guard guard,
                         double* parts, const Conclusion<R>& conclusion, const F& f, const Epilogue& epilogue,
                         const A&... a) {
  const int thread = threadIdx.y * tile_x + threadIdx.x;
  if (guard.closed()) return;
  S sum = {};
  if (conclusion.when != Conclusion<R>::now) {
    const auto visit = [&](Locals<1, A...>& v, Row r) { sum.join(call(f, v, 0, r)); };
    const BlockPlace at(cut, backwards);
    const int end = cut.bands.first_tile(at.band + 1) * tiles_x;
#pragma unroll 1
    for (int tile = cut.bands.first_tile(at.band) * tiles_x + at.block; tile < end;
         tile += cut.blocks_per_band)
      tile_rows(tile, tiles_x, rows, visit, a...);
  }
  finish(sum, thread, backwards, cut, parts, conclusion, epilogue);
}
template <class S, class R, class F, class Epilogue, class... A>
__global__ void __launch_bounds__(threads)
    rows_sum_kernel(Rows rows, int tiles_x, Cut cut, bool backwards, Guard guard, double* parts,
                    Conclusion<R> conclusion, F f, Epilogue epilogue, A... a) {
  rows_sum<S>(rows, tiles_x, cut, backwards, guard, parts, conclusion, f, epilogue, a...);
}
/// The same for kernels that read a matrix, with registers for the loads of four rows in flight: 128 a thread
/// where operands are doubles, 64 where they are floats or where there are none.
template <class... A>
inline constexpr int matrix_blocks = pack_size<A...>() <= 2 ? 2 : 4;
template <class S, class R, class F, class Epilogue, class... A>
__global__ void __launch_bounds__(threads, matrix_blocks<A...>)
    matrix_sum_kernel(Rows rows, int tiles_x, Cut cut, bool backwards, Guard guard, double* parts,
                      Conclusion<R> conclusion, F f, Epilogue epilogue, A... a) {
  rows_sum<S>(rows, tiles_x, cut, backwards, guard, parts, conclusion, f, epilogue, a...);
}

template <class F>
__global__ void once_kernel(Guard guard, F f) {
  if (!guard.closed()) f();
}

}  // namespace wavesim::cuda
