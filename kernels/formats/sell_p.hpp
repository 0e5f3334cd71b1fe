#pragma once
// `sell-p`: sliced ELLPACK with padding (Anzt, Tomov & Dongarra 2014): slices of 64 rows, each as wide as its
// longest row, rounded up to an even number.

#include "kernels/formats/csr.hpp"

namespace wavesim {

template <class T>
struct SellPView {
  static constexpr bool recomputes = false;
  static constexpr Matrix matrix = Matrix::read;
  static constexpr int slice = 64;  // rows
  double bytes = 0;
  T* value;  // entry k of row i in slice s: value[start[s] + k * slice + i % slice]
  int *column, *start;

  template <class X>
  HD ValueOf<X> row(Row r, const X& x) const {
    ValueOf<X> sum = {};
    const int s = r.i / slice, end = start[s + 1];
    for (int at = start[s] + r.i % slice; at < end; at += slice)
      sum = multiply_add(value[at], x(column[at]), sum);
    return sum;
  }
  template <class F>
  HD void each(Row r, F&& f) const {
    const int s = r.i / slice, end = start[s + 1];
    for (int at = start[s] + r.i % slice; at < end; at += slice)
      if (value[at] != 0) f(column[at], value[at]);
  }
};

template <class B, class T>
class SellP {
 public:
  using View = SellPView<T>;
  /// Room for the rows that begin at `rows`.
  SellP(B& backend, Extent, const std::vector<int>& rows) {
    const int n = int(rows.size()) - 1;
    std::vector<int> start{0};
    double total = 0;
    for (int first = 0; first < n; first += View::slice) {
      int width = 0;
      for (int i = first; i < n && i < first + View::slice; ++i) {
        const int length = rows[std::size_t(i) + 1] - rows[i];
        width = length > width ? length : width;
      }
      total += double(width + width % 2) * View::slice;
      if (total < 2e9) start.push_back(int(total));
    }
    refuse_padding("sell-p", total, double(rows.back()), sizeof(T) + sizeof(int));
    start_ = Buffer<B, int>(backend, start.size());
    start_.upload(start);
    value_ = Buffer<B, T>(backend, std::size_t(start.back()));
    column_ = Buffer<B, int>(backend, std::size_t(start.back()));
    view_ = {total / n * (sizeof(T) + sizeof(int)), value_.data(), column_.data(), start_.data()};
  }
  View view() const { return view_; }
  /// Takes over the rows of `from`, the view of another format.
  template <class Source>
  void fill(B& backend, Extent e, const Source& from) {
    const View A = view_;
    backend.rows("to sell-p", e, from.bytes + A.bytes, [=] KERNEL(Row r) {
      const int s = r.i / View::slice, end = A.start[s + 1];
      int at = A.start[s] + r.i % View::slice;
      from.each(r, [&](int j, T a) {
        A.value[at] = a;
        A.column[at] = j;
        at += View::slice;
      });
      for (; at < end; at += View::slice) {
        A.value[at] = T(0);
        A.column[at] = r.i;
      }
    });
  }

 private:
  Buffer<B, T> value_;
  Buffer<B, int> column_, start_;
  View view_{};
};

}  // namespace wavesim
