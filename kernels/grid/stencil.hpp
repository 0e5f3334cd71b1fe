#pragma once
// Which points a row of a matrix on a grid couples. A stencil is a type with the number of its `points` and
// the `offset` of each, in the order in which every format adds them up, so that all formats give the same
// bits. Formats, their assembly and their products take width, offsets and diagonals from it.

#include <cmath>
#include <concepts>
#include <utility>

#include "kernels/grid/extent.hpp"
#include "kernels/numbers/vector_values.hpp"

namespace wavesim {

/// Columns and rows from a point to one that its row looks at.
struct Offset {
  int dx, dy;
};

template <class S>
concept IsStencil = requires(int k) {
  { S::points + 0 } -> std::same_as<int>;
  { S::offset(k) } -> std::same_as<Offset>;
};

/// A point and the four next to it: the stencil of second order.
struct FivePoint {
  enum Place : int { south, west, centre, east, north };
  static constexpr int points = 5;
  HD static constexpr Offset offset(int k) {
    const Offset at[points] = {{0, -1}, {-1, 0}, {0, 0}, {1, 0}, {0, 1}};
    return at[k];
  }
};

/// A point and the eight round it, row by row from below: the stencil of fourth order.
struct NinePoint {
  enum Place : int { south_west, south, south_east, west, centre, east, north_west, north, north_east };
  static constexpr int points = 9;
  HD static constexpr Offset offset(int k) { return {k % 3 - 1, k / 3 - 1}; }
};

namespace stencils {

HD constexpr int magnitude(int d) { return d < 0 ? -d : d; }

template <IsStencil S>
constexpr int radius() {
  int most = 0;
  for (int k = 0; k < S::points; ++k) {
    const int dx = magnitude(S::offset(k).dx), dy = magnitude(S::offset(k).dy);
    most = dx > most ? dx : most;
    most = dy > most ? dy : most;
  }
  return most;
}
template <IsStencil S>
constexpr bool next_door() {
  for (int k = 0; k < S::points; ++k)
    if (magnitude(S::offset(k).dx) + magnitude(S::offset(k).dy) > 1) return false;
  return true;
}
template <IsStencil S>
constexpr int centre() {
  int k = 0;
  while (S::offset(k).dx != 0 || S::offset(k).dy != 0) ++k;
  return k;
}

}  // namespace stencils

/// The farthest that a stencil reaches along an axis.
template <IsStencil S>
inline constexpr int radius = stencils::radius<S>();

/// Whether a stencil reaches only points that share a side with its own. What lies beyond an edge is then
/// always memory of a field that holds zero (Extent), and is read without a question. Other stencils reach
/// over that.
template <IsStencil S>
inline constexpr bool next_door = stencils::next_door<S>();

/// The place of the point itself.
template <IsStencil S>
inline constexpr int centre = stencils::centre<S>();

/// Whether all that a stencil reaches from this point is on the grid, or beyond an edge that needs no care.
template <IsStencil S>
HD bool reaches_inside(const Topology& t, Row r) {
  constexpr int R = radius<S>;
  if constexpr (R <= 1)
    return !r.edge;
  else
    return r.col >= R && r.col < t.nx - R && r.row >= R && r.row < t.ny - R;
}

/// Point k of a stencil around a point: its linear index. Where it is beyond an edge, it is memory that holds
/// zero or the point itself; the row's entry has to be zero.
template <IsStencil S, int k>
HD int neighbour(const Topology& t, Row r) {
  constexpr Offset o = S::offset(k);
  const bool inside = reaches_inside<S>(t, r);
  if constexpr (!next_door<S>)
    if (!inside && t.template beyond<o.dx, o.dy>(r)) return r.i;
  return t.template neighbour<o.dx, o.dy>(r, inside);
}

/// The linear index of each point of a stencil.
template <IsStencil S>
struct Neighbours {
  int at[S::points];
};
namespace stencils {
template <IsStencil S, int... k>
HD Neighbours<S> neighbours(const Topology& t, Row r, std::integer_sequence<int, k...>) {
  return {{neighbour<S, k>(t, r)...}};
}
}  // namespace stencils
template <IsStencil S>
HD Neighbours<S> neighbours(const Topology& t, Row r) {
  return stencils::neighbours<S>(t, r, std::make_integer_sequence<int, S::points>{});
}

/// The entries of a row, one for each point of a stencil.
template <class T, IsStencil S>
struct StencilRow {
  T at[S::points];

  HD T operator[](int k) const { return at[k]; }
  /// The sum of entries times x(j), at the points of the stencil.
  template <class X>
  HD ValueOf<X> times(const X& x, const Neighbours<S>& j) const {
    return times(x, j, std::make_integer_sequence<int, S::points - 1>{});
  }
  template <class X, int... k>
  HD ValueOf<X> times(const X& x, const Neighbours<S>& j, std::integer_sequence<int, k...>) const {
    ValueOf<X> sum = multiply(at[0], x(j.at[0]));
    ((sum = multiply_add(at[k + 1], x(j.at[k + 1]), sum)), ...);
    return sum;
  }
  /// f(j, entry) for those that are not zero.
  template <class F>
  HD void each(const Neighbours<S>& j, F&& f) const {
    UNROLL for (int k = 0; k < S::points; ++k) if (at[k] != 0) f(j.at[k], at[k]);
  }
  HD int entries() const {
    int n = 0;
    UNROLL for (int k = 0; k < S::points; ++k) n += at[k] != 0;
    return n;
  }
};

}  // namespace wavesim
