#pragma once
// A whole half of a V-cycle on one grid in one pass over memory. Cells stream upwards through the half-sweeps
// of red-black Gauss-Seidel, each half a cell behind the one before it, in the registers of a group of lanes
// (the wavefronts of Kowarschik & Weiss 2003, "An overview of cache optimization techniques"). Smoothing
// starts from zero, so that what comes before the coarse grid's correction is a function of b alone: the way
// up computes it again instead of reading it, and x is written once.
//
//   down:  x = (B R)^S 0,  rhs of the coarse grid = P' (b - A x)
//   up:    x = (R B)^S (P e + (B R)^S 0),  and <b, x> if wanted
//
// R and B relax red and black points. The last B on the way down is only needed for the residual, which is
// zero on black points after it; on the way up the first B replaces all black values, so that only red ones
// are corrected.

#include "kernels/host_group.hpp"
#include "solvers/multigrid/bonds.hpp"

#ifndef MG_D
#define MG_D 5
#define MG_A 4
#endif
namespace wavesim {

/// Values on the cells of a row.
template <class G, class T>
struct CellRow {
  LanesOf<G, T> r0, b0, b1, r1;
};

/// What a half-sweep has made of the red points of a row of cells, and of the row below.
template <class G, class T>
struct Reds {
  LanesOf<G, T> r0, r1, r0_below, r1_below;
  HD void up() { r0_below = r0, r1_below = r1; }
};
/// The same for black points: b1 is a row behind b0, for it needs r0 of the row above.
template <class G, class T>
struct Blacks {
  LanesOf<G, T> b0, b1, b0_below, b1_below;
  HD void up() { b0_below = b0, b1_below = b1; }
};

/// One piece of a strip. T: of the arithmetic.
template <bool inside, class G, class T, class Media>
struct March {
  using Lanes = LanesOf<G, T>;
  const G& g;
  const Cells& cells;
  const Media& media;
  int k0;

  HD bool point(int u, int v, Row& r) const { return cells.template point<inside>(u, v, r); }
  /// Of a point that does not exist: none.
  HD Bonds<T> bonds(int u, int v) const {
    Row r;
    return point(u, v, r) ? media.template at<inside>(r) : Bonds<T>{};
  }
  template <class V>
  HD T value(const V* f, int u, int v) const {
    Row r;
    return point(u, v, r) ? T(f[r.i]) : T(0);
  }
  template <class V>
  HD void load(const V* f, int l, CellRow<G, T>& to) const {
    g.each([&](int lane) {
      const int u = 2 * (k0 + lane), v = 2 * l;
      to.r0[lane] = value(f, u, v);
      to.b0[lane] = value(f, u + 1, v);
      to.b1[lane] = value(f, u, v + 1);
      to.r1[lane] = value(f, u + 1, v + 1);
    });
  }
  HD static T pulled(const Bonds<T>& c, T south, T west, T east, T north) {
    return std::fma(c.north, north, std::fma(c.east, east, std::fma(c.west, west, c.south * south)));
  }
  /// Red points of row l from zero.
  HD void red_from_zero(int l, const CellRow<G, T>& b, Reds<G, T>& x) const {
    g.each([&](int lane) {
      const int u = 2 * (k0 + lane), v = 2 * l;
      x.r0[lane] = b.r0[lane] * bonds(u, v).inverse;
      x.r1[lane] = b.r1[lane] * bonds(u + 1, v + 1).inverse;
    });
  }
  /// b0 of row l and b1 of the row below it from the red points of both. b_below: the right-hand side there.
  HD void black(int l, const CellRow<G, T>& b, const CellRow<G, T>& b_below, const Reds<G, T>& red,
                Blacks<G, T>& x) const {
    const Lanes east = g.next(red.r0), west = g.before(red.r1_below);
    g.each([&](int lane) {
      const int u = 2 * (k0 + lane), v = 2 * l;
      const Bonds<T> c0 = bonds(u + 1, v), c1 = bonds(u, v - 1);
      x.b0[lane] =
          c0.inverse * (b.b0[lane] + pulled(c0, red.r1_below[lane], red.r0[lane], east[lane], red.r1[lane]));
      x.b1[lane] = c1.inverse * (b_below.b1[lane] + pulled(c1, red.r0_below[lane], west[lane],
                                                           red.r1_below[lane], red.r0[lane]));
    });
  }
  /// f(lane, what black neighbours add to r0, to r1, inverse diagonals of both) on the row below l.
  template <class F>
  HD void pull_red(int l, const Blacks<G, T>& black, const F& f) const {
    const Lanes west = g.before(black.b0_below), east = g.next(black.b1);
    g.each([&](int lane) {
      const int u = 2 * (k0 + lane), v = 2 * (l - 1);
      const Bonds<T> c0 = bonds(u, v), c1 = bonds(u + 1, v + 1);
      f(lane, pulled(c0, black.b1_below[lane], west[lane], black.b0_below[lane], black.b1[lane]),
        pulled(c1, black.b0_below[lane], black.b1[lane], east[lane], black.b0[lane]), c0.inverse, c1.inverse);
    });
  }
  HD void red(int l, const CellRow<G, T>& b_below, const Blacks<G, T>& black, Reds<G, T>& x) const {
    pull_red(l, black, [&](int lane, T to_r0, T to_r1, T inverse0, T inverse1) {
      x.r0[lane] = inverse0 * (b_below.r0[lane] + to_r0);
      x.r1[lane] = inverse1 * (b_below.r1[lane] + to_r1);
    });
  }
  HD Weights<T> weights(int k, int l) const {
    Row r;
    return point(2 * k, 2 * l, r) ? media.template weights<inside>(r, cells, k, l) : Weights<T>{};
  }
  HD T coarse_value(const T* e, int k, int l) const {
    int j;
    return cells.template coarse<inside>(k, l, j) ? e[j] : T(0);
  }
};

/// The way down: b of a grid to the right-hand side of the coarser one. S sweeps of smoothing.
template <int S, class T, class V, class Media>
struct Descend {
  static constexpr int resident = sizeof(T) == 8 ? MG_D : 6;  // blocks of it that hide one another's waits
  /// Cells below and above its own that a strip looks at.
  static constexpr int below = S, above = S + 1;
  Cells cells;
  Media media;
  const V* b;
  T* coarse;
  Strips strips;

  template <class G>
  HD void operator()(const G& g, int n) const {
    const Strip s = strips.strip(n, cells);
    if (cells.inside(s.k0, s.k0 + G::lanes, s.l - below, s.l_end + above))
      march<true>(g, s);
    else
      march<false>(g, s);
  }
  template <bool inside, class G>
  HD void march(const G& g, const Strip& s) const {
    const March<inside, G, T, Media> m{g, cells, media, s.k0};
    CellRow<G, T> rhs[S + 1] = {}, ahead[2];
    Reds<G, T> red[S] = {};
    Blacks<G, T> black[S] = {};  // the last: how much it changed
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
      // The residual of red points was zero before the last B: what that changed is all of it now. It goes to
      // the coarse points of its own row and of the row below.
      LanesOf<G, T> own, own_before, down, down_before;
      const int q = l - S;
      r1_below = r1;
      m.pull_red(q + 1, black[S - 1], [&](int lane, T r0, T to_r1, T, T) {
        const Weights<T> w = m.weights(s.k0 + lane, q);
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

/// The way up: x from b and the coarse grid's e; null: from b alone, on the coarsest grid. With <b, x> of
/// each strip in `sums` unless that is null.
template <int S, class T, class V, class Media>
struct Ascend {
  static constexpr int halves = 2 * S - 1;  // B and R together
  static constexpr int resident = sizeof(T) == 8 ? MG_A : 6;
  static constexpr int below = halves, above = halves;
  Cells cells;
  Media media;
  const V* b;
  const T* e;
  V* x;
  double* sums;
  Strips strips;

  template <class G>
  HD void operator()(const G& g, int n) const {
    const Strip s = strips.strip(n, cells);
    LanesOf<G, double> sum = {};
    if (cells.inside(s.k0, s.k0 + G::lanes, s.l - below - S, s.l_end + above))
      march<true>(g, s, sum);
    else
      march<false>(g, s, sum);
    if (sums) {
      const double all = g.sum(sum);
      g.each(1, [&](int) { sums[n] = all; });
    }
  }
  template <bool inside, class G>
  HD void march(const G& g, const Strip& s, LanesOf<G, double>& sum) const {
    const March<inside, G, T, Media> m{g, cells, media, s.k0};
    CellRow<G, T> rhs[halves + 1] = {}, ahead[2];
    Reds<G, T> red[halves + 1] = {};
    Blacks<G, T> black[halves] = {};
    LanesOf<G, T> e_below, e_here = {}, e_ahead = {};
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
      g.each([&](int lane) {
        const int k = s.k0 + lane;
        if (k < s.k || k >= s.k_end) return;
        const CellRow<G, T>& bq = rhs[halves];
        sum[lane] += store(m, 2 * k, 2 * q, red[halves].r0[lane], bq.r0[lane]) +
                     store(m, 2 * k + 1, 2 * q, black[halves - 1].b0_below[lane], bq.b0[lane]) +
                     (store(m, 2 * k, 2 * q + 1, black[halves - 1].b1[lane], bq.b1[lane]) +
                      store(m, 2 * k + 1, 2 * q + 1, red[halves].r1[lane], bq.r1[lane]));
      });
    }
  }
  template <class M, class L>
  HD void load_coarse(const M& m, int l, L& to) const {
    m.g.each([&](int lane) { to[lane] = m.coarse_value(e, m.k0 + lane, l); });
  }
  /// Adds P e to the red points of row l. (Lane 0 has no lane before it, nor complete red points.)
  template <class M, class L, class R>
  HD void correct(const M& m, int l, const L& e_here, const L& e_below, R& red) const {
    static_assert(S > 1);
    const L before = m.g.before(e_here), below_before = m.g.before(e_below);
    m.g.each([&](int lane) {
      const Weights<T> w = m.weights(m.k0 + lane, l);
      const T sum_below = std::fma(w.w[0], below_before[lane], w.w[1] * e_below[lane]);
      red.r0[lane] += std::fma(w.w[3], e_here[lane], std::fma(w.w[2], before[lane], sum_below));
      red.r1[lane] += e_here[lane];
    });
  }
  /// The term of <b, x> too.
  template <class M>
  HD double store(const M& m, int u, int v, T value, T bi) const {
    Row r;
    if (!m.point(u, v, r)) return 0;
    x[r.i] = V(value);
    return double(bi) * double(value);
  }
};

}  // namespace wavesim
