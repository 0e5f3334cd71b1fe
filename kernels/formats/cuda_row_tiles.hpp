#pragma once
// row_tiles.hpp on a GPU: a block of threads for each tile, in one launch. It reads the entries of a tile side by side, and
// leaves them in shared memory with what they are multiplied by, where rows are added up. Compiled by nvcc only.

#include "kernels/backend/cuda.hpp"
#include "kernels/formats/row_tiles.hpp"

namespace wavesim {

namespace cuda {

/// An entry and what it is multiplied by, of N vectors.
template <class T, int N>
struct alignas((N == 1 ? 2 : 1) * sizeof(T)) EntryFactors {
  T a, x[N];
};
/// Places are left free in shared memory, so that rows of 2^k entries begin in different banks.
template <class T>
__device__ constexpr int factors_place(int k) {
  return k + k / int(64 / sizeof(T));
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
  int pieces, long_rows;  // of a group of vectors
};

/// The groups of vectors of a product with one (column_groups.hpp).
template <class T>
struct OneVector {
  const T* x;
  T* y;
  __device__ int size(int) const { return 1; }
  __device__ const T* source(int, int) const { return x; }
  __device__ T* target(int, int) const { return y; }
};

/// A block of threads for a tile and a group of N vectors at most. Threads have pairs of a row and a vector where rows are added up.
template <class T, int N, class Columns>
__global__ void __launch_bounds__(row_tiles::threads)
    row_tiles_kernel(TiledRowsView<T> A, TileWorkspace<T> work, Columns columns, Guard guard) {
  if (guard.closed()) return;
  using namespace row_tiles;
  constexpr int each = capacity / threads;
  static_assert(piece == capacity);
  __shared__ EntryFactors<T, N> factors[factors_place<T>(capacity) + 1];
  __shared__ int longer[capacity / (serial + 1) + 1];  // rows of more than `serial` entries
  __shared__ int many;
  __shared__ T room[N][threads / 32];
  const int t = int(threadIdx.x), group = int(blockIdx.y), vectors = columns.size(group);
  const RowTile tile = work.tile[blockIdx.x];
  const int entries = tile.end - tile.first;

  EntryFactors<T, N> of[each];
  int column[each];
  UNROLL for (int j = 0; j < each; ++j) {
    const int k = t + j * threads;
    of[j].a = k < entries ? __ldcs(A.value + tile.first + k) : T(0);
    column[j] = k < entries ? __ldcs(A.column + tile.first + k) : 0;
  }
  UNROLL for (int v = 0; v < N; ++v) if (v < vectors) {
    const T* const x = columns.source(group, v);
    UNROLL for (int j = 0; j < each; ++j) of[j].x[v] = __ldg(x + column[j]);
  }

  if (tile.end_row < 0) {
    const LongRow row = work.long_row[tile.first_row];
    const auto piece_of = [&](int v) { return work.piece + (group * N + v) * work.pieces + row.first_piece; };
    UNROLL for (int v = 0; v < N; ++v) if (v < vectors) {
      T sum = 0;
      UNROLL for (int j = 0; j < each; ++j) if (t + j * threads < entries) sum =
          std::fma(of[j].a, of[j].x[v], sum);
      sum = sum_over_block(sum, room[v]);
      if (t == 0) piece_of(v)[int(blockIdx.x) - row.first_tile] = sum;
    }
    if (!last_to_arrive(work.arrived + group * work.long_rows + tile.first_row, row.pieces)) return;
    UNROLL for (int v = 0; v < N; ++v) if (v < vectors) {
      T sum = 0;
      for (int n = t; n < row.pieces; n += threads) sum += __ldcg(piece_of(v) + n);
      sum = sum_over_block(sum, room[v]);
      if (t == 0) columns.target(group, v)[row.row] = sum;
    }
    return;
  }

  const int rows = tile.end_row - tile.first_row;
  const auto begin = [&](int i) { return A.start[tile.first_row + i] - tile.first; };
  if (t == 0) many = 0;
  UNROLL for (int j = 0; j < each; ++j) {
    const int k = t + j * threads;
    if (k < entries) factors[factors_place<T>(k)] = of[j];
  }
  __syncthreads();
  const auto plus = [&](T sum, int k, int v) {
    const EntryFactors<T, N>& f = factors[factors_place<T>(k)];
    return std::fma(f.a, f.x[v], sum);
  };
  bool any = false;
  for (int pair = t; pair < rows * N; pair += threads) {
    const int i = pair / N, v = pair % N, from = begin(i), end = begin(i + 1);
    if (v >= vectors) continue;
    if (end - from > serial) {
      if (v == 0) longer[atomicAdd(&many, 1)] = i;  // in any order: rows do not meet
      any = true;
      continue;
    }
    T sum = 0;

#pragma unroll 4
    for (int k = from; k < end; ++k) sum = plus(sum, k, v);
    columns.target(group, v)[tile.first_row + i] = sum;
  }
  if (!__syncthreads_or(any)) return;
  constexpr int teams = threads / lanes_of_row;
  const int team = t / lanes_of_row, lane = t % lanes_of_row, count = many * N;
  for (int base = 0; base < count; base += teams) {
    const int pair = base + team, v = pair % N;
    const bool has = pair < count && v < vectors;
    const int i = has ? longer[pair / N] : -1, from = has ? begin(i) : 0, end = has ? begin(i + 1) : 0;
    T sum = 0;

#pragma unroll 4
    for (int k = from + lane; k < end; k += lanes_of_row) sum = plus(sum, k, v);
    sum = tree_over_lanes<lanes_of_row>(sum);
    if (has && lane == 0) columns.target(group, v)[tile.first_row + i] = sum;
  }
}

template <int N, class T, class Columns>
void launch_row_tiles(Cuda& be, const TiledRowsView<T>& A, const RowTiles<Cuda, T>& tiles, int groups,
                      const Columns& columns) {
  if (tiles.tile.size() == 0) return;
  const TileWorkspace<T> work{tiles.tile.data(),
                              tiles.long_row.data(),
                              tiles.piece.data(),
                              tiles.arrived.data(),
                              int(tiles.piece.size() / row_tiles::most_vectors),
                              int(tiles.long_row.size())};
  row_tiles_kernel<T, N>
      <<<dim3(unsigned(tiles.tile.size()), unsigned(groups)), row_tiles::threads, 0, be.stream()>>>(
          A, work, columns, be.guarding());
  check(cudaGetLastError());
}

}  // namespace cuda

/// y <- A x
template <class T>
void multiply_by_tiles(Cuda& be, const char* label, Extent e, const TiledRowsView<T>& A,
                       const RowTiles<Cuda, T>& tiles, const Field<Cuda, T>& x, Field<Cuda, T>& y) {
  be.counts().add(label, e.own_points() * (A.bytes + 2 * sizeof(T)), false);
  cuda::launch_row_tiles<1>(be, A, tiles, 1, cuda::OneVector<T>{x.data(), y.data()});
}
/// Y <- A X; Columns: ColumnGroups of row_tiles::vectors_of_block.
template <class T, class Columns>
void multiply_by_tiles(Cuda& be, const char* label, Extent e, const TiledRowsView<T>& A,
                       const RowTiles<Cuda, T>& tiles, const Columns& columns) {
  be.counts().add(label, e.own_points() * (A.bytes + 2.0 * columns.count * sizeof(T)), false);
  cuda::launch_row_tiles<Columns::width>(be, A, tiles, columns.groups, columns);
}

}  // namespace wavesim
