#pragma once
// Gauss-Huard elimination of a small dense block, with implicit column pivoting: as many operations as LU,
// but its solve goes through the unknowns once (Huard 1979; Anzt, Dongarra, Flegar, Quintana-Orti, Tomas,
// ICCS 2017, "Variable-size batched Gauss-Huard for block-Jacobi preconditioning").

#include "kernels/batched/dense_block.hpp"

namespace wavesim {

/// Where the factors lie. Column k down to the diagonal, which a solve reads in one piece, is that of a
/// matrix by columns. The row left of the diagonal is read in one piece as well: the row of k elements fills
/// what column n - 1 - k leaves free.
HD inline int huard_above(int n, int k) { return k * n; }
HD inline int huard_left(int n, int k) { return (n - 1 - k) * n + n - k; }

/// S, given by rows, <- the factors, with the reciprocals of the pivots; order[k] <- the column that step k
/// took. A lane has a column.
template <class G>
HD BlockState factorise_gauss_huard(const G& g, int n, double* S, unsigned char* order) {
  constexpr int W = G::lanes;
  BlockRegisters<G> a;  // v[r] of lane c is the element of row r and column c
  a.load(g, n, S);
  ImplicitPivots<G> pivots(g);
  BlockState state = BlockState::regular;

  UNROLL_REGISTERS for (int k = 0; k < W; ++k) {
    if (k >= n || state != BlockState::regular) continue;
    // Row k: what the unknowns before it contribute.
    const LanesOf<G, double> row = a.v[k];
    UNROLL_REGISTERS for (int r = 0; r < k; ++r) {
      const double left = g.broadcast(row, g.broadcast(pivots.lane, r));
      g.each([&](int c) { a.v[k][c] = std::fma(pivots.free(c) ? -left : 0, a.v[r][c], a.v[k][c]); });
    }
    const int p = pivots.choose(g, k, n, a.v[k]);
    const double pivot = g.broadcast(a.v[k], p), inverse = 1 / pivot;
    state = state_of_pivot(pivot);
    LanesOf<G, double> factor;  // of the columns that are left
    g.each([&](int c) {
      a.v[k][c] = c == p ? inverse : pivots.free(c) ? a.v[k][c] * inverse : a.v[k][c];
      factor[c] = pivots.free(c) ? -a.v[k][c] : 0;
    });
    // Column p, above row k.
    UNROLL_REGISTERS for (int r = 0; r < k; ++r) {
      const double above = g.broadcast(a.v[r], p);
      g.each([&](int c) { a.v[r][c] = std::fma(factor[c], above, a.v[r][c]); });
    }
  }
  if (state != BlockState::regular) return state;

  UNROLL_REGISTERS for (int r = 0; r < W; ++r) {
    if (r >= n) continue;
    g.each(n, [&](int c) {
      const int k = pivots.step[c];
      S[r <= k ? huard_above(n, k) + r : huard_left(n, r) + k] = a.v[r][c];
    });
  }
  g.each(n, [&](int k) { order[k] = static_cast<unsigned char>(pivots.lane[k]); });
  g.sync();
  return is_finite(g, n, S) ? BlockState::regular : BlockState::not_finite;
}

/// z <- B^-1 r
template <class G, class T>
HD void solve_gauss_huard(const G& g, int n, const double* S, const unsigned char* order, const T* r, T* z) {
  LanesOf<G, double> x;
  g.each(n, [&](int i) { x[i] = double(r[i]); });
  for (int k = 0; k < n; ++k) {
    const double *left = S + huard_left(n, k), *above = S + huard_above(n, k);
    LanesOf<G, double> product;
    g.each(k, [&](int i) { product[i] = left[i] * x[i]; });
    const double known = g.sum(product), pivot = above[k];
    g.each(k, k + 1, [&](int i) { x[i] = (x[i] - known) * pivot; });
    const double xk = g.broadcast(x, k);
    g.each(k, [&](int i) { x[i] = std::fma(-above[i], xk, x[i]); });
  }
  g.each(n, [&](int i) { z[order[i]] = T(x[i]); });
}

/// z <- B'^-1 r: the transposes of the same steps, from the last to the first.
template <class G, class T>
HD void solve_gauss_huard_transposed(const G& g, int n, const double* S, const unsigned char* order,
                                     const T* r, T* z) {
  LanesOf<G, double> x;
  g.each(n, [&](int i) { x[i] = double(r[order[i]]); });
  for (int k = n - 1; k >= 0; --k) {
    const double *left = S + huard_left(n, k), *above = S + huard_above(n, k);
    LanesOf<G, double> product;
    g.each(k, [&](int i) { product[i] = above[i] * x[i]; });
    const double known = g.sum(product), pivot = above[k];
    g.each(k, k + 1, [&](int i) { x[i] = (x[i] - known) * pivot; });
    const double xk = g.broadcast(x, k);
    g.each(k, [&](int i) { x[i] = std::fma(-left[i], xk, x[i]); });
  }
  g.each(n, [&](int i) { z[i] = T(x[i]); });
}

}  // namespace wavesim
