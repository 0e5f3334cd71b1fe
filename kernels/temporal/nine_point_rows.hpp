#pragma once
// The rows of a constant medium of nine points in blocked sweeps (blocked_sweeps.hpp), by where they are: at an edge,
// inside, beyond. All entries beside one another along a row of the grid are the same, and so are all of those across
// corners. So what x gives to the two neighbours of a point along its row is one number:
//   sides = side x + corner (x above + x below),
// and a row of (A - D) x is sides of the west + sides of the east + vertical (x above + x below).

#include <cmath>

#include "kernels/grid/wave_system.hpp"
#include "kernels/temporal/scaled_row.hpp"

namespace wavesim {

template <class T>
using UniformNinePoints = WaveSystem<T, UniformNinePointCoefficients<T>>;

/// What differs from point to point, at edges: the diagonal D of A and its inverse, the entry with the points above
/// and below, the same of K. All zero outside of the domain: what is zero there stays zero.
template <class T>
struct NinePointColumn {
  T inverse = 0, diagonal = 0, vertical = 0, k_diagonal = 0, k_vertical = 0;
  static constexpr int values = 5;
};
/// What points of a row have in common: the entries with points beside them, and across corners.
template <class T>
struct NinePointAlong {
  T side = 0, corner = 0, k_side = 0, k_corner = 0;
};

template <class T>
HD NinePointColumn<T> nine_point_column(const UniformNinePoints<T>& system, int row_class, int column_class) {
  if (row_class == no_row || column_class == no_row) return {};
  const Topology& t = system.topology();
  const temporal::Ends x(column_class, t.nx), y(row_class, t.ny);
  const NinePointRows<T> here = system.coefficients.along(x.first, x.last, y.first, y.last),
                         inside = system.coefficients.along(x.first, x.last, false, false);
  const T diagonal = system.row_of(here)[NinePoint::centre];
  return {T(1) / diagonal, diagonal, system.row_of(inside)[NinePoint::south],
          here.stiffness[NinePoint::centre], inside.stiffness[NinePoint::south]};
}

template <class T>
HD NinePointAlong<T> nine_points_along(const UniformNinePoints<T>& system, int row_class) {
  if (row_class == no_row) return {};
  const temporal::Ends y(row_class, system.topology().ny);
  const NinePointRows<T> here = system.coefficients.along(false, false, y.first, y.last),
                         inside = system.coefficients.inside();
  return {system.row_of(here)[NinePoint::west], system.row_of(inside)[NinePoint::south_west],
          here.stiffness[NinePoint::west], inside.stiffness[NinePoint::south_west]};
}

/// What x gives to its neighbours along the row; `pair`: x above + x below.
template <class T>
HD T to_sides(T side, T x, T corner, T pair) {
  return std::fma(corner, pair, side * x);
}
/// A row of (A - D) x.
template <class T>
HD T off_diagonal(T from_west, T from_east, T vertical, T pair) {
  return std::fma(vertical, pair, from_west + from_east);
}
/// g + N x = g - D^-1 (A - D) x
template <class T>
HD T coupled_to_nine(T g, T inverse, T off) {
  return std::fma(-inverse, off, g);
}
/// A row of A x.
template <class T>
HD T row_times(T diagonal, T x, T off) {
  return std::fma(diagonal, x, off);
}

}  // namespace wavesim
