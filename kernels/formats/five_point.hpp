#pragma once
// One row of the five-point system A = M + a D + b K, and what every format does with it.

#include <cmath>

#include "kernels/grid/coefficients.hpp"

namespace wavesim {

/// Entries of a row in the order in which every format adds them up, so that all formats give the same bits.
template <class T>
struct FivePointRow {
  T south, west, centre, east, north;
};

/// A = M + a D + b K over any coefficients.
template <class T, class Coefficients>
struct FivePointSystem {
  using value = T;
  static constexpr int words = Coefficients::words;
  Coefficients coefficients;
  T a = 0, b = 0;

  HD FivePointRow<T> row(Row r) const { return row_of(coefficients.at(r)); }
  HD FivePointRow<T> row_of(const Point<T>& n) const {
    return {-(b * Point<T>::coupling(n.south)), -(b * Point<T>::coupling(n.west)),
            n.mass + a * n.damping + b * n.held(), -(b * Point<T>::coupling(n.east)),
            -(b * Point<T>::coupling(n.north))};
  }
  HD const Topology& topology() const { return coefficients.topology; }
};

/// A format is storage with `assemble(backend, extent, system)`, plus a view; every algorithm is written once
/// over its two ways of going through a row.
///   row(r, x)   sum of a_ij x(j) over row r, where x(j) is any function of the linear index j
///   each(r, f)  calls f(j, a_ij) for the entries of row r
///   bytes       of matrix read for each row
///   matrix      whether that is nothing but constants
///   recomputes  whether a product is cheaper to compute again than to store and read

}  // namespace wavesim
