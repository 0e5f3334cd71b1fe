#pragma once
// `dia`: one array for each diagonal. Of a stencil they are known when compiled: one for each point, and
// where an axis is periodic each wrap-round is a diagonal of its own. Of any other matrix those that have an
// entry are listed. Jost et al., "An efficient multi-algorithms sparse linear solver for GPUs", sections 2
// and 3.2. The product with the transpose gathers as the product does, without atomic additions.

#include <algorithm>
#include <utility>

#include "kernels/formats/csr.hpp"
#include "kernels/memory/padded_stride.hpp"

namespace wavesim {

/// What makes one of the diagonals of a stencil: its point, and whether that is reached round an axis.
struct Wrap {
  int point;
  bool x, y;
};

namespace diagonals {

/// In how many ways point k is reached: where it lies, round x, round y, round both.
template <IsStencil S, bool periodic>
HD constexpr int ways(int k) {
  const Offset o = S::offset(k);
  return periodic ? (o.dx != 0 ? 2 : 1) * (o.dy != 0 ? 2 : 1) : 1;
}
/// The diagonal of point k where it lies.
template <IsStencil S, bool periodic>
HD constexpr int first(int k) {
  int n = 0;
  for (int p = 0; p < k; ++p) n += ways<S, periodic>(p);
  return n;
}
template <IsStencil S, bool periodic>
HD constexpr Wrap wrap(int diagonal) {
  int p = 0;
  while (diagonal >= ways<S, periodic>(p)) diagonal -= ways<S, periodic>(p++);
  if (S::offset(p).dx == 0) return {p, false, diagonal == 1};
  return {p, diagonal % 2 == 1, diagonal / 2 == 1};
}

}  // namespace diagonals

/// The diagonals of a stencil, in the order of its points: each where it lies and, with a periodic axis,
/// then as it is reached round it.
template <IsStencil S, bool periodic>
struct StencilDiagonals {
  static constexpr bool listed = false;
  static constexpr int count = diagonals::first<S, periodic>(S::points);
  static constexpr int centre = diagonals::first<S, periodic>(wavesim::centre<S>);
  static constexpr bool edges = periodic || !next_door<S>;  // whether rows at the edges need care (Rows)
  Topology topology;

  /// Whether a row reaches all points where they lie, in memory that may be read.
  HD bool plain(Row r) const {
    if constexpr (edges)
      return reaches_inside<S>(topology, r);
    else
      return true;
  }
  /// f(k, column offset) for the diagonals k of points where they lie.
  template <class F>
  HD void each_plain(Row r, F&& f) const {
    UNROLL for (int p = 0; p < S::points; ++p) {
      const int k = first(p, std::make_integer_sequence<int, S::points>{});
      f(k, offset(k, r, std::make_integer_sequence<int, count>{}));
    }
  }
  /// f(k, column offset) for all diagonals.
  template <class F>
  HD void each(Row r, F&& f) const {
    UNROLL for (int k = 0; k < count; ++k) f(k, offset(k, r, std::make_integer_sequence<int, count>{}));
  }
  template <class F>
  HD void each_backwards(Row r, F&& f) const {
    UNROLL for (int k = count - 1; k >= 0; --k) f(k, offset(k, r, std::make_integer_sequence<int, count>{}));
  }

  /// The entry of row r on diagonal k.
  template <int k, class T>
  HD T entry(Row r, const StencilRow<T, S>& row) const {
    constexpr Wrap w = diagonals::wrap<S, periodic>(k);
    constexpr Offset o = S::offset(w.point);
    if constexpr (!periodic) {
      return row[w.point];
    } else {
      const bool round_x = o.dx < 0 ? r.col < -o.dx : o.dx > 0 && r.col >= topology.nx - o.dx,
                 round_y = o.dy < 0 ? r.row < -o.dy : o.dy > 0 && r.row >= topology.ny - o.dy;
      return round_x == w.x && round_y == w.y ? row[w.point] : T(0);
    }
  }

 private:
  // tables in registers: their loops are unrolled
  template <int... point>
  HD static int first(int p, std::integer_sequence<int, point...>) {
    constexpr int at[] = {diagonals::first<S, periodic>(point)...};
    return at[p];
  }
  template <int... diagonal>
  HD int offset(int k, Row r, std::integer_sequence<int, diagonal...>) const {
    const int at[] = {offset_of<diagonal>(r)...};
    return at[k];
  }
  template <int diagonal>
  HD int offset_of(Row r) const {
    constexpr Wrap w = diagonals::wrap<S, periodic>(diagonal);
    constexpr Offset o = S::offset(w.point);
    int d = o.dx + o.dy * r.pitch;
    if constexpr (w.x) d += o.dx < 0 ? topology.wrap_x : -topology.wrap_x;
    if constexpr (w.y) d += o.dy < 0 ? topology.wrap_y : -topology.wrap_y;
    return d;
  }
};

/// The diagonals of any matrix that have an entry, in ascending order, in the backend's memory.
struct ListedDiagonals {
  static constexpr bool listed = true;
  static constexpr bool edges = false;
  const int* offset = nullptr;
  int count = 0, centre = -1;  // -1: the main diagonal has no entry

  HD bool plain(Row) const { return false; }
  template <class F>
  HD void each_plain(Row, F&&) const {}
  template <class F>
  HD void each(Row, F&& f) const {
    for (int k = 0; k < count; ++k) f(k, offset[k]);
  }
  template <class F>
  HD void each_backwards(Row, F&& f) const {
    for (int k = count - 1; k >= 0; --k) f(k, offset[k]);
  }
  /// The place of an offset that is there.
  HD int find(int d) const {
    int low = 0, high = count - 1;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (offset[middle] < d)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
};

template <class T, class Diagonals>
struct DiaView {
  static constexpr bool recomputes = false;
  static constexpr Matrix matrix = Matrix::read;
  static constexpr bool edges = Diagonals::edges;
  double bytes;
  T* value;  // diagonal k of row i: value[k * stride + i]
  std::ptrdiff_t stride;
  int count;  // of rows
  Diagonals diagonals;

  template <class X>
  HD ValueOf<X> row(Row r, const X& x) const {
    ValueOf<X> sum = {};
    if (diagonals.plain(r))
      diagonals.each_plain(
          r, [&](int k, int d) { sum = multiply_add(value[k * stride + r.i], x(r.i + d), sum); });
    else
      diagonals.each(r, [&](int k, int d) {
        const int j = r.i + d;
        if (j >= 0 && j < count)  // a diagonal leaves the matrix on some rows
          sum = multiply_add(value[k * stride + r.i], x(j), sum);
      });
    return sum;
  }
  template <class F>
  HD void each(Row r, F&& f) const {
    diagonals.each(r, [&](int k, int d) {
      if (const T a = value[k * stride + r.i]; a != 0) f(r.i + d, a);
    });
  }
  HD T diag(Row r) const {
    const int k = diagonals.centre;
    return k < 0 ? T(0) : value[k * stride + r.i];
  }

  struct Transposed {
    static constexpr Matrix matrix = Matrix::read;
    DiaView A;
    template <class X>
    HD ValueOf<X> row(Row r, const X& x) const {
      ValueOf<X> sum = {};
      A.diagonals.each_backwards(r, [&](int k, int d) {  // of listed ones columns ascend
        const int j = r.i - d;
        if (j >= 0 && j < A.count) sum = multiply_add(A.value[k * A.stride + j], x(j), sum);
      });
      return sum;
    }
  };
  Transposed transposed() const { return {*this}; }
};

/// Assembly as a kernel with one output for each diagonal.
template <class Diagonals, class System>
struct AssembleDia {
  Diagonals diagonals;
  System system;
  template <class... V>
  HD void operator()(Row r, V&... v) const {
    set(r, std::make_integer_sequence<int, Diagonals::count>{}, v...);
  }
  template <int... k, class... V>
  HD void set(Row r, std::integer_sequence<int, k...>, V&... v) const {
    const auto row = system.row(r);
    ((v = diagonals.template entry<k>(r, row)), ...);
  }
};

template <class B, class T, class Diagonals>
class DiaOf {
 public:
  using View = DiaView<T, Diagonals>;
  /// The rows of a system with the diagonals' stencil.
  template <class System>
  DiaOf(B& backend, Extent e, const System& system) requires(!Diagonals::listed) {
    make_room(backend, e, {system.topology()}, System::Stencil::points);
  }
  /// Any square matrix, whose rows are not kept.
  DiaOf(B& backend, Extent e, const Csr<B, T>& csr) requires(Diagonals::listed) {
    const std::vector<int> offsets = offsets_of(backend, e, csr.view());
    refuse_padding("dia", double(offsets.size()) * e.count(), double(csr.entries()), sizeof(T));
    offset_ = Buffer<B, int>(backend, offsets.size());
    offset_.upload(offsets);
    const auto middle = std::lower_bound(offsets.begin(), offsets.end(), 0);
    const bool has_middle = middle != offsets.end() && *middle == 0;
    make_room(backend, e,
              {offset_.data(), int(offsets.size()), has_middle ? int(middle - offsets.begin()) : -1},
              int(offsets.size()));
    fill(backend, e, csr.view());
    backend.synchronize();  // before csr is let go
  }
  View view() const { return view_; }
  template <class System>
  void assemble(B& backend, Extent e, const System& system) {
    assemble(backend, e, system, std::make_integer_sequence<int, Diagonals::count>{});
  }
  void fill(B& backend, Extent e, const CsrView<T>& from) {
    const View A = view_;
    backend.zero(value_.data(), value_.size());
    backend.rows("csr to dia", e, 2 * A.bytes, [=] KERNEL(Row r) {
      for (int k = from.start[r.i]; k < from.start[r.i + 1]; ++k)
        A.value[A.diagonals.find(from.column[k] - r.i) * A.stride + r.i] = from.value[k];
    });
  }
  /// The diagonals that have an entry, in ascending order.
  std::vector<int> offsets_of(B& backend, Extent e, const CsrView<T>& from) {
    const int n = e.count();
    Buffer<B, int> seen(backend, 2 * std::size_t(n));
    int* marks = seen.data();
    backend.rows("diagonals", e, from.bytes, [=] KERNEL(Row r) {
      for (int k = from.start[r.i]; k < from.start[r.i + 1]; ++k)
        if (const int at = from.column[k] - r.i + n; marks[at] == 0) marks[at] = 1;  // all write the same
    });
    const std::vector<int> marked = seen.download();
    std::vector<int> offsets;
    for (int k = 0; k < 2 * n; ++k)
      if (marked[k]) offsets.push_back(k - n);
    return offsets;
  }

 private:
  /// `read`: how many diagonals a row reads. Those that wrap round are read at the edges alone.
  void make_room(B& backend, Extent e, const Diagonals& diagonals, int read) {
    if (double(e.pitch) * e.ny > 2e9)
      throw InputError(
          "dia counts at most 2e9 values on a diagonal, and this grid has more; use format stencil");
    const std::ptrdiff_t stride = padded_stride(e.count());
    value_ = Buffer<B, T>(backend, std::size_t(diagonals.count) * std::size_t(stride));
    view_ = {double(read) * sizeof(T), value_.data(), stride, e.count(), diagonals};
  }
  template <class System, int... k>
  void assemble(B& backend, Extent e, const System& system, std::integer_sequence<int, k...>) {
    backend.rows("assemble A", e, System::words * sizeof(T),
                 AssembleDia<Diagonals, System>{view_.diagonals, system},
                 Out<T>{view_.value + k * view_.stride}...);
  }

  Buffer<B, T> value_;
  Buffer<B, int> offset_;
  View view_{};
};

/// Any matrix.
template <class B, class T>
using Dia = DiaOf<B, T, ListedDiagonals>;
/// A system with a stencil.
template <class B, class T, class S, bool periodic>
using StencilDia = DiaOf<B, T, StencilDiagonals<S, periodic>>;

}  // namespace wavesim
