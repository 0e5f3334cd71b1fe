#pragma once
// Products with the matrices of the medium at one point (coefficients.hpp, nine_point_coefficients.hpp).

#include <cmath>

#include "kernels/grid/coefficients.hpp"
#include "kernels/grid/nine_point_coefficients.hpp"

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

template <class T, class Values>
HD T stiffness(const NinePointRows<T>& c, const Topology& t, Row r, const Values& u) {
  return c.stiffness.times([&](int j) { return u[j]; }, neighbours<NinePoint>(t, r));
}

/// (M u + share D u)_i
template <class T, class Values>
HD T inertia(const Point<T>& c, const Topology&, Row r, T share, const Values& u) {
  return (c.mass + share * c.damping) * u[r.i];
}
template <class T, class Values>
HD T inertia(const NinePointRows<T>& c, const Topology& t, Row r, T share, const Values& u) {
  StencilRow<T, NinePoint> sum;
  UNROLL for (int k = 0; k < NinePoint::points; ++k) sum.at[k] = c.mass[k] + share * c.damping[k];
  return sum.times([&](int j) { return u[j]; }, neighbours<NinePoint>(t, r));
}

}  // namespace wavesim
