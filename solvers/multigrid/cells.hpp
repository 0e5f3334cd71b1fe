#pragma once
// A grid of two colours as cells of two by two points round its coarse ones:
//
//      b1 r1      r1: the coarse point (k, l) of cell (k, l)     u = 2 k + 1, v = 2 l + 1
//      r0 b0      r0: between four coarse points; b0, b1: between two
//
// Coarse points are red whatever the edges, so that the residual after a black half-sweep is one of red
// points only. A group of lanes passes up a strip of cells, with a lane for each column of cells.

#include <algorithm>

#include "solvers/multigrid/transfer.hpp"

namespace wavesim {

/// Where in memory a column or a row of points is; -1: it does not exist. Its kind: 0, 1, n - 2 and n - 1 have
/// kinds of their own, and all between them share one. With few points each has a kind of its own.
struct PointPlace {
  static constexpr int kinds = 5;
  int at = -1, kind = 0;
  HD static int kind_of(int i, int n) { return n <= kinds || i < 2 ? i : i < n - 2 ? 2 : i - (n - kinds); }
  /// A representative of a kind.
  HD static int example(int kind, int n) { return n <= kinds || kind < 3 ? kind : kind + (n - kinds); }
};

struct Cells {
  int nx = 0, ny = 0;
  RowStarts starts;
  int shift_x = 0, shift_y = 0;  // u = col + shift_x, v = row + shift_y
  bool wraps_x = false, wraps_y = false;
  int coarse_nx = 0, coarse_ny = 0, coarse_pitch = 0;
  int across = 0, up = 0;  // cells

  /// Where both axes are coarsened, and points that are coupled differ in colour.
  static bool fit(const Coarsening& x, const Coarsening& y) {
    return !x.kept && !y.kept && !(x.wraps && x.n % 2 != 0) && !(y.wraps && y.n % 2 != 0);
  }
  Cells() = default;
  Cells(Extent fine, const Coarsening& x, const Coarsening& y, Extent coarse)
      : nx(fine.nx),
        ny(fine.ny),
        starts(fine.starts()),
        shift_x(1 - x.first),
        shift_y(1 - y.first),
        wraps_x(x.wraps),
        wraps_y(y.wraps),
        coarse_nx(coarse.nx),
        coarse_ny(coarse.ny),
        coarse_pitch(coarse.pitch),
        across(wraps_x ? nx / 2 : (nx + shift_x + 1) / 2),
        up(wraps_y ? ny / 2 : (ny + shift_y + 1) / 2) {}

  HD static int wrapped(int i, int n, bool wraps) {
    if (!wraps || (i >= 0 && i < n)) return i;
    i %= n;
    return i < 0 ? i + n : i;
  }
  /// The point (u, v). `inside`: it is known to lie away from edges and ends, which need no test then.
  template <bool inside>
  HD bool point(int u, int v, Row& r) const {
    int col = u - shift_x, row = v - shift_y;
    if constexpr (!inside) {
      col = wrapped(col, nx, wraps_x), row = wrapped(row, ny, wraps_y);
      if (col < 0 || row < 0 || col >= nx || row >= ny) return false;
    }
    r = {starts(row) + col, col, row, starts.pitch,
         !inside && (col == 0 || row == 0 || col == nx - 1 || row == ny - 1)};
    return true;
  }
  HD PointPlace column(int u) const { return place(wrapped(u - shift_x, nx, wraps_x), nx); }
  HD PointPlace line(int v) const { return place(wrapped(v - shift_y, ny, wraps_y), ny); }
  HD static PointPlace place(int i, int n) {
    if (i < 0 || i >= n) return {};
    return {i, PointPlace::kind_of(i, n)};
  }
  /// The coarse point of cell (k, l).
  template <bool inside>
  HD bool coarse(int k, int l, int& j) const {
    if constexpr (!inside) {
      k = wrapped(k, coarse_nx, wraps_x), l = wrapped(l, coarse_ny, wraps_y);
      if (k < 0 || l < 0 || k >= coarse_nx || l >= coarse_ny) return false;
    }
    j = l * coarse_pitch + k;
    return true;
  }
  /// Whether cells k0 <= k < k1, l0 <= l < l1 have all their points away from the edges.
  HD bool inside(int k0, int k1, int l0, int l1) const {
    return 2 * k0 - shift_x >= 1 && 2 * k1 - 1 - shift_x <= nx - 2 && 2 * l0 - shift_y >= 1 &&
           2 * l1 - 1 - shift_y <= ny - 2;
  }
};

/// The rows of cells that a rank goes over: those whose coarse points are its own. `beyond`: 1 where its last row of points is
/// the lower one of the next row of cells, which it then goes over, too.
struct CellRows {
  int first = 0, end = 0, beyond = 0;
  int count() const { return end - first; }
};

/// The cells that a group passes over.
struct Strip {
  int k0, k, k_end;  // of lane 0, and the cells whose results are complete and its own
  int l, l_end;
};

/// Strips of cells, cut into pieces so that there are enough for all multiprocessors.
struct Strips {
  int lanes_before = 0, width = 1;  // lanes whose results miss neighbours, and those that are complete
  int across = 1, height = 1, count = 1;
  int first = 0, end = 0;

  static constexpr int tallest = 64, enough = 4096;
  Strips() = default;
  /// Of a height that is a multiple of `least`.
  Strips(const Cells& cells, CellRows rows, int lanes_before, int width, int least)
      : lanes_before(lanes_before), width(width), first(rows.first), end(rows.end + rows.beyond) {
    across = (cells.across + width - 1) / width;
    const long wanted = std::clamp(long(rows.count()) * across / enough, 1L, long(tallest));
    height = int((wanted + least - 1) / least) * least;
    count = across * ((end - first + height - 1) / height);
  }
  HD Strip strip(int n, const Cells& cells) const {
    Strip s;
    s.k = n % across * width;
    s.k0 = s.k - lanes_before;
    s.k_end = s.k + width < cells.across ? s.k + width : cells.across;
    s.l = first + n / across * height;
    s.l_end = s.l + height < end ? s.l + height : end;
    return s;
  }
};

}  // namespace wavesim
