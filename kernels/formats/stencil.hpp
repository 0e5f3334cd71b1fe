#pragma once
// `stencil`: stores nothing but the media; the row is computed where it is used. The fast format.

#include "kernels/grid/wave_system.hpp"

namespace wavesim {

template <class System>
struct StencilView {
  using T = typename System::value;
  using Stencil = typename System::Stencil;
  static_assert(!System::uniform || radius<Stencil> <= 1, "rows of a uniform medium differ on edges alone");
  static constexpr bool recomputes = System::words < 5;
  static constexpr Matrix matrix = System::uniform ? Matrix::computed : Matrix::read;
  static constexpr double bytes = System::words * sizeof(T);

  /// The rows of a uniform medium, which are few: inside, and on each side and corner. The number has a bit
  /// for left, right, bottom and top.
  StencilRow<T, Stencil> rows[System::uniform ? 16 : 1] = {};
  System system;

  bool edges = true;  // whether `row` asks on which side a point lies (Rows)

  void set(const System& s) {
    system = s;
    edges = s.edges() || !next_door<Stencil>;
    if constexpr (System::uniform)
      for (int k = 0; k < 16; ++k) rows[k] = s.row_on((k & 1) != 0, (k & 2) != 0, (k & 4) != 0, (k & 8) != 0);
  }
  template <class X>
  HD ValueOf<X> row(Row r, const X& x) const {
    return entries(r).times(x, neighbours<Stencil>(system.topology(), r));
  }
  HD std::conditional_t<System::uniform, const StencilRow<T, Stencil>&, StencilRow<T, Stencil>> entries(
      Row r) const {
    if constexpr (!System::uniform) {
      return system.row(r);
    } else {
      if (!r.edge) return rows[0];
      const Topology& t = system.topology();
      return rows[int(r.col == 0) | int(r.col == t.nx - 1) << 1 | int(r.row == 0) << 2 |
                  int(r.row == t.ny - 1) << 3];
    }
  }
  template <class F>
  HD void each(Row r, F&& f) const {
    system.row(r).each(neighbours<Stencil>(system.topology(), r), f);
  }
  HD T diag(Row r) const { return entries(r)[centre<Stencil>]; }
};

template <class T, class Coefficients>
using WaveStencilView = StencilView<WaveSystem<T, Coefficients>>;

}  // namespace wavesim
