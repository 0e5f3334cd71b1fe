#pragma once
// ELLPACK (Bell & Garland 2009) for any matrix: every row has as many places as the longest has entries,
// column-major. `ell`: what is left of a row is zeros on its own column, so that there is no length to read.
// `ellpack-r` (Vazquez et al. 2009): with the length of each row, where a thread stops.

#include "kernels/formats/csr.hpp"

namespace wavesim {

template <class T, bool lengths>
struct EllView {
  static constexpr bool recomputes = false;
  static constexpr Matrix matrix = Matrix::read;
  double bytes = 0;
  T* value;  // entry k of row i: value[k * stride + i]
  int* column;
  int stride, width;
  int* length;  // null without lengths

  HD int entries(Row r) const {
    if constexpr (lengths)
      return length[r.i];
    else
      return width;
  }
  HD std::ptrdiff_t place(int k, Row r) const { return std::ptrdiff_t(k) * stride + r.i; }

  template <class X>
  HD T row(Row r, const X& x) const {
    T sum = 0;
    const int n = entries(r);
    for (int k = 0; k < n; ++k) {
      const std::ptrdiff_t at = place(k, r);
      sum = std::fma(value[at], x(column[at]), sum);
    }
    return sum;
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

template <class B, class T, bool lengths>
class Ellpack {
 public:
  using View = EllView<T, lengths>;
  /// Room for the rows that begin at `start`.
  Ellpack(B& backend, Extent e, const std::vector<int>& start) {
    const int width = longest_row(start);
    const double entries = start.back(), each = sizeof(T) + sizeof(int);
    refuse_padding(lengths ? "ellpack-r" : "ell", double(width) * e.count(), entries, each);
    value_ = Buffer<B, T>(backend, std::size_t(width) * e.count());
    column_ = Buffer<B, int>(backend, std::size_t(width) * e.count());
    if (lengths) length_ = Buffer<B, int>(backend, std::size_t(e.count()));
    view_ = {lengths ? entries / e.count() * each + sizeof(int) : width * each,
             value_.data(),
             column_.data(),
             e.count(),
             width,
             length_.data()};
  }
  View view() const { return view_; }
  /// Takes over the rows of `from`, the view of another format.
  template <class Source>
  void fill(B& backend, Extent e, const Source& from) {
    const View A = view_;
    backend.rows("to ell", e, from.bytes + A.bytes, [=] HD(Row r) {
      int k = 0;
      from.each(r, [&](int j, T a) { A.set(k++, r, j, a); });
      A.end(k, r);
    });
  }

 private:
  Buffer<B, T> value_;
  Buffer<B, int> column_, length_;
  View view_{};
};

template <class B, class T>
using Ell = Ellpack<B, T, false>;
template <class B, class T>
using GeneralEllpackR = Ellpack<B, T, true>;

}  // namespace wavesim
