#pragma once
// Half a V-cycle on one grid in one pass over memory: temporal blocking of the half-sweeps of red-black
// Gauss-Seidel. Each follows half a cell behind the one before it, in the registers of a group of lanes
// (the wavefronts of Kowarschik & Weiss 2003, "An overview of cache optimization techniques"). Smoothing
// starts from zero, so the iterate before the coarse grid's correction is a function of b alone: the pass up
// computes it again instead of reading it, and x is written once.
//
//   down:  x = (B R)^S 0,  rhs of the coarse grid = P' (b - A x)
//   up:    x = (R B)^S (P e + (B R)^S 0),  and <b, x> if wanted
//
// R and B relax red and black points. The pass down needs its last B for the residual only, which is zero on
// black points after it. In the pass up the first B replaces all black values, so only red points are
// corrected.

#include "solvers/multigrid/wavefront.hpp"

namespace wavesim {

/// The pass down: from b of a grid to the right-hand side of the coarser one. S sweeps of smoothing.
template <int S, class T, class V, class Media>
struct Descend {
  static constexpr int resident = sizeof(T) == 8 ? 5 : 6;  // blocks on a multiprocessor of a GPU (cuda.hpp)
  /// Halo of a strip: cells below and above its own. The later half-sweeps also read S more cells below, before
  /// they have begun; these values are not used.
  static constexpr int below = S, above = S + 1;
  Cells cells;
  Media media;
  const V* b;
  T* coarse;
  Strips strips;

  template <class G>
  HD void operator()(const G& g, int n) const {
    const Strip s = strips.strip(n, cells);
    if (cells.inside(s.k0, s.k0 + G::lanes, s.l - below - S, s.l_end + above))
      wavefront<true>(g, s);
    else
      wavefront<false>(g, s);
  }
  template <bool inside, class G>
  HD void wavefront(const G& g, const Strip& s) const {
    const Wavefront<inside, G, T, Media> m(g, cells, media, s.k0);
    CellRow<G, T> rhs[S + 1] = {}, ahead[2];
    Reds<G, T> red[S] = {};
    Blacks<G, T> black[S] = {};  // of the last: its change
    LanesOf<G, T> r1 = {}, upwards = {}, r1_below;
    m.load(b, s.l - below, ahead[0]);
    m.load(b, s.l - below + 1, ahead[1]);
    const int last = s.l_end + above - 1;
    for (int l = s.l - below; l <= last; ++l) {
      UNROLL for (int d = S; d > 0; --d) rhs[d] = rhs[d - 1];
      rhs[0] = ahead[0];
      ahead[0] = ahead[1];
      if (l + 2 <= last) m.load(b, l + 2, ahead[1]);
      red[0].up();
      m.red_from_zero(l, rhs[0], red[0]);
      UNROLL for (int k = 0; k < S; ++k) {
        black[k].up();
        m.black(l - k, rhs[k], rhs[k + 1], red[k], black[k]);
        if (k + 1 < S) {
          red[k + 1].up();
          m.red(l - k, rhs[k + 1], black[k], red[k + 1]);
        }
      }
      if constexpr (S > 1)
        g.each([&](int lane) {
          black[S - 1].b0[lane] -= black[S - 2].b0_below[lane];
          black[S - 1].b1[lane] -= black[S - 2].b1_below[lane];
        });
      // The residual of red points was zero before the last B, so now it follows from the change by B alone. It
      // contributes to the coarse points of its own row and of the row below.
      LanesOf<G, T> own, own_before, down, down_before;
      const int q = l - S;
      r1_below = r1;
      m.pull_red(q + 1, black[S - 1], [&](int lane, T r0, T to_r1, T, T) {
        const Weights<T> w = m.weights(lane, q);
        r1[lane] = to_r1;
        own[lane] = w.w[3] * r0;
        own_before[lane] = w.w[2] * r0;
        down[lane] = w.w[1] * r0;
        down_before[lane] = w.w[0] * r0;
      });
      own_before = g.next(own_before), down_before = g.next(down_before);
      g.each([&](int lane) {
        const int k = s.k0 + lane, to = q - 1;
        if (to >= s.l && to < s.l_end && k >= s.k && k < s.k_end && k < cells.coarse_nx &&
            to < cells.coarse_ny)
          coarse[to * cells.coarse_pitch + k] =
              r1_below[lane] + upwards[lane] + (down[lane] + down_before[lane]);
        upwards[lane] = own[lane] + own_before[lane];
      });
    }
  }
};

/// Where the pass up leaves <b, x>: a number for each strip's part of 2^log2 rows of cells, so that sums of ranks are cut like
/// those of one. A strip is a whole number of such parts.
struct CellSums {
  double* at = nullptr;  // null: they are not wanted
  int log2 = 0;
  int end = 0;  // rows of cells before it count
  HD bool ends_with(int q, const Strip& s) const {
    return ((q + 1) & ((1 << log2) - 1)) == 0 || q + 1 == s.l_end || q + 1 == end;
  }
};

/// The pass up: x from b and the coarse grid's e, which is null on the coarsest grid.
template <int S, class T, class V, class Media>
struct Ascend {
  static constexpr int halves = 2 * S - 1;  // B and R together
  static constexpr int resident = sizeof(T) == 8 ? 4 : 6;
  static constexpr int below = halves, above = halves;  // and below that the last half-sweep, `halves` behind
  Cells cells;
  Media media;
  const V* b;
  const T* e;
  V* x;
  CellSums sums;
  Strips strips;

  template <class G>
  HD void operator()(const G& g, int n) const {
    const Strip s = strips.strip(n, cells);
    if (cells.inside(s.k0, s.k0 + G::lanes, s.l - below - halves, s.l_end + above))
      wavefront<true>(g, s, n % strips.across);
    else
      wavefront<false>(g, s, n % strips.across);
  }
  template <bool inside, class G>
  HD void wavefront(const G& g, const Strip& s, int column) const {
    const Wavefront<inside, G, T, Media> m(g, cells, media, s.k0);
    CellRow<G, T> rhs[halves + 1] = {}, ahead[2];
    Reds<G, T> red[halves + 1] = {};
    Blacks<G, T> black[halves] = {};
    LanesOf<G, T> e_below, e_here = {}, e_ahead = {};
    LanesOf<G, double> sum = {};
    m.load(b, s.l - below, ahead[0]);
    m.load(b, s.l - below + 1, ahead[1]);
    if (e) {
      load_coarse(m, s.l - below - S, e_here);
      load_coarse(m, s.l - below - S + 1, e_ahead);
    }
    const int last = s.l_end + above - 1;
    for (int l = s.l - below; l <= last; ++l) {
      UNROLL for (int d = halves; d > 0; --d) rhs[d] = rhs[d - 1];
      rhs[0] = ahead[0];
      ahead[0] = ahead[1];
      if (l + 2 <= last) m.load(b, l + 2, ahead[1]);
      if (e) {
        e_below = e_here;
        e_here = e_ahead;
        load_coarse(m, l - (S - 1) + 1, e_ahead);
      }
      red[0].up();
      m.red_from_zero(l, rhs[0], red[0]);
      UNROLL for (int k = 0; k < halves; ++k) {
        black[k].up();
        m.black(l - k, rhs[k], rhs[k + 1], red[k], black[k]);
        red[k + 1].up();
        m.red(l - k, rhs[k + 1], black[k], red[k + 1]);
        if (k + 1 == S - 1 && e) correct(m, l - k - 1, e_here, e_below, red[k + 1]);
      }
      const int q = l - halves;
      if (q < s.l) continue;
      const PointPlace lower = m.line(2 * q), upper = m.line(2 * q + 1);
      g.each([&](int lane) {
        const int k = s.k0 + lane;
        if (k < s.k || k >= s.k_end) return;
        const CellRow<G, T>& bq = rhs[halves];
        const Blacks<G, T>& blacks = black[halves - 1];
        sum[lane] += store(m, lane, 0, lower, red[halves].r0[lane], bq.r0[lane]) +
                     store(m, lane, 1, lower, blacks.b0_below[lane], bq.b0[lane]) +
                     (store(m, lane, 0, upper, blacks.b1[lane], bq.b1[lane]) +
                      store(m, lane, 1, upper, red[halves].r1[lane], bq.r1[lane]));
      });
      if (sums.at && q < sums.end && sums.ends_with(q, s)) {
        const double all = g.sum(sum);
        g.each(1, [&](int) { sums.at[(q >> sums.log2) * strips.across + column] = all; });
        sum = {};
      }
    }
  }
  template <class M, class L>
  HD void load_coarse(const M& m, int l, L& to) const {
    m.g.each([&](int lane) { to[lane] = m.coarse_value(e, m.k0 + lane, l); });
  }
  /// Adds P e to the red points of row l. (Lane 0 has no neighbour to the left; its red points are not used.)
  template <class M, class L, class R>
  HD void correct(const M& m, int l, const L& e_here, const L& e_below, R& red) const {
    static_assert(S > 1);
    const L before = m.g.before(e_here), below_before = m.g.before(e_below);
    m.g.each([&](int lane) {
      const Weights<T> w = m.weights(lane, l);
      const T sum_below = std::fma(w.w[0], below_before[lane], w.w[1] * e_below[lane]);
      red.r0[lane] += std::fma(w.w[3], e_here[lane], std::fma(w.w[2], before[lane], sum_below));
      red.r1[lane] += e_here[lane];
    });
  }
  /// Stores a value; returns its term of <b, x>.
  template <class M>
  HD double store(const M& m, int lane, int side, PointPlace line, T value, T bi) const {
    int i, kind;
    if (!m.point(lane, side, line, i, kind)) return 0;
    x[i] = V(value);
    return double(bi) * double(value);
  }
};

}  // namespace wavesim
