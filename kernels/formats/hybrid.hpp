#pragma once
// `hybrid`: ELLPACK for the first entries of every row, compressed sparse rows for the rest of the long ones
// (after Bell & Garland 2009, whose rest is a list of coordinates; rows need no atomic additions). The width
// is the largest that a third of the rows fill.

#include <algorithm>

#include "kernels/formats/csr.hpp"

namespace wavesim {

template <class T>
struct HybridView {
  static constexpr bool recomputes = false;
  static constexpr Matrix matrix = Matrix::read;
  double bytes = 0;
  T* value;
  int* column;
  int stride, width;
  CsrView<T> rest;

  template <class X>
  HD T row(Row r, const X& x) const {
    T sum = 0;
    for (int k = 0; k < width; ++k) {
      const std::ptrdiff_t at = std::ptrdiff_t(k) * stride + r.i;
      sum = std::fma(value[at], x(column[at]), sum);
    }
    for (int k = rest.start[r.i]; k < rest.start[r.i + 1]; ++k)
      sum = std::fma(rest.value[k], x(rest.column[k]), sum);
    return sum;
  }
  template <class F>
  HD void each(Row r, F&& f) const {
    for (int k = 0; k < width; ++k) {
      const std::ptrdiff_t at = std::ptrdiff_t(k) * stride + r.i;
      if (value[at] != 0) f(column[at], value[at]);
    }
    rest.each(r, f);
  }
};

template <class B, class T>
class Hybrid {
 public:
  using View = HybridView<T>;
  Hybrid(B& backend, Extent e, Csr<B, T> csr) : csr_(std::move(csr)) {
    const std::vector<int> rows = csr_.starts();
    const std::size_t n = rows.size() - 1;
    std::vector<int> lengths(n);
    for (std::size_t i = 0; i < n; ++i) lengths[i] = rows[i + 1] - rows[i];
    std::vector<int> sorted = lengths;
    std::nth_element(sorted.begin(), sorted.begin() + std::ptrdiff_t(n - n / 3 - 1), sorted.end());
    const int width = sorted[n - n / 3 - 1];
    std::vector<int> left(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) left[i] = std::max(0, lengths[i] - width);
    Buffer<B, int> counts(backend, n + 1);
    counts.upload(left);
    rest_ = Csr<B, T>(backend, std::move(counts));
    value_ = Buffer<B, T>(backend, std::size_t(width) * n);
    column_ = Buffer<B, int>(backend, std::size_t(width) * n);
    const double each = sizeof(T) + sizeof(int);
    view_ = {(width + double(rest_.entries()) / double(n)) * each + sizeof(int),
             value_.data(),
             column_.data(),
             int(n),
             width,
             rest_.view()};
    fill(backend, e);
  }
  View view() const { return view_; }
  const Csr<B, T>& csr() const { return csr_; }
  Csr<B, T>& csr() { return csr_; }
  void fill(B& backend, Extent e) {
    const View A = view_;
    const CsrView<T> from = csr_.view();
    backend.rows("csr to hybrid", e, 2 * A.bytes, [=] HD(Row r) {
      int k = from.start[r.i];
      const int last = from.start[r.i + 1];
      for (int m = 0; m < A.width; ++m, ++k) {
        const std::ptrdiff_t at = std::ptrdiff_t(m) * A.stride + r.i;
        A.value[at] = k < last ? from.value[k] : T(0);
        A.column[at] = k < last ? from.column[k] : r.i;
      }
      for (int m = A.rest.start[r.i]; k < last; ++k, ++m) {
        A.rest.value[m] = from.value[k];
        A.rest.column[m] = from.column[k];
      }
    });
  }

 private:
  Csr<B, T> csr_, rest_;
  Buffer<B, T> value_;
  Buffer<B, int> column_;
  View view_{};
};

}  // namespace wavesim
