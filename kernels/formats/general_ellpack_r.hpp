#pragma once
// `ellpack-r` for any matrix: ELLPACK with the length of each row, where a thread stops (Vazquez et al.
// 2009).

#include "kernels/formats/csr.hpp"

namespace wavesim {

template <class T>
struct GeneralEllpackRView {
  static constexpr bool recomputes = false;
  static constexpr Matrix matrix = Matrix::read;
  double bytes = 0;
  T* value;  // entry k of row i: value[k * stride + i]
  int *column, *length;
  int stride, width;

  template <class X>
  HD T row(Row r, const X& x) const {
    T sum = 0;
    for (int k = 0; k < length[r.i]; ++k) {
      const std::ptrdiff_t at = std::ptrdiff_t(k) * stride + r.i;
      sum = std::fma(value[at], x(column[at]), sum);
    }
    return sum;
  }
  template <class F>
  HD void each(Row r, F&& f) const {
    for (int k = 0; k < length[r.i]; ++k) {
      const std::ptrdiff_t at = std::ptrdiff_t(k) * stride + r.i;
      f(column[at], value[at]);
    }
  }
};

template <class B, class T>
class GeneralEllpackR {
 public:
  using View = GeneralEllpackRView<T>;
  GeneralEllpackR(B& backend, Extent e, Csr<B, T> csr) : csr_(std::move(csr)) {
    const int width = longest_row(csr_.starts());
    refuse_padding("ellpack-r", double(width) * e.count(), double(csr_.entries()), sizeof(T) + sizeof(int));
    value_ = Buffer<B, T>(backend, std::size_t(width) * e.count());
    column_ = Buffer<B, int>(backend, std::size_t(width) * e.count());
    length_ = Buffer<B, int>(backend, std::size_t(e.count()));
    const double read = double(csr_.entries()) / e.count() * (sizeof(T) + sizeof(int)) + sizeof(int);
    view_ = {read, value_.data(), column_.data(), length_.data(), e.count(), width};
    fill(backend, e);
  }
  View view() const { return view_; }
  const Csr<B, T>& csr() const { return csr_; }
  Csr<B, T>& csr() { return csr_; }
  /// Takes over the values of csr().
  void fill(B& backend, Extent e) {
    const View A = view_;
    const CsrView<T> from = csr_.view();
    backend.rows("csr to ellpack-r", e, 2 * A.bytes, [=] HD(Row r) {
      const int first = from.start[r.i], n = from.start[r.i + 1] - first;
      for (int k = 0; k < n; ++k) {
        const std::ptrdiff_t at = std::ptrdiff_t(k) * A.stride + r.i;
        A.value[at] = from.value[first + k];
        A.column[at] = from.column[first + k];
      }
      A.length[r.i] = n;
    });
  }

 private:
  Csr<B, T> csr_;
  Buffer<B, T> value_;
  Buffer<B, int> column_, length_;
  View view_{};
};

}  // namespace wavesim
