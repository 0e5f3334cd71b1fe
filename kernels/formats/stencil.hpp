#pragma once
// `stencil`: stores nothing but the media; the row is computed where it is used. The fast format.

#include "kernels/formats/five_point.hpp"

namespace wavesim {

template <class T, class Coefficients>
struct StencilView {
  static constexpr bool recomputes = true;  // cheaper to compute A p again than to store and read it
  FivePointSystem<T, Coefficients> system;
  static constexpr double bytes = Coefficients::words * sizeof(T);

  template <class X>
  HD T row(Row r, const X& x) const {
    const Topology& t = system.topology();
    const FivePointRow<T> a = system.row(r);
    T sum = a.south * x(t.south(r));
    sum = std::fma(a.west, x(t.west(r)), sum);
    sum = std::fma(a.centre, x(r.i), sum);
    sum = std::fma(a.east, x(t.east(r)), sum);
    return std::fma(a.north, x(t.north(r)), sum);
  }
  HD T diag(Row r) const { return system.row(r).centre; }
};

}  // namespace wavesim
