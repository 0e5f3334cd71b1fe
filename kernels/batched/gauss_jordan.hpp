#pragma once
// The inverse of a small dense block by Gauss-Jordan elimination, in place and with implicit partial pivoting
// (Anzt, Dongarra, Flegar, Quintana-Orti, PMAM 2017, "Batched Gauss-Jordan elimination for block-Jacobi
// preconditioner generation on GPUs").

#include "kernels/batched/dense_block.hpp"

namespace wavesim {

/// S <- S^-1, n <= lanes. A lane has a row.
template <class G>
HD BlockState invert_gauss_jordan(const G& g, int n, double* S) {
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
    // Row p is divided by the pivot; of the others that multiple of it is taken that leaves 0 in column k.
    // The column itself makes room for the k-th column of the inverse, which starts as a unit vector.
    LanesOf<G, double> factor;
    g.each([&](int i) {
      factor[i] = i == p ? inverse : -a.v[k][i] * inverse;
      a.v[k][i] = i == p ? 1 : 0;
    });
    UNROLL_REGISTERS for (int j = 0; j < W; ++j) {
      if (j >= n) continue;
      const double row_p = g.broadcast(a.v[j], p);
      g.each([&](int i) { a.v[j][i] = std::fma(factor[i], row_p, i == p ? 0 : a.v[j][i]); });
    }
  }
  if (state != BlockState::regular) return state;

  // With P S = the rows in the order of the steps, lane p has row step[p] of (P S)^-1, and S^-1 is that times
  // P: its column k goes to the place of the k-th pivot.
  UNROLL_REGISTERS for (int k = 0; k < W; ++k) {
    if (k >= n) continue;
    const int column = g.broadcast(pivots.lane, k);
    g.each(n, [&](int i) { S[column * n + pivots.step[i]] = a.v[k][i]; });
  }
  g.sync();
  return is_finite(g, n, S) ? BlockState::regular : BlockState::not_finite;
}

}  // namespace wavesim
