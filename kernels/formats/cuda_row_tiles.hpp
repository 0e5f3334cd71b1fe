#pragma once
// row_tiles.hpp on a GPU: a block of threads for each tile, in one launch. It reads the entries of a tile side by side, and
// leaves them in shared memory with what they are multiplied by, where rows are added up. Compiled by nvcc only.

#include "kernels/backend/cuda.hpp"
#include "kernels/formats/row_tiles.hpp"

namespace wavesim {

namespace cuda {

/// An entry and what it is multiplied by.
template <class T>
struct alignas(2 * sizeof(T)) EntryFactors {
  T a, x;
};
/// A place is left free after each line of shared memory, so that rows of 2^k entries begin in different banks.
template <class T>
__device__ constexpr int factors_place(int k) {
  return k + k / int(128 / sizeof(EntryFactors<T>));
}

/// row_tiles::tree over W neighbouring lanes, in the first of them.
template <int W, class T>
__device__ __forceinline__ T tree_over_lanes(T v) {
  UNROLL for (int h = W / 2; h > 0; h /= 2) v += __shfl_down_sync(0xffffffffu, v, h, W);
  return v;
}
/// row_tiles::sum_of_block of one number of each thread, in thread 0. All threads call it.
template <class T>
__device__ T sum_over_block(T v, T* room) {
  v = tree_over_lanes<32>(v);
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int w = 1; w < row_tiles::threads / 32; ++w) v += room[w];
  return v;
}
/// Whether this block is the last of `count` to come here: it sees what thread 0 of the others has written before.
__device__ inline bool last_to_arrive(unsigned* arrived, int count) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(arrived, 1u) == unsigned(count - 1);
    if (last) *arrived = 0;
    __threadfence();
  }
  __syncthreads();
  return last;
}

template <class T>
struct TileWorkspace {
  const RowTile* tile;
  const LongRow* long_row;
  T* piece;
  unsigned* arrived;
};

template <class T>
__global__ void __launch_bounds__(row_tiles::threads)
    row_tiles_kernel(TiledRowsView<T> A, TileWorkspace<T> work, const T* __restrict__ x, T* __restrict__ y,
                     Guard guard) {
  if (guard.closed()) return;
  using namespace row_tiles;
  constexpr int each = capacity / threads;
  static_assert(piece == capacity);
  __shared__ EntryFactors<T> factors[factors_place<T>(capacity) + 1];
  __shared__ int longer[capacity / (serial + 1) + 1];  // rows of more than `serial` entries
  __shared__ int many;
  __shared__ T room[threads / 32];
  const int t = int(threadIdx.x);
  const RowTile tile = work.tile[blockIdx.x];
  const int entries = tile.end - tile.first;

  EntryFactors<T> v[each];
  int column[each];
  UNROLL for (int j = 0; j < each; ++j) {
    const int k = t + j * threads;
    v[j].a = k < entries ? __ldcs(A.value + tile.first + k) : T(0);
    column[j] = k < entries ? __ldcs(A.column + tile.first + k) : 0;
  }
  UNROLL for (int j = 0; j < each; ++j) v[j].x = __ldg(x + column[j]);

  if (tile.end_row < 0) {
    const LongRow row = work.long_row[tile.first_row];
    T sum = 0;
    UNROLL for (int j = 0; j < each; ++j) if (t + j * threads < entries) sum = std::fma(v[j].a, v[j].x, sum);
    sum = sum_over_block(sum, room);
    if (t == 0) work.piece[row.first_piece + int(blockIdx.x) - row.first_tile] = sum;
    if (!last_to_arrive(work.arrived + tile.first_row, row.pieces)) return;
    sum = 0;
    for (int n = t; n < row.pieces; n += threads) sum += __ldcg(work.piece + row.first_piece + n);
    sum = sum_over_block(sum, room);
    if (t == 0) y[row.row] = sum;
    return;
  }

  const int rows = tile.end_row - tile.first_row;
  const auto begin = [&](int i) { return A.start[tile.first_row + i] - tile.first; };
  if (t == 0) many = 0;
  UNROLL for (int j = 0; j < each; ++j) {
    const int k = t + j * threads;
    if (k < entries) factors[factors_place<T>(k)] = v[j];
  }
  __syncthreads();
  const auto plus = [&](T sum, int k) {
    const EntryFactors<T> f = factors[factors_place<T>(k)];
    return std::fma(f.a, f.x, sum);
  };
  bool any = false;
  for (int i = t; i < rows; i += threads) {
    const int from = begin(i), end = begin(i + 1);
    if (end - from > serial) {
      longer[atomicAdd(&many, 1)] = i;  // in any order: rows do not meet
      any = true;
      continue;
    }
    T sum = 0;

#pragma unroll 4
    for (int k = from; k < end; ++k) sum = plus(sum, k);
    y[tile.first_row + i] = sum;
  }
  if (!__syncthreads_or(any)) return;
  constexpr int groups = threads / lanes_of_row;
  const int group = t / lanes_of_row, lane = t % lanes_of_row, count = many;
  for (int base = 0; base < count; base += groups) {
    const int i = base + group < count ? longer[base + group] : -1, from = i < 0 ? 0 : begin(i),
              end = i < 0 ? 0 : begin(i + 1);
    T sum = 0;

#pragma unroll 4
    for (int k = from + lane; k < end; k += lanes_of_row) sum = plus(sum, k);
    sum = tree_over_lanes<lanes_of_row>(sum);
    if (i >= 0 && lane == 0) y[tile.first_row + i] = sum;
  }
}

}  // namespace cuda

/// y <- A x
template <class T>
void multiply_by_tiles(Cuda& be, const char* label, Extent e, const TiledRowsView<T>& A,
                       const RowTiles<Cuda, T>& tiles, const Field<Cuda, T>& x, Field<Cuda, T>& y) {
  be.counts().add(label, e.own_points() * (A.bytes + 2 * sizeof(T)), false);
  if (tiles.tile.size() == 0) return;
  const cuda::TileWorkspace<T> work{tiles.tile.data(), tiles.long_row.data(), tiles.piece.data(),
                                    tiles.arrived.data()};
  cuda::row_tiles_kernel<<<unsigned(tiles.tile.size()), row_tiles::threads, 0, be.stream()>>>(
      A, work, x.data(), y.data(), be.guarding());
  check(cudaGetLastError());
}

}  // namespace wavesim
