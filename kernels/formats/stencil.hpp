#pragma once
// `stencil`: stores nothing but the media; the row is computed where it is used. The fast format.

#include "kernels/formats/five_point.hpp"

namespace wavesim {

template <class T, class Coefficients>
struct StencilView {
  static constexpr bool recomputes = true;
  static constexpr Matrix matrix = Coefficients::uniform ? Matrix::computed : Matrix::read;
  static constexpr double bytes = Coefficients::words * sizeof(T);

  /// The rows of a uniform medium, which are few: inside, and on each side and corner. The number has a bit
  /// for left, right, bottom and top.
  FivePointRow<T> rows[Coefficients::uniform ? 16 : 1] = {};
  FivePointSystem<T, Coefficients> system;

  bool edges = true;  // whether `row` asks on which side a point lies (Rows)

  void set(const FivePointSystem<T, Coefficients>& s) {
    system = s;
    edges = s.coefficients.edges();
    if constexpr (Coefficients::uniform)
      for (int k = 0; k < 16; ++k)
        rows[k] = s.row_of(s.coefficients.along((k & 1) != 0, (k & 2) != 0, (k & 4) != 0, (k & 8) != 0));
  }
  template <class X>
  HD T row(Row r, const X& x) const {
    const Topology& t = system.topology();
    return product(entries(r), x, r.i, t.south(r), t.west(r), t.east(r), t.north(r));
  }
  HD FivePointRow<T> entries(Row r) const {
    if constexpr (!Coefficients::uniform) {
      return system.row(r);
    } else {
      if (!r.edge) return rows[0];
      const Topology& t = system.topology();
      return rows[int(r.col == 0) | int(r.col == t.nx - 1) << 1 | int(r.row == 0) << 2 |
                  int(r.row == t.ny - 1) << 3];
    }
  }
  template <class X>
  HD static T product(const FivePointRow<T>& a, const X& x, int i, int south, int west, int east, int north) {
    T sum = a.south * x(south);
    sum = std::fma(a.west, x(west), sum);
    sum = std::fma(a.centre, x(i), sum);
    sum = std::fma(a.east, x(east), sum);
    return std::fma(a.north, x(north), sum);
  }
  template <class F>
  HD void each(Row r, F&& f) const {
    const FivePointRow<T> a = system.row(r);
    const Topology& t = system.topology();
    if (a.south != 0) f(t.south(r), a.south);
    if (a.west != 0) f(t.west(r), a.west);
    if (a.centre != 0) f(r.i, a.centre);
    if (a.east != 0) f(t.east(r), a.east);
    if (a.north != 0) f(t.north(r), a.north);
  }
  HD T diag(Row r) const { return entries(r).centre; }
};

}  // namespace wavesim
