#pragma once
// Products of blocks of vectors: what LOBPCG does beside applying operators. A block is a list of fields of one
// extent, the columns of a tall matrix.

#include <algorithm>
#include <vector>

#include "kernels/backend/column_products.hpp"
#include "kernels/backend/strips.hpp"
#include "kernels/memory/field.hpp"
#include "kernels/reduce/reduce.hpp"
#include "solvers/eigenpairs/small_matrix.hpp"

namespace wavesim {

/// Pointers to the columns, each to its point (0, 0).
template <class T>
using VectorBlock = std::vector<T*>;

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
    const int i = row * pitch + first;
    int j = 0;
    for (; targets - j >= block_tile; j += block_tile) few<block_tile, W>(i, j);
    switch (targets - j) {
      case 3:
        return few<3, W>(i, j);
      case 2:
        return few<2, W>(i, j);
      case 1:
        return few<1, W>(i, j);
      default:
        return;
    }
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

/// Two of them in one pass, the first before the second: what both read is in the cache for the second.
template <class T>
struct BlockCombinations {
  BlockCombination<T> first, second;
  template <int W>
  HD void operator()(Width<W> w, int i, int row) const {
    first(w, i, row);
    second(w, i, row);
  }
};

template <class B, class T>
class BlockPasses {
 public:
  /// X' Y. `symmetric`: Y is X, or A X with a symmetric A.
  struct Product {
    VectorBlock<T> x, y;
    bool symmetric = false;
  };
  /// to = from C, or to += from C; no column is in both.
  struct Combination {
    VectorBlock<T> from;
    SmallMatrix C;
    VectorBlock<T> to;
    bool add = false;
  };

  /// `most`: columns of any block that comes.
  BlockPasses(B& backend, Extent e, int most)
      : be_(backend),
        e_(e),
        from_(backend, 2 * std::size_t(most)),
        to_(backend, 2 * std::size_t(most)),
        c_(backend, 2 * std::size_t(most) * std::size_t(most)),
        tiles_(backend, 2 * std::size_t(tiles(most)) * std::size_t(tiles(most))) {}

  SmallMatrix inner_products(const VectorBlock<T>& x, const VectorBlock<T>& y, bool symmetric = false) {
    return inner_products({{x, y, symmetric}})[0];
  }
  /// One or two, in one pass.
  std::vector<SmallMatrix> inner_products(const std::vector<Product>& wanted) {
    std::vector<BlockTile<T>> all;
    for (const Product& p : wanted)
      each_tile(p, [&](int i, int j, int of_x, int of_y) {
        BlockTile<T>& tile = all.emplace_back();
        tile.of_x = of_x;
        tile.of_y = of_y;
        for (int k = 0; k < block_tile; ++k) {
          tile.x[k] = p.x[std::size_t(i) + std::size_t(std::min(k, of_x - 1))];
          tile.y[k] = p.y[std::size_t(j) + std::size_t(std::min(k, of_y - 1))];
        }
      });
    column_products(be_, "X' Y", e_, all, tiles_.data());
    std::vector<TileSums> sums(all.size());
    be_.download(sums.data(), tiles_.data(), sums.size());
    be_.synchronize();
    std::vector<SmallMatrix> found;
    auto tile = sums.begin();
    for (const Product& p : wanted) {
      SmallMatrix& C = found.emplace_back(int(p.x.size()), int(p.y.size()));
      each_tile(p, [&](int i, int j, int of_x, int of_y) {
        for (int k = 0; k < of_x; ++k)
          for (int l = 0; l < of_y; ++l) {
            if (p.symmetric && j + l > i + k) continue;
            C(i + k, j + l) = tile->v[k * block_tile + l];
            if (p.symmetric) C(j + l, i + k) = C(i + k, j + l);
          }
        ++tile;
      });
    }
    return found;
  }

  /// to = from C; no column is in both.
  void combine(const VectorBlock<T>& from, const SmallMatrix& C, const VectorBlock<T>& to) {
    combine("X C", {{from, C, to, false}});
  }
  /// to += from C; no column is in both.
  void add(const VectorBlock<T>& from, const SmallMatrix& C, const VectorBlock<T>& to) {
    combine("Y += X C", {{from, C, to, true}});
  }
  /// One or two, in this order in one pass.
  void combine(const char* label, const std::vector<Combination>& all) {
    std::vector<const T*> from;
    std::vector<T*> to;
    std::vector<double> c;
    double columns = 0, multiplications = 0;
    BlockCombination<T> part[2] = {};
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Combination& one = all[k];
      part[k] = {from_.data() + from.size(),
                 to_.data() + to.size(),
                 c_.data() + c.size(),
                 int(one.from.size()),
                 int(one.to.size()),
                 e_.pitch,
                 one.add};
      from.insert(from.end(), one.from.begin(), one.from.end());
      to.insert(to.end(), one.to.begin(), one.to.end());
      c.insert(c.end(), one.C.values.begin(), one.C.values.end());
      columns += double(one.from.size()) + double(one.to.size()) * (one.add ? 2 : 1);
      multiplications += double(e_.count()) * double(one.C.values.size());
    }
    if (to.empty()) return;
    from_.upload(from);
    to_.upload(to);
    c_.upload(c);
    const double moved = double(e_.count()) * double(sizeof(T)) * columns;
    strips(be_, label, e_.pitch, e_.ny, moved, BlockCombinations<T>{part[0], part[1]},
           shared_out(multiplications));
  }

 private:
  static int tiles(int columns) { return (columns + block_tile - 1) / block_tile; }
  /// f(first row, first column, rows, columns) of each tile of a product, whose sizes differ by one at most.
  template <class F>
  static void each_tile(const Product& p, const F& f) {
    const int m = int(p.x.size()), n = int(p.y.size()), down = tiles(m), across = tiles(n);
    for (int k = 0; k < down; ++k)
      for (int l = 0; l < (p.symmetric ? k + 1 : across); ++l) {
        const int i = m * k / down, j = n * l / across;
        f(i, j, m * (k + 1) / down - i, n * (l + 1) / across - j);
      }
  }

  B& be_;
  Extent e_;
  Buffer<B, const T*> from_;
  Buffer<B, T*> to_;
  Buffer<B, double> c_;
  Buffer<B, TileSums> tiles_;
};

}  // namespace wavesim
