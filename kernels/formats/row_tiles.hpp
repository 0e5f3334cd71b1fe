#pragma once
// Tiles of compressed sparse rows with about as many entries each, for products on a GPU where rows differ widely in length
// (after Merrill & Garland, "Merge-based parallel sparse matrix-vector multiplication", SC 2016, with the cuts of the merge
// path moved to the ends of rows). A tile is as many whole rows as have up to `capacity` entries; a row of more than `longest`
// entries is cut into pieces of `piece` entries. So the work of a block of threads is bounded, short rows have no carries, and
// the order of a row's sum depends on its length alone: row by row, on either processor, it has the same bits. Rows of up to
// `serial` entries have those of the other formats.

#include <vector>

#include "kernels/formats/column_groups.hpp"
#include "kernels/formats/csr.hpp"

namespace wavesim {

namespace row_tiles {

/// The order of the sum of a row of n entries:
///     n <= serial    from left to right
///     n <= longest   sums l of the entries l, l + lanes_of_row, ..., and the tree over them
///     longer         sums t of the entries t, t + threads, ... of each piece, joined as by a block of threads; then so the pieces
inline constexpr int threads = 256, serial = 32, lanes_of_row = 8, capacity = 1024, longest = 512,
                     piece = 1024, warp = 32;
/// Vectors of one launch, and those that a block multiplies the entries of its tile by: more would not fit into its memory.
inline constexpr int most_vectors = 128, vectors_of_block = 4;

/// Of W sums: with halves h = W / 2, W / 4, ..., 1, sum l < h takes l + h. Unrolled (kept in registers) if there are few; on a
/// GPU few long rows are added up row by row.
template <int W, class V>
HD V tree(V (&sums)[W]) {
  if constexpr (W <= lanes_of_row) {
    UNROLL for (int h = W / 2; h > 0; h /= 2) UNROLL for (int l = 0; l < h; ++l) sums[l] =
        add(sums[l], sums[l + h]);
  } else {
    ROLLED for (int h = W / 2; h > 0; h /= 2) ROLLED for (int l = 0; l < h; ++l) sums[l] =
        add(sums[l], sums[l + h]);
  }
  return sums[0];
}
/// Sums l of the elements l, l + step, ... of W lanes, and the tree over them. plus(sum, k): with element k.
template <int W, class V, class F>
HD V sum_of_lanes(int first, int n, int step, const F& plus) {
  V sums[W] = {};
  ROLLED for (int base = first; base < n; base += step) {
    if constexpr (W <= lanes_of_row) {
      UNROLL for (int l = 0; l < W; ++l) if (base + l < n) sums[l] = plus(sums[l], base + l);
    } else {
      ROLLED for (int l = 0; l < W && base + l < n; ++l) sums[l] = plus(sums[l], base + l);
    }
  }
  return row_tiles::tree(sums);
}
/// As a block of threads adds up n elements: each warp's lanes, then warps from left to right.
template <class V, class F>
HD V sum_of_block(int n, const F& plus) {
  V sum = {};
  ROLLED for (int first = 0; first < threads; first += warp) {
    const V of_warp = sum_of_lanes<warp, V>(first, n, threads, plus);
    sum = first == 0 ? of_warp : add(sum, of_warp);
  }
  return sum;
}

}  // namespace row_tiles

/// Rows of `csr`, added up in the order above.
template <class T>
struct TiledRowsView : CsrView<T> {
  template <class X>
  HD ValueOf<X> row(Row r, const X& x) const {
    using namespace row_tiles;
    using V = ValueOf<X>;
    const int first = this->start[r.i], n = this->start[r.i + 1] - first;
    const auto plus = [&](const V& sum, int k) {
      return multiply_add(this->value[first + k], x(this->column[first + k]), sum);
    };
    if (n <= serial) {
      V sum = {};
      for (int k = 0; k < n; ++k) sum = plus(sum, k);
      return sum;
    }
    if (n <= longest) return sum_of_lanes<lanes_of_row, V>(0, n, lanes_of_row, plus);
    return sum_of_block<V>((n + piece - 1) / piece, [&](const V& sum, int p) {
      const int from = p * piece, entries = n - from < piece ? n - from : piece;
      return add(sum, sum_of_block<V>(entries, [&](const V& part, int k) { return plus(part, from + k); }));
    });
  }
};

/// Rows first_row .. end_row - 1 with entries first .. end - 1; a piece: the long row first_row, and end_row -1.
struct alignas(16) RowTile {
  int first_row, end_row, first, end;
};
struct alignas(16) LongRow {
  int row, first_piece, pieces, first_tile;
};

/// How the rows that begin at `start` are cut.
struct RowCuts {
  std::vector<RowTile> tiles;
  std::vector<LongRow> long_rows;
  int pieces = 0;
  explicit RowCuts(const std::vector<int>& start) {
    using namespace row_tiles;
    const int rows = int(start.size()) - 1;
    const auto begin = [&](int i) { return start[std::size_t(i)]; };
    const auto length = [&](int i) { return begin(i + 1) - begin(i); };
    for (int i = 0; i < rows;) {
      if (length(i) > longest) {
        const int before = pieces, index = int(long_rows.size()), tile = int(tiles.size());
        for (int k = begin(i), left = length(i); left > 0; ++pieces) {
          const int entries = std::min(piece, left);
          tiles.push_back({index, -1, k, k + entries});
          k += entries, left -= entries;
        }
        long_rows.push_back({i, before, pieces - before, tile});
        ++i;
        continue;
      }
      int end = i + 1;
      while (end < rows && end - i < capacity && begin(end + 1) - begin(i) <= capacity &&
             length(end) <= longest)
        ++end;
      tiles.push_back({i, end, begin(i), begin(end)});
      i = end;
    }
  }
};

/// The tiles in the backend's memory.
template <class B, class T>
struct RowTiles {
  Buffer<B, RowTile> tile;
  Buffer<B, LongRow> long_row;
  mutable Buffer<B, T> piece;           // sums of pieces, for each vector of a launch
  mutable Buffer<B, unsigned> arrived;  // of these, for each group of vectors; zero between products
  RowTiles() = default;
  RowTiles(B& be, const RowCuts& cuts)
      : tile(be, cuts.tiles.size()),
        long_row(be, cuts.long_rows.size()),
        piece(be, std::size_t(cuts.pieces) * row_tiles::most_vectors),
        arrived(be, cuts.long_rows.size() * row_tiles::most_vectors) {
    tile.upload(cuts.tiles);
    long_row.upload(cuts.long_rows);
  }
};

}  // namespace wavesim

#ifdef __CUDACC__
#include "kernels/formats/cuda_row_tiles.hpp"
#else
#include "kernels/formats/host_row_tiles.hpp"
#endif
