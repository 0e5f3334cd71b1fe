#pragma once
// Half-sweeps of red-black Gauss-Seidel on a row of cells in the registers of a group of lanes: what the
// passes of wavefront_cycle.hpp are made of.

#include <cmath>

#include "kernels/backend/host_group.hpp"
#include "solvers/multigrid/couplings.hpp"

namespace wavesim {

/// Values on the cells of a row.
template <class G, class T>
struct CellRow {
  LanesOf<G, T> r0, b0, b1, r1;
};

/// The red points after a half-sweep, of a row of cells and of the row below.
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
struct Wavefront {
  using Lanes = LanesOf<G, T>;
  const G& g;
  const Cells& cells;
  const Media& media;
  int k0;

  LanesOf<G, PointPlace> left, right;  // columns of a lane; found once

  HD Wavefront(const G& g, const Cells& cells, const Media& media, int k0)
      : g(g), cells(cells), media(media), k0(k0) {
    if constexpr (!inside)
      g.each([&](int lane) {
        left[lane] = cells.column(2 * (k0 + lane));
        right[lane] = cells.column(2 * (k0 + lane) + 1);
      });
  }
  HD PointPlace column(int lane, int side) const {
    if constexpr (inside)
      return {2 * (k0 + lane) + side - cells.shift_x, 0};
    else
      return side == 0 ? left[lane] : right[lane];
  }
  HD PointPlace line(int v) const {
    if constexpr (inside)
      return {v - cells.shift_y, 0};
    else
      return cells.line(v);
  }
  /// The lane's left (0) or right (1) point in a line; false if there is none.
  HD bool point(int lane, int side, PointPlace line, int& i, int& kind) const {
    const PointPlace c = column(lane, side);
    i = cells.starts(line.at) + c.at;
    kind = line.kind * PointPlace::kinds + c.kind;
    return inside || (c.at >= 0 && line.at >= 0);
  }
  /// Zeros for a point that does not exist.
  HD Couplings<T> couplings(int lane, int side, PointPlace line) const {
    int i, kind;
    return point(lane, side, line, i, kind) ? media.template at<inside>(i, cells.starts.pitch, kind)
                                            : Couplings<T>{};
  }
  template <class V>
  HD T value(const V* f, int lane, int side, PointPlace line) const {
    int i, kind;
    return point(lane, side, line, i, kind) ? T(f[i]) : T(0);
  }
  template <class V>
  HD void load(const V* f, int l, CellRow<G, T>& to) const {
    const PointPlace lower = line(2 * l), upper = line(2 * l + 1);
    g.each([&](int lane) {
      to.r0[lane] = value(f, lane, 0, lower);
      to.b0[lane] = value(f, lane, 1, lower);
      to.b1[lane] = value(f, lane, 0, upper);
      to.r1[lane] = value(f, lane, 1, upper);
    });
  }
  HD static T pulled(const Couplings<T>& c, T south, T west, T east, T north) {
    return std::fma(c.north, north, std::fma(c.east, east, std::fma(c.west, west, c.south * south)));
  }
  /// Red points of row l from zero.
  HD void red_from_zero(int l, const CellRow<G, T>& b, Reds<G, T>& x) const {
    const PointPlace lower = line(2 * l), upper = line(2 * l + 1);
    g.each([&](int lane) {
      x.r0[lane] = b.r0[lane] * couplings(lane, 0, lower).inverse;
      x.r1[lane] = b.r1[lane] * couplings(lane, 1, upper).inverse;
    });
  }
  /// b0 of row l and b1 of the row below it from the red points of both. b_below: the right-hand side there.
  HD void black(int l, const CellRow<G, T>& b, const CellRow<G, T>& b_below, const Reds<G, T>& red,
                Blacks<G, T>& x) const {
    const Lanes east = g.next(red.r0), west = g.before(red.r1_below);
    const PointPlace here = line(2 * l), under = line(2 * l - 1);
    g.each([&](int lane) {
      const Couplings<T> c0 = couplings(lane, 1, here), c1 = couplings(lane, 0, under);
      x.b0[lane] =
          c0.inverse * (b.b0[lane] + pulled(c0, red.r1_below[lane], red.r0[lane], east[lane], red.r1[lane]));
      x.b1[lane] = c1.inverse * (b_below.b1[lane] + pulled(c1, red.r0_below[lane], west[lane],
                                                           red.r1_below[lane], red.r0[lane]));
    });
  }
  /// f(lane, sums over black neighbours for r0 and for r1, inverse diagonals of both) on the row below l.
  template <class F>
  HD void pull_red(int l, const Blacks<G, T>& black, const F& f) const {
    const Lanes west = g.before(black.b0_below), east = g.next(black.b1);
    const PointPlace lower = line(2 * l - 2), upper = line(2 * l - 1);
    g.each([&](int lane) {
      const Couplings<T> c0 = couplings(lane, 0, lower), c1 = couplings(lane, 1, upper);
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
  HD Weights<T> weights(int lane, int l) const {
    int i, kind;
    return point(lane, 0, line(2 * l), i, kind) ? media.template weights<inside>(kind, cells, k0 + lane, l)
                                                : Weights<T>{};
  }
  HD T coarse_value(const T* e, int k, int l) const {
    int j;
    return cells.template coarse<inside>(k, l, j) ? e[j] : T(0);
  }
};

}  // namespace wavesim
