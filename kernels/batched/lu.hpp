#pragma once
// LU factors of a small dense block with implicit partial pivoting, and eager triangular solves (Anzt,
// Dongarra, Flegar, Quintana-Orti, ICPP 2017, "Variable-size batched LU for small matrices and its
// integration into block-Jacobi preconditioning").

#include "kernels/batched/dense_block.hpp"

namespace wavesim {

/// S <- L (below the diagonal, its own being 1) and U of P S, with the reciprocals of U's diagonal;
/// order[k] <- the row that step k took. A lane has a row.
template <class G>
HD BlockState factorise_lu(const G& g, int n, double* S, unsigned char* order) {
  constexpr int W = G::lanes;
  BlockRegisters<G> a;
  a.load(g, n, S);
  ImplicitPivots<G> pivots(g);
  BlockState state = BlockState::regular;

  UNROLL_REGISTERS for (int k = 0; k < W; ++k) {
    if (k >= n || state != BlockState::regular) continue;
    const int p = pivots.choose(g, k, n, a.v[k]);
    const double pivot = g.broadcast(a.v[k], p), inverse = 1 / pivot;
    state = state_of_pivot(pivot);
    LanesOf<G, double> factor;  // 0 leaves rows alone that have been pivots
    g.each([&](int i) {
      factor[i] = pivots.free(i) ? -a.v[k][i] * inverse : 0;
      a.v[k][i] = i == p ? inverse : pivots.free(i) ? -factor[i] : a.v[k][i];
    });
    UNROLL_REGISTERS for (int j = k + 1; j < W; ++j) {
      if (j >= n) continue;
      const double row_p = g.broadcast(a.v[j], p);
      g.each([&](int i) { a.v[j][i] = std::fma(factor[i], row_p, a.v[j][i]); });
    }
  }
  if (state != BlockState::regular) return state;

  UNROLL_REGISTERS for (int k = 0; k < W; ++k) {
    if (k < n) g.each(n, [&](int i) { S[k * n + pivots.step[i]] = a.v[k][i]; });
  }
  g.each(n, [&](int k) { order[k] = static_cast<unsigned char>(pivots.lane[k]); });
  g.sync();
  return is_finite(g, n, S) ? BlockState::regular : BlockState::not_finite;
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
