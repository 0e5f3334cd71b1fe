#pragma once
// What the passes of a cycle need of a grid: couplings, inverse diagonals, and weights of interpolation.

#include "kernels/formats/five_point.hpp"
#include "solvers/multigrid/cells.hpp"

namespace wavesim {

/// Of a point: its couplings, which are positive, and the inverse of its diagonal.
template <class T>
struct Bonds {
  T south = 0, west = 0, east = 0, north = 0, inverse = 0;
};

/// Of point r0 of cell (k, l): the weights with which it takes from coarse points (k - 1, l - 1), (k, l - 1),
/// (k - 1, l) and (k, l).
template <class T>
struct Weights {
  T w[4] = {0, 0, 0, 0};
};

/// A constant medium: nothing is read.
template <class T>
struct UniformBonds {
  static constexpr int words = 0;  // read for a point, weights included
  FivePointSystem<T, UniformCoefficients<T>> system;
  Transfer<T, UniformCoefficients<T>> transfer;
  Bonds<T> inner;

  UniformBonds() = default;
  UniformBonds(const FivePointSystem<T, UniformCoefficients<T>>& s,
               const Transfer<T, UniformCoefficients<T>>& t)
      : system(s), transfer(t), inner(of(s.row_of(s.coefficients.inside()))) {}

  HD static Bonds<T> of(const FivePointRow<T>& a) {
    return {-a.south, -a.west, -a.east, -a.north, a.centre != 0 ? 1 / a.centre : T(0)};
  }
  template <bool inside>
  HD Bonds<T> at(Row r) const {
    if (inside || !r.edge) return inner;
    return of(system.row(r));
  }
  template <bool inside>
  HD Weights<T> weights(Row r, const Cells& cells, int k, int l) const {
    constexpr T quarter = 0.25;
    if (inside || (r.col > 1 && r.row > 1 && r.col < cells.nx - 2 && r.row < cells.ny - 2))
      return {{quarter, quarter, quarter, quarter}};
    Weights<T> to;
    for (int n = 0; n < 4; ++n) {
      const int kn = Cells::wrapped(k - 1 + n % 2, cells.coarse_nx, cells.wraps_x),
                ln = Cells::wrapped(l - 1 + n / 2, cells.coarse_ny, cells.wraps_y);
      const bool exists = kn >= 0 && ln >= 0 && kn < cells.coarse_nx && ln < cells.coarse_ny;
      to.w[n] = exists ? transfer.weight(r, kn, ln) : T(0);
    }
    return to;
  }
};

/// Any medium, in arrays. C: of the faces as the medium has them, signed.
template <class T, class C>
struct VariableBonds {
  static constexpr int words = 4;
  const T* inverse = nullptr;
  const C *east = nullptr, *north = nullptr;
  T b = 1;                     // what K is multiplied with
  const T* weight[4] = {};     // over cells, in rows of weight_pitch
  int weight_pitch = 0;

  HD T coupling(C face) const { return b * T(Point<C>::coupling(face)); }
  template <bool inside>
  HD Bonds<T> at(Row r) const {
    return {coupling(north[r.i - r.pitch]), coupling(east[r.i - 1]), coupling(east[r.i]), coupling(north[r.i]),
            inverse[r.i]};
  }
  template <bool inside>
  HD Weights<T> weights(Row, const Cells& cells, int k, int l) const {
    if constexpr (!inside)
      k = Cells::wrapped(k, cells.across, cells.wraps_x), l = Cells::wrapped(l, cells.up, cells.wraps_y);
    const int j = l * weight_pitch + k;
    return {{weight[0][j], weight[1][j], weight[2][j], weight[3][j]}};
  }
};

}  // namespace wavesim
