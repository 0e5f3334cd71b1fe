#pragma once
// The stiffness of a finite-volume operator at one point (coefficients.hpp).

#include <cmath>

#include "kernels/grid/coefficients.hpp"

namespace wavesim {

/// (K u)_i, with u[j] the value at j.
template <class T, class Values>
HD T stiffness(const Point<T>& c, const Topology& t, Row r, const Values& u) {
  T sum = c.held() * u[r.i];
  sum = std::fma(-Point<T>::coupling(c.south), u[t.south(r)], sum);
  sum = std::fma(-Point<T>::coupling(c.west), u[t.west(r)], sum);
  sum = std::fma(-Point<T>::coupling(c.east), u[t.east(r)], sum);
  return std::fma(-Point<T>::coupling(c.north), u[t.north(r)], sum);
}

}  // namespace wavesim
