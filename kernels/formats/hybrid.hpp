#pragma once
// `hybrid`: ELLPACK for the first entries of every row, compressed sparse rows for the rest of the long ones
// (after Bell & Garland 2009, whose rest is a list of coordinates; rows need no atomic additions). The width
// is the largest that a third of the rows fill.

#include <algorithm>

#include "kernels/formats/ell.hpp"

namespace wavesim {

template <class T>
struct HybridView {
  static constexpr bool recomputes = false;
  static constexpr Matrix matrix = Matrix::read;
  double bytes = 0;
  EllView<T, false> first;
  CsrView<T> rest;

  template <class X>
  HD ValueOf<X> row(Row r, const X& x) const {
    ValueOf<X> sum = first.row(r, x);
    for (int k = rest.start[r.i]; k < rest.start[r.i + 1]; ++k)
      sum = multiply_add(rest.value[k], x(rest.column[k]), sum);
    return sum;
  }
  template <class F>
  HD void each(Row r, F&& f) const {
    first.each(r, f);
    rest.each(r, f);
  }
  HD void set(int k, Row r, int j, T a) const {
    if (k < first.width) return first.set(k, r, j, a);
    const int at = rest.start[r.i] + k - first.width;
    rest.value[at] = a;
    rest.column[at] = j;
  }
};

template <class B, class T>
class Hybrid {
 public:
  using View = HybridView<T>;
  /// Room for the rows that begin at `start`.
  Hybrid(B& backend, Extent, const std::vector<int>& start) {
    const std::size_t n = start.size() - 1;
    std::vector<int> lengths(n);
    for (std::size_t i = 0; i < n; ++i) lengths[i] = start[i + 1] - start[i];
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
    const double read = (width + double(rest_.entries()) / double(n)) * each + sizeof(int);
    view_ = {read, {width * each, value_.data(), column_.data(), int(n), width, nullptr}, rest_.view()};
  }
  View view() const { return view_; }
  /// Takes over the rows of `from`, the view of another format.
  template <class Source>
  void fill(B& backend, Extent e, const Source& from) {
    const View A = view_;
    backend.rows("to hybrid", e, from.bytes + A.bytes, [=] KERNEL(Row r) {
      int k = 0;
      from.each(r, [&](int j, T a) { A.set(k++, r, j, a); });
      if (k < A.first.width) A.first.end(k, r);
    });
  }

 private:
  Csr<B, T> rest_;
  Buffer<B, T> value_;
  Buffer<B, int> column_;
  View view_{};
};

}  // namespace wavesim
