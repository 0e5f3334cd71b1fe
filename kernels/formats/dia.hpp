#pragma once
// `dia`: one array for each diagonal. Five diagonals, or nine where an axis is periodic: each wrap-round is a
// diagonal of its own. Jost et al., "An efficient multi-algorithms sparse linear solver for GPUs", section 2.

#include <utility>

#include "kernels/formats/five_point.hpp"
#include "kernels/memory/field.hpp"
#include "kernels/memory/padded_stride.hpp"

namespace wavesim {

/// Diagonals in the order south, (south wrapped), west, (west wrapped), centre, east, (east wrapped), north,
/// (north wrapped).
template <class T, int N>
struct DiaView {
  static_assert(N == 5 || N == 9);
  static constexpr bool recomputes = false;
  static constexpr Matrix matrix = Matrix::read;
  static constexpr double bytes = 5 * sizeof(T);  // wrapped diagonals are read at the edges alone
  static constexpr int centre = N / 2;
  static constexpr bool edges = N == 9;  // wrapped diagonals are zero but for rows at the edges
  T* value;                              // diagonal k of row i: value[k * stride + i]
  std::ptrdiff_t stride;
  int count;
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
    if (N == 5 || !r.edge) {
      constexpr int beside[5] = {0, N == 5 ? 1 : 2, centre, N == 5 ? 3 : 5, N == 5 ? 4 : 7};
      UNROLL for (int k = 0; k < 5; ++k) sum =
          std::fma(value[beside[k] * stride + r.i], x(r.i + offset(beside[k], r.pitch)), sum);
    } else {
      UNROLL for (int k = 0; k < N; ++k) {
        const int j = r.i + offset(k, r.pitch);
        if (j >= 0 && j < count)  // a wrapped diagonal leaves the matrix on most rows
          sum = std::fma(value[k * stride + r.i], x(j), sum);
      }
    }
    return sum;
  }
  template <class F>
  HD void each(Row r, F&& f) const {
    UNROLL for (int k = 0; k < N; ++k) if (value[k * stride + r.i] != 0)
        f(r.i + offset(k, r.pitch), value[k * stride + r.i]);
  }
  HD T diag(Row r) const { return value[centre * stride + r.i]; }
  /// The entries of a row, diagonal by diagonal.
  struct Entries {
    T v[N];
  };
  HD Entries entries(Row r, const FivePointRow<T>& a) const {
    if constexpr (N == 5) {
      return {{a.south, a.west, a.centre, a.east, a.north}};
    } else {
      const bool south = r.row == 0, west = r.col == 0, east = r.col == topology.nx - 1,
                 north = r.row == topology.ny - 1;
      return {{south ? T(0) : a.south, south ? a.south : T(0), west ? T(0) : a.west, west ? a.west : T(0),
               a.centre, east ? T(0) : a.east, east ? a.east : T(0), north ? T(0) : a.north,
               north ? a.north : T(0)}};
    }
  }
};

/// Assembly as a kernel with one output for each diagonal.
template <class View, class System>
struct AssembleDia {
  View A;
  System system;
  template <class... V>
  HD void operator()(Row r, V&... v) const {
    const auto row = A.entries(r, system.row(r));
    int k = 0;
    ((v = row.v[k++]), ...);
  }
};

template <class B, class T, int N>
class Dia {
 public:
  using View = DiaView<T, N>;
  template <class System>
  Dia(B& backend, Extent e, const System& system)
      : values_(backend, std::size_t(N) * std::size_t(padded_stride(e.count()))),
        view_{values_.data(), padded_stride(e.count()), e.count(), system.topology()} {}
  View view() const { return view_; }
  template <class System>
  void assemble(B& backend, Extent e, const System& system) {
    diagonals(backend, e, system, std::make_integer_sequence<int, N>{});
  }

 private:
  template <class System, int... K>
  void diagonals(B& backend, Extent e, const System& system, std::integer_sequence<int, K...>) {
    backend.rows("assemble A", e, System::words * sizeof(T), AssembleDia<View, System>{view_, system},
                 Out<T>{view_.value + K * view_.stride}...);
  }

  Buffer<B, T> values_;
  View view_;
};

}  // namespace wavesim
