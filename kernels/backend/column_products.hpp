#pragma once
// Inner products of the columns of two tall matrices, a tile of them in one reading of its columns. The order of the sums is
// that of rows_sum (sum_order.hpp) on both backends. On a CPU its loop would keep the sums of a tile beside each other for
// each lane and take them from memory for every row: here the sums of eight lanes are in registers for the rows of a lane.

#include <vector>

#include "kernels/backend/backend.hpp"

namespace wavesim {

/// Whether the threads of a CPU share out so many multiplications of columns: on a busy machine a region of all threads
/// costs as much as 0.1 ms.
inline bool shared_out(double multiplications) { return multiplications > 1 << 20; }

/// Columns of which one pass computes the products with as many others.
inline constexpr int block_tile = 4;

/// Products of a tile. They have no compensated sum: a block of a GPU leaves sixteen numbers at most.
struct TileSums {
  double v[block_tile * block_tile] = {};
  HD void join(const TileSums& o) { UNROLL for (int k = 0; k < block_tile * block_tile; ++k) v[k] += o.v[k]; }
};

/// Columns, each from its point (0, 0). Where a tile has fewer than block_tile, the last one follows again.
template <class T>
struct BlockTile {
  const T *x[block_tile], *y[block_tile];
  int of_x = block_tile, of_y = block_tile;  // how many there are
  HD TileSums operator()(Row r) const {
    TileSums s;
    UNROLL for (int i = 0; i < block_tile; ++i) UNROLL for (int j = 0; j < block_tile; ++j)
        s.v[i * block_tile + j] = double(x[i][r.i]) * double(y[j][r.i]);
    return s;
  }
};

/// Read for a point.
template <class T>
double bytes_of(const BlockTile<T>& tile) {
  return double(tile.of_x + tile.of_y) * sizeof(T);
}

#ifndef __CUDACC__
namespace host {

/// The sums of a block's lanes, of one tile of products.
class LanesOfTile {
 public:
  /// Takes up a tile of rows whose first point is (row, col). `anew`: from zero.
  template <class T>
  void add(const BlockTile<T>& tile, const Extent& e, int row, int col, bool anew) {
    const auto with = [&](auto m) {
      switch (tile.of_y) {
        case 1:
          return add<m(), 1>(tile, e, row, col, anew);
        case 2:
          return add<m(), 2>(tile, e, row, col, anew);
        case 3:
          return add<m(), 3>(tile, e, row, col, anew);
        default:
          return add<m(), 4>(tile, e, row, col, anew);
      }
    };
    switch (tile.of_x) {
      case 1:
        return with(Width<1>{});
      case 2:
        return with(Width<2>{});
      case 3:
        return with(Width<3>{});
      default:
        return with(Width<4>{});
    }
  }
  /// Joined as block_sum does.
  template <class T>
  TileSums sum(const BlockTile<T>& tile) {
    TileSums s;
    for (int i = 0; i < tile.of_x; ++i)
      for (int j = 0; j < tile.of_y; ++j) s.v[i * block_tile + j] = sum_of(of_[i * block_tile + j]);
    return s;
  }

 private:
  template <int M, int N, class T>
  void add(const BlockTile<T>& tile, const Extent& e, int row, int col, bool anew) {
    using namespace sum_order;
    const int columns = std::min(e.nx - col, tile_x);
    for (int y = 0; y < tile_y; ++y) {
      const int first = row + y * rows_per_lane, rows = std::min(e.ny - first, rows_per_lane);
      const int lane = y * tile_x;
      if (anew && (rows < rows_per_lane || columns < tile_x))
        for (auto& sums : of_) std::fill_n(sums + lane, tile_x, 0.0);
      const bool whole = anew && columns == tile_x;
      if (rows == rows_per_lane)
        whole ? add_rows<M, N, rows_per_lane, true>(tile, e.index(first, col), e.pitch, lane, columns)
              : add_rows<M, N, rows_per_lane, false>(tile, e.index(first, col), e.pitch, lane, columns);
      else
        for (int r = 0; r < rows; ++r)
          add_rows<M, N, 1, false>(tile, e.index(first + r, col), e.pitch, lane, columns);
    }
  }
  template <int M, int N, int rows, bool anew, class T>
  void add_rows(const BlockTile<T>& tile, int at, int pitch, int lane, int columns) {
    SIMD for (int t = 0; t < columns; ++t) {
      double s[M * N];
      UNROLL for (int k = 0; k < M * N; ++k) s[k] = anew ? 0 : of_[k / N * block_tile + k % N][lane + t];
      UNROLL for (int r = 0; r < rows; ++r) {
        double x[M], y[N];
        UNROLL for (int i = 0; i < M; ++i) x[i] = double(tile.x[i][at + r * pitch + t]);
        UNROLL for (int j = 0; j < N; ++j) y[j] = double(tile.y[j][at + r * pitch + t]);
        UNROLL for (int k = 0; k < M * N; ++k) s[k] += x[k / N] * y[k % N];
      }
      UNROLL for (int k = 0; k < M * N; ++k) of_[k / N * block_tile + k % N][lane + t] = s[k];
    }
  }
  static double sum_of(double* v) {
    constexpr int lanes = sum_order::lanes;
    for (int warp = 0; warp < lanes; warp += 32)
      UNROLL for (int offset = 16; offset > 0; offset /= 2) UNROLL for (int t = 0; t < offset; ++t)
          v[warp + t] += v[warp + t + offset];
    double sum = v[0];
    for (int warp = 32; warp < lanes; warp += 32) sum += v[warp];
    return sum;
  }

  alignas(cache_line) double of_[block_tile * block_tile][sum_order::lanes];
};
}  // namespace host

/// out[k] = the products of tiles[k].
template <class T>
void column_products(Host& be, const char* label, const Extent& e, const std::vector<BlockTile<T>>& tiles,
                     TileSums* out) {
  using namespace sum_order;
  const Cut cut = cut_rows(e);
  const int across = tiles_x(e), each = cut.blocks_per_band;
  const std::size_t count = tiles.size(), blocks = std::size_t(cut.blocks());
  std::vector<TileSums> partial(count * blocks);
#pragma omp parallel for schedule( \
    static) if (shared_out(e.own_points() * block_tile * block_tile * double(count)))
  for (int b = cut.own.first * each; b < cut.own.end * each; ++b) {
    host::LanesOfTile lanes;
    const int band = b / each, end = cut.bands.first_tile(band + 1) * across,
              first = cut.bands.first_tile(band) * across + b % each;
    if (first >= end) continue;
    for (std::size_t k = 0; k < count; ++k) {
      for (int tile = first; tile < end; tile += each)
        lanes.add(tiles[k], e, tile / across * Bands::tile_height, tile % across * tile_x, tile == first);
      partial[k * blocks + std::size_t(b)] = lanes.sum(tiles[k]);
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    be.counts().add(label, e.own_points() * bytes_of(tiles[k]), true);
    be.conclude(cut, partial.data() + k * blocks, e, out + k, NoEpilogue{});
  }
}
#else
template <class T>
void column_products(Cuda& be, const char* label, const Extent& e, const std::vector<BlockTile<T>>& tiles,
                     TileSums* out) {
  for (const BlockTile<T>& tile : tiles) be.rows_sum(label, e, bytes_of(tile), out++, tile, NoEpilogue{});
}
#endif

}  // namespace wavesim
