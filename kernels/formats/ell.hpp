#pragma once
// `ell`: ELLPACK (Bell & Garland 2009): every row as long as the longest, column-major. Padding is a zero on
// the row's own column, so that there is no length to read.

#include "kernels/formats/csr.hpp"

namespace wavesim {

template <class T>
struct EllView {
  static constexpr bool recomputes = false;
  static constexpr Matrix matrix = Matrix::read;
  double bytes = 0;
  T* value;  // entry k of row i: value[k * stride + i]
  int* column;
  int stride, width;

  template <class X>
  HD T row(Row r, const X& x) const {
    T sum = 0;
    for (int k = 0; k < width; ++k) {
      const std::ptrdiff_t at = std::ptrdiff_t(k) * stride + r.i;
      sum = std::fma(value[at], x(column[at]), sum);
    }
    return sum;
  }
  template <class F>
  HD void each(Row r, F&& f) const {
    for (int k = 0; k < width; ++k) {
      const std::ptrdiff_t at = std::ptrdiff_t(k) * stride + r.i;
      if (value[at] != 0) f(column[at], value[at]);
    }
  }
};

template <class B, class T>
class Ell {
 public:
  using View = EllView<T>;
  Ell(B& backend, Extent e, Csr<B, T> csr) : csr_(std::move(csr)) {
    const int width = longest_row(csr_.starts());
    refuse_padding("ell", double(width) * e.count(), double(csr_.entries()), sizeof(T) + sizeof(int));
    value_ = Buffer<B, T>(backend, std::size_t(width) * e.count());
    column_ = Buffer<B, int>(backend, std::size_t(width) * e.count());
    view_ = {double(width) * (sizeof(T) + sizeof(int)), value_.data(), column_.data(), e.count(), width};
    fill(backend, e);
  }
  View view() const { return view_; }
  const Csr<B, T>& csr() const { return csr_; }
  Csr<B, T>& csr() { return csr_; }
  /// Takes over the values of csr().
  void fill(B& backend, Extent e) {
    const View A = view_;
    const CsrView<T> from = csr_.view();
    backend.rows("csr to ell", e, 2 * A.bytes, [=] HD(Row r) {
      const int first = from.start[r.i], n = from.start[r.i + 1] - first;
      for (int k = 0; k < A.width; ++k) {
        const std::ptrdiff_t at = std::ptrdiff_t(k) * A.stride + r.i;
        A.value[at] = k < n ? from.value[first + k] : T(0);
        A.column[at] = k < n ? from.column[first + k] : r.i;
      }
    });
  }

 private:
  Csr<B, T> csr_;
  Buffer<B, T> value_;
  Buffer<B, int> column_;
  View view_{};
};

}  // namespace wavesim
