#pragma once
// The inverse of a small dense block by Gauss-Jordan elimination, in place and with implicit partial pivoting
// (Anzt, Dongarra, Flegar, Quintana-Orti, PMAM 2017, "Batched Gauss-Jordan elimination for block-Jacobi
// preconditioner generation on GPUs").

#include "kernels/blocks/dense_block.hpp"

namespace wavesim {

/// S <- the inverse of the block in the tile, n <= lanes; of a symmetric block to the bit symmetric, as
/// (S + S') / 2. A lane has a row.
template <class G, int W>
HD BlockState invert_gauss_jordan(const G& g, int n, BlockScratch<W>& scratch, bool symmetric, double* S) {
  BlockRegisters<G> a(g, n, scratch.tile, scratch.stride, 1);
  ImplicitPivots<G> pivots(g, scratch.order);

  for (int k = 0; k < a.steps; ++k) {
    const int p = pivots.choose(g, k, a.v[0]);
    const double inverse = 1 / g.broadcast(a.v[0], p);
    pivots.set(g, p, inverse);
    // Subtracts a multiple of row p from each other row, so that column k becomes 0. The k-th column of the
    // inverse, which starts as a unit vector, takes the place of that column. Row p is divided by its pivot at
    // the end.
    LanesOf<G, double> factor, column;
    g.each([&](auto i) {
      const double f = a.v[0][i] * -inverse;
      factor[i] = i == p ? 0 : f;
      column[i] = i == p ? 1 : f;
    });
    a.add_and_move(g, a.end, factor, p);
    a.append(g, column);
  }

  pivots.list(g);

  // With P S = the rows in the order of the steps, lane p has row step[p] of (P S)^-1, and S^-1 is that times
  // P: its column k goes to the place of the k-th pivot.
  LanesOf<G, double> zero;  // but for what is not finite
  UNROLL_REGISTERS for (int j = 0; j < W; ++j) {
    const int k = j - a.place(0);
    if (k < 0 || k >= n) continue;
    const int column = scratch.order[k];
    g.each([&](auto i) {
      a.v[j][i] = pivots.inverse[i] * a.v[j][i] + 0.0;  // no zero has a sign
      zero[i] = std::fma(a.v[j][i], 0.0, zero[i]);
    });
    if (symmetric)
      g.each(n, [&](auto i) { scratch.at(column, pivots.step[i]) = a.v[j][i]; });
    else
      g.each(n, [&](auto i) { S[column * n + pivots.step[i]] = a.v[j][i]; });
  }
  g.sync();
  const BlockState state = pivots.state(g, zero);
  if (!symmetric) return state;
  for (int j = 0; j < n; ++j)
    g.each(n, [&](auto i) { S[j * n + i] = 0.5 * scratch.at(j, i) + 0.5 * scratch.at(i, j); });
  g.sync();
  return state;
}

}  // namespace wavesim
