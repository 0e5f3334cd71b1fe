#pragma once
// The rows of a constant medium in blocked sweeps (blocked_sweeps.hpp), by where they are: at an edge, inside, beyond.

#include <type_traits>

#include "kernels/grid/wave_system.hpp"
#include "kernels/temporal/block_plan.hpp"

namespace wavesim {

/// A row of D^-1 A off its diagonal, with the sign turned; its diagonal D; and D^-1 times the mass and the
/// diagonal of w K. All zero outside of the domain: what is zero there stays zero.
template <class T>
struct ScaledRow {
  T south = 0, west = 0, east = 0, north = 0, inverse = 0, diagonal = 0, scaled_mass = 0, stiff = 0;
  static constexpr int values = 8;
  HD static ScaledRow of(const WaveSystem<T, UniformCoefficients<T>>& system, const Point<T>& point) {
    using S = FivePoint;  // which the passes are written for
    static_assert(std::is_same_v<typename WaveSystem<T, UniformCoefficients<T>>::Stencil, S>);
    const StencilRow<T, S> a = system.row_of(point);
    const T inverse = T(1) / a[S::centre];
    return {-(a[S::south] * inverse),
            -(a[S::west] * inverse),
            -(a[S::east] * inverse),
            -(a[S::north] * inverse),
            inverse,
            a[S::centre],
            point.mass * inverse,
            system.b * point.held() * inverse};
  }
};

/// Rows of the domain by their coefficients in a uniform medium, and columns alike.
enum RowClass { bottom_row, inner_row, top_row, no_row, row_classes };
HD inline int row_class(int row, const Topology& t) {
  if (t.wrap_y != 0) return inner_row;
  return row < 0 || row >= t.ny ? no_row : row == 0 ? bottom_row : row == t.ny - 1 ? top_row : inner_row;
}
/// The class of a column, as row_class of a row.
HD inline int column_class(int col, const Topology& t) {
  if (t.wrap_x != 0) return inner_row;
  return col < 0 || col >= t.nx ? no_row : col == 0 ? bottom_row : col == t.nx - 1 ? top_row : inner_row;
}
namespace temporal {

/// Whether the points of a class are the first or the last along an axis of n points.
struct Ends {
  bool first, last;
  HD Ends(int axis_class, int n)
      : first(axis_class == bottom_row || (axis_class == top_row && n == 1)),
        last(axis_class == top_row || (axis_class == bottom_row && n == 1)) {}
};

}  // namespace temporal

/// The row of a uniform system at any column of a class of rows; zero outside of the domain.
template <class T>
HD ScaledRow<T> scaled_row(const WaveSystem<T, UniformCoefficients<T>>& system, int row_class, int col) {
  const Topology& t = system.topology();
  if (t.wrap_x != 0) col = ring(col, t.nx);
  if (row_class == no_row || col < 0 || col >= t.nx) return {};
  // the second row is an inner one where there are three, and on a periodic axis all are alike
  const int row = row_class == bottom_row ? 0 : row_class == top_row ? t.ny - 1 : t.ny > 2 ? 1 : 0;
  return ScaledRow<T>::of(system, system.coefficients.at(Row{0, col, row, 0, true}));
}

}  // namespace wavesim
