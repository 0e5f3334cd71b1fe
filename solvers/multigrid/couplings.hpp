#pragma once
// What the passes of a cycle need of a grid: couplings, inverse diagonals, and weights of interpolation.

#include <vector>

#include "kernels/grid/wave_system.hpp"
#include "solvers/multigrid/cells.hpp"

namespace wavesim {

/// Of a point: its couplings, which are positive, and the inverse of its diagonal.
template <class T>
struct Couplings {
  T south = 0, west = 0, east = 0, north = 0, inverse = 0;
};

/// Of point r0 of cell (k, l): the weights with which it takes from coarse points (k - 1, l - 1), (k, l - 1),
/// (k - 1, l) and (k, l).
template <class T>
struct Weights {
  T w[4] = {0, 0, 0, 0};
};

/// A constant medium: no arrays are read. Points at least two away from the edges are all alike; the others
/// depend on their distance from the edges, by a small table.
template <class T>
struct UniformCouplings {
  static constexpr int words = 0;  // read for a point, weights included
  static constexpr int kinds = PointPlace::kinds;
  struct Entry {
    Couplings<T> couplings;
    Weights<T> weights;
  };
  Couplings<T> inner;
  const Entry* table = nullptr;  // by kinds of row and column

  template <bool inside>
  HD Couplings<T> at(int, int, int kind) const {
    return inside ? inner : table[kind].couplings;
  }
  template <bool inside>
  HD Weights<T> weights(int kind, const Cells&, int, int) const {
    constexpr T quarter = 0.25;
    if (inside) return {{quarter, quarter, quarter, quarter}};
    return table[kind].weights;
  }

  static Couplings<T> of(const StencilRow<T, FivePoint>& a) {
    using S = FivePoint;
    return {-a[S::south], -a[S::west], -a[S::east], -a[S::north],
            a[S::centre] != 0 ? 1 / a[S::centre] : T(0)};
  }
  static std::vector<Entry> make_table(const WaveSystem<T, UniformCoefficients<T>>& system,
                                       const Transfer<T, UniformCoefficients<T>>& transfer,
                                       const Cells& cells) {
    std::vector<Entry> table(kinds * kinds);
    for (int y = 0; y < kinds && y < cells.ny; ++y)
      for (int x = 0; x < kinds && x < cells.nx; ++x) {
        const int col = PointPlace::example(x, cells.nx), row = PointPlace::example(y, cells.ny);
        const Row r{cells.starts(row) + col, col, row, cells.starts.pitch,
                    col == 0 || row == 0 || col == cells.nx - 1 || row == cells.ny - 1};
        Entry& e = table[y * kinds + x];
        e.couplings = of(system.row(r));
        e.weights = {{T(0.25), T(0.25), T(0.25), T(0.25)}};
        const int u = col + cells.shift_x, v = row + cells.shift_y;
        const bool inner_x = x == 2 && cells.nx > kinds, inner_y = y == 2 && cells.ny > kinds;
        // Weights belong to r0. An inner column is taken as one that has r0.
        if ((u % 2 != 0 && !inner_x) || (v % 2 != 0 && !inner_y) || (inner_x && inner_y)) continue;
        Row r0;
        const int u0 = u + u % 2, v0 = v + v % 2;
        if (cells.template point<false>(u0, v0, r0))
          e.weights = interpolation(transfer, cells, r0, u0 / 2, v0 / 2);
      }
    return table;
  }
  static Weights<T> interpolation(const Transfer<T, UniformCoefficients<T>>& transfer, const Cells& cells,
                                  Row r, int k, int l) {
    Weights<T> to;
    for (int n = 0; n < 4; ++n) {
      int j;
      const int kn = Cells::wrapped(k - 1 + n % 2, cells.coarse_nx, cells.wraps_x),
                ln = Cells::wrapped(l - 1 + n / 2, cells.coarse_ny, cells.wraps_y);
      to.w[n] = cells.template coarse<false>(kn, ln, j) ? transfer.weight(r, kn, ln) : T(0);
    }
    return to;
  }
};

/// Any medium, in arrays. C: of the faces as the medium has them, signed.
template <class T, class C>
struct VariableCouplings {
  static constexpr int words = 4;
  const T* inverse = nullptr;
  const C *east = nullptr, *north = nullptr;
  T b = 1;                  // what K is multiplied with
  const T* weight[4] = {};  // over cells, in rows of weight_pitch
  int weight_pitch = 0;

  HD T coupling(C face) const { return b * T(Point<C>::coupling(face)); }
  template <bool inside>
  HD Couplings<T> at(int i, int pitch, int) const {
    return {coupling(north[i - pitch]), coupling(east[i - 1]), coupling(east[i]), coupling(north[i]),
            inverse[i]};
  }
  template <bool inside>
  HD Weights<T> weights(int, const Cells& cells, int k, int l) const {
    if constexpr (!inside)
      k = Cells::wrapped(k, cells.across, cells.wraps_x), l = Cells::wrapped(l, cells.up, cells.wraps_y);
    const int j = l * weight_pitch + k;
    return {{weight[0][j], weight[1][j], weight[2][j], weight[3][j]}};
  }
};

}  // namespace wavesim
