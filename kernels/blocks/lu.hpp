#pragma once
// LU factors of a small dense block with implicit partial pivoting, and eager triangular solves (Anzt,
// Dongarra, Flegar, Quintana-Orti, ICPP 2017, "Variable-size batched LU for small matrices and its
// integration into block-Jacobi preconditioning").

#include "kernels/blocks/dense_block.hpp"

namespace wavesim {

/// S <- L (below the diagonal, its own being 1) and U of P B, with the reciprocals of U's diagonal, B being
/// the block in the tile; order[k] <- the row that step k took. A lane has a row.
template <class G, int W>
HD BlockState factorise_lu(const G& g, int n, BlockScratch<W>& scratch, double* S, unsigned char* order) {
  BlockRegisters<G> a(g, n, scratch.tile, scratch.stride, 1);
  ImplicitPivots<G> pivots(g, scratch.order);

  for (int k = 0; k < a.steps; ++k) {
    const int p = pivots.choose(g, k, a.v[0]);
    const double inverse = 1 / g.broadcast(a.v[0], p);
    pivots.set(g, p, inverse);
    LanesOf<G, double> factor;  // 0 leaves rows alone that have been pivots
    g.each([&](auto i) {
      const double f = a.v[0][i] * -inverse;
      factor[i] = pivots.free(i) ? f : 0;
      if (i < n && k < n) scratch.at(i, k) = i == p ? inverse : pivots.free(i) ? -f : a.v[0][i];
    });
    a.add_and_move(g, a.end - 1 - k, factor, p);
  }
  pivots.list(g);

  LanesOf<G, int> lane;
  g.each(n, [&](auto k) {
    lane[k] = scratch.order[k];
    order[k] = static_cast<unsigned char>(lane[k]);
  });
  const LanesOf<G, double> zero = store_block(g, n, S, [&](auto i, int j) { return scratch.at(lane[i], j); });
  return pivots.state(g, zero);
}

/// z <- U^-1 L^-1 P r. Eager: as soon as an unknown is known, the column below (above) it is subtracted,
/// which is read in one piece.
template <class G, class T>
HD void solve_lu(const G& g, int n, const double* S, const unsigned char* order, const T* r, T* z) {
  LanesOf<G, double> x;
  g.each(n, [&](int i) { x[i] = double(r[order[i]]); });
  for (int k = 0; k < n; ++k) {
    const double xk = g.broadcast(x, k);
    g.each(k + 1, n, [&](int i) { x[i] = std::fma(-S[k * n + i], xk, x[i]); });
  }
  for (int k = n - 1; k >= 0; --k) {
    g.each(k, k + 1, [&](int i) { x[i] *= S[k * n + i]; });
    const double xk = g.broadcast(x, k);
    g.each(k, [&](int i) { x[i] = std::fma(-S[k * n + i], xk, x[i]); });
  }
  g.each(n, [&](int i) { z[i] = T(x[i]); });
}

/// z <- B'^-1 r = P' L'^-1 U'^-1 r, with inner products: the factors lie by columns.
template <class G, class T>
HD void solve_lu_transposed(const G& g, int n, const double* S, const unsigned char* order, const T* r,
                            T* z) {
  LanesOf<G, double> x;
  g.each(n, [&](int i) { x[i] = double(r[i]); });
  for (int k = 0; k < n; ++k) {
    LanesOf<G, double> product;
    g.each(k, [&](int i) { product[i] = S[k * n + i] * x[i]; });
    const double known = g.sum(product);
    g.each(k, k + 1, [&](int i) { x[i] = (x[i] - known) * S[k * n + i]; });
  }
  for (int k = n - 1; k >= 0; --k) {
    LanesOf<G, double> product;
    g.each(k + 1, n, [&](int i) { product[i] = S[k * n + i] * x[i]; });
    const double known = g.sum(product);
    g.each(k, k + 1, [&](int i) { x[i] -= known; });
  }
  g.each(n, [&](int i) { z[order[i]] = T(x[i]); });
}

}  // namespace wavesim
