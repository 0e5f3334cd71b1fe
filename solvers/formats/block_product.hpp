#pragma once
// Y = A X for several vectors with one reading of the matrix for up to eight of them (on a GPU for up to 64): a thread has
// a row, reads each entry of it once and multiplies by the values of its group of vectors, whose sums stay in registers.
//
// The layout of X and Y. Vectors lie one after the other, each on its own, as all other passes want them; a gather of one
// entry is then N loads from N places. Neighbouring rows gather from neighbouring places, and what is read of a line for one
// row is in the cache for the next, so that X is read from memory once: m + 16 k bytes move for a row in double precision, m
// bytes of the matrix and a word of X and of Y for each of k vectors, which is the least. Interleaved vectors (x_j of all N
// side by side) need one load, but have to be made of the others: 16 k more bytes, twice the traffic where rows are short.
// On a core with 2 MB of cache the product of a grid's five points (csr) with 8 vectors takes a third of the time of 8
// products, with interleaving half.
//
// It is the other way round where columns are scattered: where each entry of a row is in a line of its own, of which nothing
// else is used soon, N vectors read N lines of 64 bytes (on a GPU sectors of 32), and interleaved ones one (or two). On that
// core the product of a million rows of five random columns takes two to three times as long as 8 products, with
// interleaving half. So X is interleaved if more than one entry in a row is scattered (scattered_entries.hpp), but not for
// two vectors, and on a CPU not where one vector stays in a core's cache, as it then does for one product after the other.

#include "kernels/backend/rows_in_groups.hpp"
#include "kernels/formats/column_groups.hpp"

namespace wavesim {

/// x(j) of N vectors, each on its own.
template <class T, int N>
struct GatherVectors {
  const T* x[N];
  HD GatherVectors(const ColumnGroups<T, N>& columns, int group) {
    UNROLL for (int v = 0; v < N; ++v) x[v] = columns.source(group, v);
  }
  HD VectorValues<T, N> operator()(int j) const {
    VectorValues<T, N> values;
    UNROLL for (int v = 0; v < N; ++v) values.of[v] = x[v][j];
    return values;
  }
};

/// x(j) of N vectors side by side, a line or a sector or two.
template <class T, int N>
struct InterleavedValues {
  static constexpr int width = 16 / int(sizeof(T)), pieces = N / width;
  struct alignas(16) Piece {  // what a thread of a GPU loads at once
    T of[width];
  };
  Piece* piece;
  HD explicit InterleavedValues(T* all) : piece(reinterpret_cast<Piece*>(all)) {}
  HD VectorValues<T, N> operator()(int j) const {
    VectorValues<T, N> values;
    UNROLL for (int p = 0; p < pieces; ++p) {
      const Piece part = piece[std::ptrdiff_t(j) * pieces + p];
      UNROLL for (int v = 0; v < width; ++v) values.of[p * width + v] = part.of[v];
    }
    return values;
  }
  HD void set(int j, const VectorValues<T, N>& values) const {
    UNROLL for (int p = 0; p < pieces; ++p) {
      Piece part;
      UNROLL for (int v = 0; v < width; ++v) part.of[v] = values.of[p * width + v];
      piece[std::ptrdiff_t(j) * pieces + p] = part;
    }
  }
};

/// Y <- A X over the vectors of one launch.
template <int N, class B, class T, class View>
void product_of_groups(B& be, Rows rows, const View& A, double read, const ColumnGroups<T, N>& columns) {
  rows_in_groups(be, "Y = A X", rows, columns.groups, read, 2.0 * columns.count * sizeof(T),
                 [=] KERNEL(Row r, int group) {
                   columns.store(group, r.i, A.row(r, GatherVectors<T, N>(columns, group)));
                 });
}
/// The same by way of interleaved vectors in `room`, for the rows of lists.
template <int N, class B, class T, class View>
void product_of_interleaved(B& be, const Extent& e, const View& A, double read,
                            const ColumnGroups<T, N>& columns, Buffer<B, T>& room) {
  using Interleaved = InterleavedValues<T, N>;
  const std::size_t n = std::size_t(e.count()) * N, needed = n * std::size_t(columns.groups);
  if (room.size() < needed) room = Buffer<B, T>(be, needed);
  T* const all = room.data();
  rows_in_groups(be, "interleave X", Rows{e, false}, columns.groups, 0, 2.0 * columns.count * sizeof(T),
                 [=] KERNEL(Row r, int group) {
                   Interleaved(all + group * n).set(r.i, GatherVectors<T, N>(columns, group)(r.i));
                 });
  rows_in_groups(
      be, "Y = A X, interleaved", Rows{e, false}, columns.groups, read, 2.0 * columns.count * sizeof(T),
      [=] KERNEL(Row r, int group) { columns.store(group, r.i, A.row(r, Interleaved(all + group * n))); });
}

/// Whether to interleave these vectors, of which rows gather from scattered places, or to multiply one after the other.
template <class B, class T>
bool interleaving_pays(const Extent& e, std::size_t vectors) {
  constexpr double in_cache = B::asynchronous ? 0 : 2 << 20;  // bytes
  return vectors > 2 && double(e.count()) * sizeof(T) > in_cache;
}

}  // namespace wavesim
