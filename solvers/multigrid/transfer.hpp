#pragma once
// Between a grid and the coarser one of every second point: which points, and with which weights.
#include "kernels/grid/coefficients.hpp"

namespace wavesim {

/// Coarse point k is fine point 2 k + first. `n` fine points; `wraps`: the axis is periodic.
struct Coarsening {
  int n = 1, first = 0;
  bool wraps = false, kept = false;  // kept: not coarsened; every point is a coarse one
  int coarse() const { return kept ? n : (n - first + 1) / 2; }

  HD int fine(int k) const { return kept ? k : 2 * k + first; }
  HD bool is_coarse(int i) const { return kept || ((i - first) & 1) == 0; }
  /// The coarse point at fine point i, or the one before it (-1 if there is none).
  HD int coarse_of(int i) const { return kept ? i : i < first ? -1 : (i - first) >> 1; }
};

/// A fine grid, its system, and how it is coarsened. `View` gives the coefficients of a point; weights are
/// those of interpolation along the couplings (Alcouffe, Brandt, Dendy & Painter 1981), so that it follows
/// steps of the medium, rims and edges: a point between two coarse ones takes from each in proportion to its
/// coupling, a wall takes its share for zero, a free edge nothing. The last kind of point, between four
/// others, does the same with them.
template <class T, class Coefficients>
struct Transfer {
  Coefficients c;
  int nx, ny;
  RowStarts starts;
  Coarsening x, y;
  int coarse_nx, coarse_ny, coarse_pitch;

  /// The row of fine point (col, row), wrapped on periodic axes. False if there is none.
  HD bool fine(int col, int row, Row& r) const {
    if (x.wraps) col = col < 0 ? col + nx : col >= nx ? col - nx : col;
    if (y.wraps) row = row < 0 ? row + ny : row >= ny ? row - ny : row;
    if (col < 0 || row < 0 || col >= nx || row >= ny) return false;
    r = {starts(row) + col, col, row, starts.pitch, col == 0 || row == 0 || col == nx - 1 || row == ny - 1};
    return true;
  }
  HD static T share(T face, T all) { return face > 0 && all > 0 ? face / all : T(0); }
  HD static T size(T face) { return Point<T>::magnitude(face); }
  /// Weights of a point between two coarse ones along x (y): towards the lower and the upper one.
  HD void along_x(Row r, T& lower, T& upper) const {
    const Point<T> p = c.at(r);
    const T all = size(p.west) + size(p.east);
    lower = share(p.west, all), upper = share(p.east, all);
  }
  HD void along_y(Row r, T& lower, T& upper) const {
    const Point<T> p = c.at(r);
    const T all = size(p.south) + size(p.north);
    lower = share(p.south, all), upper = share(p.north, all);
  }
  /// The weight with which fine point (col, row) takes from coarse point (k, l) next to it.
  HD T weight(Row f, int k, int l) const {
    const int dx = offset(x, f.col, k, nx),
              dy = offset(y, f.row, l, ny);  // from the fine to the coarse point
    T lower, upper;
    if (dx == 0 && dy == 0) return 1;
    if (dy == 0) return along_x(f, lower, upper), dx < 0 ? lower : upper;
    if (dx == 0) return along_y(f, lower, upper), dy < 0 ? lower : upper;
    const Point<T> p = c.at(f);
    const T all = size(p.west) + size(p.east) + size(p.south) + size(p.north);
    Row beside, over;
    T w = 0;
    const T towards_x = dx < 0 ? p.west : p.east, towards_y = dy < 0 ? p.south : p.north;
    if (towards_x > 0 && fine(f.col + dx, f.row, beside)) {
      along_y(beside, lower, upper);
      w += towards_x * (dy < 0 ? lower : upper);
    }
    if (towards_y > 0 && fine(f.col, f.row + dy, over)) {
      along_x(over, lower, upper);
      w += towards_y * (dx < 0 ? lower : upper);
    }
    return all > 0 ? w / all : T(0);
  }
  /// -1, 0 or 1: where coarse point k lies from fine point i.
  HD static int offset(const Coarsening& axis, int i, int k, int n) {
    int d = axis.fine(k) - i;
    if (axis.wraps && d > 1) d -= n;
    if (axis.wraps && d < -1) d += n;
    return d;
  }

  /// Calls f(fine row, weight) for the fine points that take from coarse point (k, l).
  template <class F>
  HD void each_fine(int k, int l, F&& f) const {
    const int reach_x = x.kept ? 0 : 1, reach_y = y.kept ? 0 : 1;
    for (int dy = -reach_y; dy <= reach_y; ++dy)
      for (int dx = -reach_x; dx <= reach_x; ++dx) {
        Row r;
        if (!fine(x.fine(k) + dx, y.fine(l) + dy, r)) continue;
        if ((dx != 0 && x.is_coarse(r.col)) || (dy != 0 && y.is_coarse(r.row)))
          continue;  // a neighbour by itself
        if (const T w = weight(r, k, l); w != 0) f(r, w);
      }
  }
  /// Calls f(linear index, weight) for the coarse points that fine point r takes from.
  template <class F>
  HD void each_coarse(Row r, F&& f) const {
    const bool in_x = x.is_coarse(r.col), in_y = y.is_coarse(r.row);
    const int k0 = x.coarse_of(r.col), l0 = y.coarse_of(r.row);
    for (int m = 0; m < (in_y ? 1 : 2); ++m)
      for (int n = 0; n < (in_x ? 1 : 2); ++n) {
        const int k = wrapped(k0 + n, coarse_nx, x.wraps), l = wrapped(l0 + m, coarse_ny, y.wraps);
        if (k < 0 || l < 0 || k >= coarse_nx || l >= coarse_ny) continue;
        if (const T w = weight(r, k, l); w != 0) f(l * coarse_pitch + k, w);
      }
  }
  HD static int wrapped(int k, int n, bool wraps) { return !wraps ? k : k < 0 ? k + n : k >= n ? k - n : k; }
};

}  // namespace wavesim
