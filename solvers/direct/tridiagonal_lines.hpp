#pragma once
// Batched tridiagonal systems along y, one for each mode of the rows: a transform along x decouples a
// system of five or nine points into these. The matrix of a mode has the diagonal d_j, and -off beside the diagonal.
//
// Elimination and substitution are y_j = rho_j y_(j-1) + scale p_j b_j and x_j = rho_j x_(j+1) + y_j with the
// inverse pivots p_j = 1 / (d_j - off^2 p_(j-1)) and rho_j = off p_j (Thomas 1949). Lines are cut into chunks,
// for three passes. The first solves each chunk with zero inputs, which gives its outputs. The second computes
// the inputs of all chunks one after the other. The third solves each chunk with its inputs and writes x. An
// input is multiplied by products of rho along a chunk, which are at most 1.
//
// Ranks that share out the rows solve the chunks that their rows lie in, with ghost rows; outputs of all chunks are gathered,
// and each rank computes the inputs of all.
//
// In a constant medium the pivots of a mode converge, most of them soon: the map from p_(j-1) to p_j is
// monotone, with rounding too, so they reach a fixed point and stay there. Later chunks need no table.

#include "solvers/direct/tridiagonal_factors.hpp"

namespace wavesim {

/// The response of a chunk to a unit input: `through` reaches the other end, from either side; `back` is what
/// substitution returns. There is one for each slot of the table, then one for settled chunks.
template <class T>
struct ChunkGains {
  RowPair<T>* gains;  // through, back
  const RowPair<T>* inverse;
  const Settled<T>* settled;
  const double* off;
  LineShape shape;
  PivotTable table;

  template <class Width>
  HD void operator()(Width, int first, int slot) const {
    for (int k = first; k < first + Width::value && k < shape.pitch; ++k) {
      const int rows = slot == table.unsettled ? shape.rows(shape.last()) : chunk_rows;
      T y[chunk_rows] = {}, through = 1, back = 0;
      for (int n = 0; n < rows; ++n) y[n] = through *= rho(k, slot, n);
      for (int n = rows - 1; n >= 0; --n) back = std::fma(rho(k, slot, n), back, y[n]);
      gains[slot * shape.pitch + k] = {through, back};
    }
  }
  HD T rho(int k, int slot, int n) const {
    if (slot > table.unsettled) return settled[k].rho;
    const RowPair<T> p = inverse[shape.pair(slot) + n / 2 * shape.pitch + k];
    return T(off[k]) * (n % 2 == 0 ? p.a : p.b);
  }
};

/// One chunk of W lines. `last_pass`: takes inputs from `carries` and writes x. The first pass has zero inputs,
/// and writes outputs to `carries`, that of substitution to b.
template <class T, bool last_pass>
struct SolveChunks {
  RowPair<T>* x;
  RowPair<T>* carries;
  const RowPair<T>* inverse;
  const Settled<T>* settled;
  const T* scale;
  const double* off;
  LineShape shape;
  PivotTable table;
  int first_chunk = 0;

  template <class Width>
  HD void operator()(Width, int first, int piece) const {
    constexpr int W = Width::value;
    const int chunk = first_chunk + piece;
    T p[W], rho[W], s[W], beside[W];
    const bool last = chunk == shape.last();
    bool constant = !last;
    UNROLL for (int w = 0; w < W; ++w) {
      const Settled<T> z = settled[first + w];
      constant = constant && chunk >= z.from;
      p[w] = z.p, rho[w] = z.rho, s[w] = scale[first + w], beside[w] = T(off[first + w]);
    }
    const RowPair<T>* const pivots = inverse +
                                     shape.pair(last       ? table.unsettled
                                                : constant ? 0
                                                           : chunk) +
                                     first;
    if (constant)
      solve<W, true>(first, chunk, Same<W>{s, p, rho});
    else if (last)
      solve<W, false>(first, chunk, Tabled<W>{s, beside, pivots, shape.pitch});
    else
      solve<W, true>(first, chunk, Tabled<W>{s, beside, pivots, shape.pitch});
  }

  template <int W>
  struct Same {
    const T (&s)[W], (&p)[W], (&rho)[W];
    HD T ratio(int, int w) const { return rho[w]; }
    HD T factor(int, int w) const { return s[w] * p[w]; }
  };
  template <int W>
  struct Tabled {
    const T (&s)[W], (&off)[W];
    const RowPair<T>* inverse;
    int pitch;
    HD T pivot(int n, int w) const {
      const RowPair<T>& p = inverse[n / 2 * pitch + w];
      return n % 2 == 0 ? p.a : p.b;
    }
    HD T ratio(int n, int w) const { return off[w] * pivot(n, w); }
    HD T factor(int n, int w) const { return s[w] * pivot(n, w); }
  };

  /// `full`: the chunk has all its rows, a constant for the compiler.
  template <int W, bool full, class Pivots>
  HD void solve(int first, int chunk, const Pivots& pivots) const {
    const int rows = full ? chunk_rows : shape.rows(chunk);
    RowPair<T>* const at = x + shape.pair(chunk) + first;
    RowPair<T>* const carry = carries + chunk * shape.pitch + first;
    T y[chunk_rows][W];
    UNROLL for (int q = 0; q < chunk_pairs; ++q) {
      if (2 * q >= rows) break;
      UNROLL for (int w = 0; w < W; ++w) {
        const RowPair<T> b = at[q * shape.pitch + w];
        y[2 * q][w] = b.a;
        y[2 * q + 1][w] = b.b;
      }
    }
    T v[W];
    UNROLL for (int w = 0; w < W; ++w) v[w] = last_pass ? carry[w].a : T(0);
    UNROLL for (int n = 0; n < chunk_rows; ++n) {
      if (n >= rows) break;
      UNROLL for (int w = 0; w < W; ++w) y[n][w] = v[w] =
          std::fma(pivots.ratio(n, w), v[w], pivots.factor(n, w) * y[n][w]);
    }
    T u[W];
    UNROLL for (int w = 0; w < W; ++w) u[w] = last_pass ? carry[w].b : T(0);
    UNROLL for (int n = chunk_rows - 1; n >= 0; --n) {
      if (n >= rows) continue;
      UNROLL for (int w = 0; w < W; ++w) y[n][w] = u[w] = std::fma(pivots.ratio(n, w), u[w], y[n][w]);
    }
    if constexpr (last_pass) {
      UNROLL for (int q = 0; q < chunk_pairs; ++q) {
        if (2 * q >= rows) break;
        const bool both = 2 * q + 1 < rows;
        UNROLL for (int w = 0; w < W; ++w)
            at[q * shape.pitch + w] = {y[2 * q][w], both ? y[2 * q + 1][w] : T(0)};
      }
    } else {
      UNROLL for (int w = 0; w < W; ++w) carry[w] = {v[w], u[w]};
    }
  }
};

/// From the outputs of the chunks to their inputs, chunk after chunk. `closing`: for cyclic lines, else null.
template <class T>
struct CarryLines {
  RowPair<T>* carries;
  const RowPair<T>* gains;
  const Settled<T>* settled;
  const T* closing;
  LineShape shape;
  PivotTable table;

  template <class Width>
  HD void operator()(Width, int first, int) const {
    for (int k = first; k < first + Width::value && k < shape.pitch; ++k) line(k);
  }
  HD void line(int k) const {
    const int from = settled[k].from, count = shape.chunks();
    const RowPair<T> usual = gains[(table.unsettled + 1) * shape.pitch + k];
    T y = 0, x = 0;
    if (closing) {
      up<false>(k, count, from, usual, y);
      y *= closing[k];
    }
    up<true>(k, count, from, usual, y);
    if (closing) {
      down<false>(k, count, from, usual, x);
      x *= closing[k];
    }
    down<true>(k, count, from, usual, x);
  }

  /// Chunks whose loads are in flight together.
  static constexpr int ahead = 16;
  HD RowPair<T> gain(int k, int chunk, int from, const RowPair<T>& usual) const {
    return chunk < from || chunk == shape.last() ? gains[table.slot(chunk, shape) * shape.pitch + k] : usual;
  }
  template <bool writes>
  HD void up(int k, int count, int from, const RowPair<T>& usual, T& y) const {
    for (int c = 0; c < count; c += ahead) {
      T sent[ahead] = {}, through[ahead] = {};
      UNROLL for (int n = 0; n < ahead; ++n) {
        if (c + n >= count) break;
        sent[n] = carries[(c + n) * shape.pitch + k].a;
        through[n] = gain(k, c + n, from, usual).a;
      }
      UNROLL for (int n = 0; n < ahead; ++n) {
        if (c + n >= count) break;
        if (writes) carries[(c + n) * shape.pitch + k].a = y;
        y = std::fma(through[n], y, sent[n]);
      }
    }
  }
  template <bool writes>
  HD void down(int k, int count, int from, const RowPair<T>& usual, T& x) const {
    for (int c = count - 1; c >= 0; c -= ahead) {
      RowPair<T> in[ahead] = {}, g[ahead] = {};
      UNROLL for (int n = 0; n < ahead; ++n) {
        if (c - n < 0) break;
        in[n] = carries[(c - n) * shape.pitch + k];
        g[n] = gain(k, c - n, from, usual);
      }
      UNROLL for (int n = 0; n < ahead; ++n) {
        if (c - n < 0) break;
        if (writes) carries[(c - n) * shape.pitch + k].b = x;
        x = std::fma(g[n].a, x, std::fma(g[n].b, in[n].a, in[n].b));
      }
    }
  }
};

}  // namespace wavesim
