#pragma once
// ELLPACK (Bell & Garland 2009): every row has as many places as the longest has entries, column-major:
// threads of neighbouring rows read neighbouring elements. `ell`: what is left of a row is zeros on its own
// column, so that there is no length to read. `ellpack-r` (Vazquez et al. 2009; Pozzo et al. 2010, section
// 3): with the length of each row, where a thread stops.

#include <utility>

#include "kernels/formats/csr.hpp"
#include "kernels/memory/padded_stride.hpp"

namespace wavesim {

/// `known`: the places of a row if that is known when compiled, else 0.
template <class T, bool lengths, int known = 0>
struct EllView {
  static constexpr bool recomputes = false;
  static constexpr Matrix matrix = Matrix::read;
  double bytes = 0;
  T* value;  // entry k of row i: value[k * stride + i]
  int* column;
  std::ptrdiff_t stride;
  int width;    // places of a row
  int* length;  // null without lengths

  HD int entries(Row r) const {
    if constexpr (lengths)
      return length[r.i];
    else
      return width;
  }
  HD std::ptrdiff_t place(int k, Row r) const { return k * stride + r.i; }

  template <class X>
  HD ValueOf<X> row(Row r, const X& x) const {
    ValueOf<X> sum = {};
    const int n = entries(r);
    if constexpr (known > 0) {
      // The loads of a whole row are in flight together, with its length: what lies beyond that is a zero and
      // the row's own unknown, which are not used.
      T a[known];
      int j[known];
      UNROLL for (int k = 0; k < known; ++k) {
        a[k] = value[k * stride + r.i];
        j[k] = column[k * stride + r.i];
      }
      UNROLL for (int k = 0; k < known; ++k) {
        const ValueOf<X> longer = multiply_add(a[k], x(j[k]), sum);
        sum = k < n ? longer : sum;
      }
    } else {
      for (int k = 0; k < n; ++k) {
        const std::ptrdiff_t at = place(k, r);
        sum = multiply_add(value[at], x(column[at]), sum);
      }
    }
    return sum;
  }
  HD T diag(Row r) const requires(known > 0) {
    const int n = entries(r);
    T d = 0;
    UNROLL for (int k = 0; k < known; ++k) d =
        ((column[k * stride + r.i] == r.i) & (k < n)) ? value[k * stride + r.i] : d;
    return d;
  }
  template <class F>
  HD void each(Row r, F&& f) const {
    const int n = entries(r);
    for (int k = 0; k < n; ++k) {
      const std::ptrdiff_t at = place(k, r);
      if (lengths || value[at] != 0) f(column[at], value[at]);
    }
  }
  HD void set(int k, Row r, int j, T a) const {
    const std::ptrdiff_t at = place(k, r);
    value[at] = a;
    column[at] = j;
  }
  /// After the n entries of a row.
  HD void end(int n, Row r) const {
    if (lengths) length[r.i] = n;
    for (int k = n; !lengths && k < width; ++k) set(k, r, r.i, T(0));
  }
};

/// A row with entries that are zero left out: the others have closed up.
template <class T, int N>
struct ClosedUp {
  T value[N];
  int column[N], length = N;

  template <class S>
  HD ClosedUp(int own, const StencilRow<T, S>& row, const Neighbours<S>& at)
      : ClosedUp(own, row, at, std::make_integer_sequence<int, N>{}) {}

 private:
  template <class S, int... k>
  HD ClosedUp(int own, const StencilRow<T, S>& row, const Neighbours<S>& at, std::integer_sequence<int, k...>)
      : value{row[k]...}, column{at.at[k]...} {
    (leave_out_zero<N - 1 - k>(own), ...);
  }
  template <int k, int... n>
  HD void shift(std::integer_sequence<int, n...>) {
    ((value[k + n] = value[k + n + 1], column[k + n] = column[k + n + 1]), ...);
  }
  template <int k>
  HD void leave_out_zero(int own) {
    if (value[k] != 0) return;
    shift<k>(std::make_integer_sequence<int, N - 1 - k>{});
    value[N - 1] = 0;
    column[N - 1] = own;
    --length;
  }
};

/// Assembly as a kernel with one output for each column of the two arrays, and one for the lengths.
template <class System>
struct AssembleEllpackR {
  using T = typename System::value;
  using S = typename System::Stencil;
  System system;
  template <class... Place>
  HD void operator()(Row r, Place&... to) const {
    const ClosedUp<T, S::points> row(r.i, system.row(r), neighbours<S>(system.topology(), r));
    set(row, std::make_integer_sequence<int, 2 * S::points + 1>{}, to...);
  }
  template <int... k, class... Place>
  HD void set(const ClosedUp<T, S::points>& row, std::integer_sequence<int, k...>, Place&... to) const {
    ((to = part<k>(row)), ...);
  }
  template <int k>
  HD static auto part(const ClosedUp<T, S::points>& row) {
    if constexpr (k < S::points)
      return row.value[k];
    else if constexpr (k < 2 * S::points)
      return row.column[k - S::points];
    else
      return row.length;
  }
};

template <class B, class T, bool lengths, int known = 0>
class Ellpack {
 public:
  using View = EllView<T, lengths, known>;
  /// Room for the rows that begin at `start`.
  Ellpack(B& backend, Extent e, const std::vector<int>& start) requires(known == 0) {
    const int width = longest_row(start);
    const double entries = start.back();
    refuse_padding(lengths ? "ellpack-r" : "ell", double(width) * e.count(), entries,
                   sizeof(T) + sizeof(int));
    make_room(backend, e, width, lengths ? entries / e.count() : width);
  }
  /// Room for the rows of a system with a stencil of so many points.
  template <class System>
  Ellpack(B& backend, Extent e, const System&) requires(lengths&& known == System::Stencil::points) {
    make_room(backend, e, known, known);
  }
  View view() const { return view_; }
  /// Takes over the rows of `from`, the view of another format.
  template <class Source>
  void fill(B& backend, Extent e, const Source& from) {
    const View A = view_;
    backend.rows("to ell", e, from.bytes + A.bytes, [=] KERNEL(Row r) {
      int k = 0;
      from.each(r, [&](int j, T a) { A.set(k++, r, j, a); });
      A.end(k, r);
    });
  }
  template <class System>
  void assemble(B& backend, Extent e, const System& system) {
    assemble(backend, e, system, std::make_integer_sequence<int, known>{});
  }

 private:
  /// `read`: how many entries a row has, in the mean.
  void make_room(B& backend, Extent e, int width, double read) {
    const std::ptrdiff_t stride = padded_stride(e.count());
    value_ = Buffer<B, T>(backend, std::size_t(width * stride));
    column_ = Buffer<B, int>(backend, std::size_t(width * stride));
    if (lengths) length_ = Buffer<B, int>(backend, std::size_t(e.count()));
    view_ = {read * (sizeof(T) + sizeof(int)) + (lengths ? sizeof(int) : 0),
             value_.data(),
             column_.data(),
             stride,
             width,
             length_.data()};
  }
  template <class System, int... k>
  void assemble(B& backend, Extent e, const System& system, std::integer_sequence<int, k...>) {
    backend.rows("assemble A", e, System::words * sizeof(T), AssembleEllpackR<System>{system},
                 Out<T>{view_.value + k * view_.stride}..., Out<int>{view_.column + k * view_.stride}...,
                 Out<int>{view_.length});
  }

  Buffer<B, T> value_;
  Buffer<B, int> column_, length_;
  View view_{};
};

/// Any matrix.
template <class B, class T>
using Ell = Ellpack<B, T, false>;
template <class B, class T>
using EllpackR = Ellpack<B, T, true>;
/// A system with a stencil.
template <class B, class T, class S>
using StencilEllpackR = Ellpack<B, T, true, S::points>;

}  // namespace wavesim
