#pragma once
// The wave system A = M + a D + b K: its rows, and what every format does with them.

#include "kernels/grid/coefficients.hpp"
#include "kernels/grid/nine_point_coefficients.hpp"

namespace wavesim {

/// A = M + a D + b K over any coefficients. What assembly asks of a system: the type of its values and its
/// `Stencil`, `words` (read for each row), `uniform` (whether rows differ at edges alone; then `row_on` their
/// sides, too), `row`, `topology`, and `edges`: whether rows of points on edges need care (Rows).
template <class T, class Coefficients>
struct WaveSystem {
  using value = T;
  using Stencil = typename Coefficients::Stencil;
  static constexpr bool uniform = Coefficients::uniform;
  static constexpr int words = Coefficients::words;
  Coefficients coefficients;
  T a = 0, b = 0;

  HD StencilRow<T, Stencil> row(Row r) const { return row_of(coefficients.at(r)); }
  /// Of a point on these sides.
  HD StencilRow<T, Stencil> row_on(bool left, bool right, bool bottom, bool top) const {
    return row_of(coefficients.along(left, right, bottom, top));
  }
  /// In the order of FivePoint.
  HD StencilRow<T, FivePoint> row_of(const Point<T>& n) const {
    return {{-(b * Point<T>::coupling(n.south)), -(b * Point<T>::coupling(n.west)),
             n.mass + a * n.damping + b * n.held(), -(b * Point<T>::coupling(n.east)),
             -(b * Point<T>::coupling(n.north))}};
  }
  HD StencilRow<T, NinePoint> row_of(const NinePointRows<T>& n) const {
    StencilRow<T, NinePoint> sum;
    UNROLL for (int k = 0; k < NinePoint::points; ++k) sum.at[k] =
        n.mass[k] + a * n.damping[k] + b * n.stiffness[k];
    return sum;
  }
  HD const Topology& topology() const { return coefficients.topology; }
  bool edges() const { return coefficients.edges(); }
};

/// The wave system over coefficients of nine points, summed up once: half of its entries, which are all that a
/// symmetric matrix has.
template <class T>
struct SummedNinePoints {
  using value = T;
  using Stencil = NinePoint;
  static constexpr bool uniform = false;
  static constexpr int words = 5;
  NinePointMatrix<T> sum;
  Topology topology_;

  HD StencilRow<T, Stencil> row(Row r) const { return sum.row(r); }
  HD const Topology& topology() const { return topology_; }
  bool edges() const { return true; }
};

/// A format is storage with `assemble(backend, extent, system)`, plus a view; every algorithm is written once
/// over its two ways of going through a row.
///   row(r, x)   sum of a_ij x(j) over row r, where x(j) is any function of the linear index j
///   each(r, f)  calls f(j, a_ij) for the entries of row r
///   bytes       of matrix read for each row
///   matrix      whether that is nothing but constants
///   recomputes  whether a product is cheaper to compute again than to store and read

}  // namespace wavesim
