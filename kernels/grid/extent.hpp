#pragma once
// How a 2-D field lies in memory.

#include <climits>
#include <cstddef>

#include "kernels/backend/hd.hpp"

namespace wavesim {

/// The linear index of the first point of a row.
struct RowStarts {
  int base = 0, pitch = 0;
  HD int operator()(int row) const { return (row - base) * pitch; }
  /// Of a point.
  HD int row_of(int i) const { return base + i / pitch; }
};

/// nx x ny points, row by row, `pitch` elements from one row to the next; one ghost row at each end. Point
/// (col, row) has the linear index i = (row - base) * pitch + col. There is at least one padding element in a row, so
/// that the left neighbour of column 0 and the right neighbour of column nx - 1 are always memory of ours
/// that holds zero.
///
/// Where ranks share a field out (kernels/comm/), rows are those of the whole field on each of them, and linear indices begin
/// with row `base`, near a rank's own: those of the whole field may not fit an int. Of its memory a rank uses its own rows, and
/// as many ghost rows of its neighbours' as a kernel gathers from.
struct Extent {
  int nx = 0, ny = 0, pitch = 0;
  int word = 8;                          // bytes of a value, which the cut of sums follows (bands.hpp)
  bool shared = false;                   // among ranks
  bool ring = false;                     // the last row is beside the first
  int first_own = 0, own_end = INT_MAX;  // rows of this rank
  int bands = 0;                         // into which sums are cut; 0: as the size says (bands.hpp)
  int base = 0;                          // the row whose first point has the linear index 0
  HD int end_own() const { return own_end < ny ? own_end : ny; }
  int count() const { return pitch * ny; }  // of elements, padding included
  /// Of a point in the whole field, however large: row * pitch + col.
  long number(int row, int col) const { return long(row) * pitch + col; }
  int row_of(long number) const { return int(number / pitch); }
  /// The linear index of such a number, in a row near this rank's.
  int index(long number) const { return int(number - long(base) * pitch); }
  HD RowStarts starts() const { return {base, pitch}; }
  HD int index(int row, int col) const { return starts()(row) + col; }
  long points() const { return long(nx) * ny; }
  bool whole() const { return first_own == 0 && own_end >= ny; }  // all rows are this rank's
  long own_points() const { return long(nx) * (end_own() - first_own); }
  /// Whether a row is this rank's or at most `reach` rows beside those.
  HD bool is_near(int row, int reach) const {
    const auto beside = [&](int r) { return r >= first_own - reach && r < end_own() + reach; };
    return beside(row) || (ring && (beside(row - ny) || beside(row + ny)));
  }
};

/// Ghost rows on a side that any pass gathers from, at most: four steps of eighth order.
inline constexpr int most_ghosts = 32;

inline constexpr int pitch_alignment = 16;  // elements: 128 bytes of doubles

/// The extent with its pitch; elements must be countable in an int: at most 2^31 of them.
inline Extent make_extent(int nx, int ny, int word = 8) {
  return {nx, ny, (nx + 1 + pitch_alignment - 1) / pitch_alignment * pitch_alignment, word};
}

/// Of a field with its ghost rows.
inline std::size_t elements_of_field(const Extent& e) {
  return std::size_t(e.pitch) * (std::size_t(e.ny) + 2);
}

/// For n values in a list, the unknowns of a matrix that knows no grid: rows without padding, so that linear
/// indices are those of the list, and as wide as a tile (sum_order.hpp).
inline Extent vector_extent(int n) { return {128, (n + 127) / 128, 128}; }

/// What a row kernel goes over. `edges`: whether points on the edges need care. They do not where their rows
/// are those of inner points, but for neighbours beyond the edge, which are zero.
struct Rows {
  Extent extent;
  bool edges = true;
  Rows(const Extent& e, bool edges_need_care = true) : extent(e), edges(edges_need_care) {}
};

/// One point, as kernels see it. It brings its pitch, so that a compiler sees one neighbour's address in
/// another's, and whether it may lie on an edge of the extent: away from them neighbours are next door, which
/// a compiler can vectorise.
struct Row {
  int i = 0, col = 0, row = 0, pitch = 0;
  bool edge = true;
  /// In the whole field (Extent::number).
  HD long number() const { return long(row) * pitch + col; }
};

/// Which points are neighbours: periodic axes wrap round.
struct Topology {
  int nx = 0, ny = 0;
  int wrap_x = 0, wrap_y = 0;  // nx (ny * pitch) on a periodic axis, else 0
  /// The linear index dx columns and dy rows from a point. `inside`: that is on the grid, or beyond an edge
  /// that needs no care. A periodic axis has at least as many points as the way along it is long.
  template <int dx, int dy>
  HD int neighbour(Row r, bool inside) const {
    int j = r.i + dx + dy * r.pitch;
    if constexpr (dx < 0) j = inside || r.col >= -dx ? j : j + wrap_x;
    if constexpr (dx > 0) j = inside || r.col < nx - dx ? j : j - wrap_x;
    if constexpr (dy < 0) j = inside || r.row >= -dy ? j : j + wrap_y;
    if constexpr (dy > 0) j = inside || r.row < ny - dy ? j : j - wrap_y;
    return j;
  }
  /// Whether there is no point dx columns and dy rows from one.
  template <int dx, int dy>
  HD bool beyond(Row r) const {
    return beyond(r, dx, dy);
  }
  HD bool beyond(Row r, int dx, int dy) const {
    const bool leaves_x = r.col + dx < 0 || r.col + dx >= nx, leaves_y = r.row + dy < 0 || r.row + dy >= ny;
    return (leaves_x && wrap_x == 0) || (leaves_y && wrap_y == 0);
  }
  HD int west(Row r) const { return neighbour<-1, 0>(r, !r.edge); }
  HD int east(Row r) const { return neighbour<1, 0>(r, !r.edge); }
  HD int south(Row r) const { return neighbour<0, -1>(r, !r.edge); }
  HD int north(Row r) const { return neighbour<0, 1>(r, !r.edge); }
};

}  // namespace wavesim
