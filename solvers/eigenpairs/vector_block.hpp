#pragma once
// Products of blocks of vectors: what LOBPCG does beside applying operators. A block is a list of fields of one
// extent, the columns of a tall matrix.

#include <algorithm>
#include <vector>

#include "kernels/backend/strips.hpp"
#include "kernels/memory/field.hpp"
#include "kernels/reduce/reduce.hpp"
#include "solvers/eigenpairs/small_matrix.hpp"

namespace wavesim {

/// Columns of which one pass computes the products with as many others.
inline constexpr int block_tile = 4;

/// Products of a tile. They have no compensated sum: a block of a GPU leaves sixteen numbers at most.
struct TileSums {
  double v[block_tile * block_tile] = {};
  HD void join(const TileSums& o) { UNROLL for (int k = 0; k < block_tile * block_tile; ++k) v[k] += o.v[k]; }
};

/// Pointers to the columns, each to its point (0, 0).
template <class T>
using VectorBlock = std::vector<T*>;

template <class T>
struct BlockTile {
  const T *x[block_tile], *y[block_tile];
  HD TileSums operator()(Row r) const {
    TileSums s;
    UNROLL for (int i = 0; i < block_tile; ++i) UNROLL for (int j = 0; j < block_tile; ++j)
        s.v[i * block_tile + j] = double(x[i][r.i]) * double(y[j][r.i]);
    return s;
  }
};

/// to_j = sum over k of from_k c_kj, or that on top of what to_j is. For W neighbouring elements of a row at once:
/// each of `from` is read into the cache once for all of `to`.
template <class T>
struct BlockCombination {
  const T* const* from;
  T* const* to;
  const double* c;  // count rows of `targets` numbers
  int count, targets, pitch;
  bool add;

  template <int W>
  HD void operator()(Width<W>, int first, int row) const {
    for (int j = 0; j < targets; j += block_tile)
      if (targets - j >= block_tile)
        few<block_tile, W>(row * pitch + first, j);
      else
        for (int k = j; k < targets; ++k) few<1, W>(row * pitch + first, k);
  }

 private:
  template <int N, int W>
  HD void few(int i, int j) const {
    T sum[N][W];
    UNROLL for (int n = 0; n < N; ++n) UNROLL for (int e = 0; e < W; ++e) sum[n][e] =
        add ? to[j + n][i + e] : T(0);
    for (int k = 0; k < count; ++k) {
      const T* const v = from[k] + i;
      UNROLL for (int n = 0; n < N; ++n) {
        const T factor = T(c[k * targets + j + n]);
        UNROLL for (int e = 0; e < W; ++e) sum[n][e] = std::fma(factor, v[e], sum[n][e]);
      }
    }
    UNROLL for (int n = 0; n < N; ++n) UNROLL for (int e = 0; e < W; ++e) to[j + n][i + e] = sum[n][e];
  }
};

template <class B, class T>
class BlockPasses {
 public:
  /// `most`: columns of any block that comes.
  BlockPasses(B& backend, Extent e, int most)
      : be_(backend),
        e_(e),
        from_(backend, std::size_t(most)),
        to_(backend, std::size_t(most)),
        c_(backend, std::size_t(most) * std::size_t(most)),
        tiles_(backend, tiles(most) * tiles(most)) {}

  /// X' Y. `symmetric`: Y is X, or A X with a symmetric A.
  SmallMatrix inner_products(const VectorBlock<T>& x, const VectorBlock<T>& y, bool symmetric = false) {
    const int m = int(x.size()), n = int(y.size());
    std::size_t used = 0;
    for (int i = 0; i < m; i += block_tile)
      for (int j = 0; j < (symmetric ? i + 1 : n); j += block_tile) {
        BlockTile<T> tile;
        for (int k = 0; k < block_tile; ++k) {
          tile.x[k] = x[std::size_t(std::min(i + k, m - 1))];
          tile.y[k] = y[std::size_t(std::min(j + k, n - 1))];
        }
        be_.rows_sum("X' Y", e_, 2.0 * block_tile * sizeof(T), tiles_.data() + used++, tile, NoEpilogue{});
      }
    std::vector<TileSums> sums(used);
    be_.download(sums.data(), tiles_.data(), used);
    be_.synchronize();
    SmallMatrix C(m, n);
    used = 0;
    for (int i = 0; i < m; i += block_tile)
      for (int j = 0; j < (symmetric ? i + 1 : n); j += block_tile, ++used)
        for (int k = 0; k < block_tile; ++k)
          for (int l = 0; l < block_tile; ++l) {
            if (i + k >= m || j + l >= n || (symmetric && j + l > i + k)) continue;
            C(i + k, j + l) = sums[used].v[k * block_tile + l];
            if (symmetric) C(j + l, i + k) = C(i + k, j + l);
          }
    return C;
  }

  /// to = from C; no column is in both.
  void combine(const VectorBlock<T>& from, const SmallMatrix& C, const VectorBlock<T>& to) {
    combine("X C", from, C, to, false);
  }
  /// to += from C; no column is in both.
  void add(const VectorBlock<T>& from, const SmallMatrix& C, const VectorBlock<T>& to) {
    combine("Y += X C", from, C, to, true);
  }

 private:
  static std::size_t tiles(int columns) { return std::size_t((columns + block_tile - 1) / block_tile); }
  void combine(const char* label, const VectorBlock<T>& from, const SmallMatrix& C, const VectorBlock<T>& to,
               bool add) {
    if (to.empty()) return;
    const std::vector<const T*> sources(from.begin(), from.end());
    from_.upload(sources);
    to_.upload(to);
    c_.upload(C.values);
    const double moved =
        double(e_.count()) * double(sizeof(T)) * (double(from.size()) + double(to.size()) * (add ? 2 : 1));
    strips(be_, label, e_.pitch, e_.ny, moved,
           BlockCombination<T>{from_.data(), to_.data(), c_.data(), int(from.size()), int(to.size()),
                               e_.pitch, add});
  }

  B& be_;
  Extent e_;
  Buffer<B, const T*> from_;
  Buffer<B, T*> to_;
  Buffer<B, double> c_;
  Buffer<B, TileSums> tiles_;
};

}  // namespace wavesim
