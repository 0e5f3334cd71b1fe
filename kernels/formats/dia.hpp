#pragma once
// `dia`: one array for each diagonal. Five diagonals, or nine where an axis is periodic: each wrap-round is a
// diagonal of its own. Jost et al., "An efficient multi-algorithms sparse linear solver for GPUs", section 2.

#include "kernels/field.hpp"
#include "kernels/formats/five_point.hpp"

namespace wavesim {

/// Diagonals in the order south, (south wrapped), west, (west wrapped), centre, east, (east wrapped), north,
/// (north wrapped).
template <class T, int N>
struct DiaView {
  static_assert(N == 5 || N == 9);
  static constexpr bool recomputes = false;
  static constexpr double bytes = N * sizeof(T);
  static constexpr int centre = N / 2;
  T* value;  // diagonal k of row i: value[k * stride + i]
  int stride;
  Topology topology;

  /// Column offset of diagonal k.
  HD int offset(int k, int pitch) const {
    if constexpr (N == 5) {
      const int at[5] = {-pitch, -1, 0, 1, pitch};
      return at[k];
    } else {
      const Topology& t = topology;
      const int at[9] = {-pitch, t.wrap_y - pitch, -1,    t.wrap_x - 1,    0,
                         1,      1 - t.wrap_x,     pitch, pitch - t.wrap_y};
      return at[k];
    }
  }
  template <class X>
  HD T row(Row r, const X& x) const {
    T sum = 0;
    UNROLL for (int k = 0; k < N; ++k) {
      const int j = r.i + offset(k, r.pitch);
      if constexpr (N == 5) {
        sum = std::fma(value[k * stride + r.i], x(j), sum);
      } else if (j >= 0 && j < stride) {  // a wrapped diagonal leaves the matrix on most rows
        sum = std::fma(value[k * stride + r.i], x(j), sum);
      }
    }
    return sum;
  }
  HD T diag(Row r) const { return value[centre * stride + r.i]; }
  HD void set_row(Row r, const FivePointRow<T>& a) const {
    T* v = value + r.i;
    if constexpr (N == 5) {
      v[0] = a.south;
      v[stride] = a.west;
      v[2 * stride] = a.centre;
      v[3 * stride] = a.east;
      v[4 * stride] = a.north;
    } else {
      const bool south = r.row == 0, west = r.col == 0, east = r.col == topology.nx - 1,
                 north = r.row == topology.ny - 1;
      v[0] = south ? T(0) : a.south;
      v[stride] = south ? a.south : T(0);
      v[2 * stride] = west ? T(0) : a.west;
      v[3 * stride] = west ? a.west : T(0);
      v[4 * stride] = a.centre;
      v[5 * stride] = east ? T(0) : a.east;
      v[6 * stride] = east ? a.east : T(0);
      v[7 * stride] = north ? T(0) : a.north;
      v[8 * stride] = north ? a.north : T(0);
    }
  }
};

template <class B, class T, int N>
class Dia {
 public:
  using View = DiaView<T, N>;
  template <class System>
  Dia(B& backend, Extent e, const System& system)
      : values_(backend, std::size_t(N) * e.count()), view_{values_.data(), e.count(), system.topology()} {}
  View view() const { return view_; }

 private:
  Buffer<B, T> values_;
  View view_;
};

}  // namespace wavesim
