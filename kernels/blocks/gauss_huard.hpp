#pragma once
// Gauss-Huard elimination of a small dense block, with implicit column pivoting: as many operations as LU,
// but its solve goes through the unknowns once (Huard 1979; Anzt, Dongarra, Flegar, Quintana-Orti, Tomas,
// ICCS 2017, "Variable-size batched Gauss-Huard for block-Jacobi preconditioning").

#include "kernels/blocks/dense_block.hpp"

namespace wavesim {

/// Where the factors lie. Column k down to the diagonal, which a solve reads in one piece, is that of a
/// matrix by columns. The row left of the diagonal is read in one piece as well: the row of k elements fills
/// what column n - 1 - k leaves free.
HD inline int huard_above(int n, int k) { return k * n; }
HD inline int huard_left(int n, int k) { return (n - 1 - k) * n + n - k; }

/// S <- the factors of the block in the tile, with the reciprocals of the pivots; order[k] <- the column that
/// step k took. A lane has a column.
template <class G, int W>
HD BlockState factorise_gauss_huard(const G& g, int n, BlockScratch<W>& scratch, double* S,
                                    unsigned char* order) {
  BlockRegisters<G> a(g, n, scratch.tile, 1, scratch.stride);
  ImplicitPivots<G> pivots(g, scratch.order);
  g.each([&](auto i) { scratch.line[i] = 0; });
  g.sync();

  for (int k = 0; k < a.steps; ++k) {
    // Row k: what the unknowns before it contribute. Row r < k lies at the place first + r.
    const int first = a.end - k;
    LanesOf<G, double> row = a.v[0];
    g.each([&](auto c) {
      if (!pivots.free(c)) scratch.line[first + pivots.step[c]] = -row[c];
    });
    g.sync();
    const LanesOf<G, double> known = a.plus_places(g, first, scratch.line, row);
    g.sync();
    g.each([&](auto c) { row[c] = pivots.free(c) ? known[c] : row[c]; });

    const int p = pivots.choose(g, k, row);
    const double inverse = 1 / g.broadcast(row, p);
    pivots.set(g, p, inverse);
    LanesOf<G, double> factor;  // of the columns that are left
    g.each([&](auto c) {
      row[c] = c == p ? inverse : pivots.free(c) ? row[c] * inverse : row[c];
      factor[c] = pivots.free(c) ? -row[c] : 0;
    });
    // Column p, above row k.
    a.add_and_move(g, a.end, factor, p, first);
    a.append(g, row);
  }

  UNROLL_REGISTERS for (int j = 0; j < W; ++j) {
    const int r = j - a.place(0);
    if (r >= 0 && r < n) g.each(n, [&](auto c) { scratch.at(pivots.step[c], r) = a.v[j][c]; });
  }
  pivots.list(g);
  g.each(n, [&](auto k) { order[k] = static_cast<unsigned char>(scratch.order[k]); });
  g.sync();
  const LanesOf<G, double> zero =
      store_block(g, n, S, [&](auto i, int j) {  // as huard_above and huard_left say
        return i <= j ? scratch.at(j, i) : scratch.at(i - j - 1, n - 1 - j);
      });
  return pivots.state(g, zero);
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
