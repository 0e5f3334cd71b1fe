#pragma once
// `dia` for any matrix: one array for each diagonal that has an entry (Jost et al., section 3.2). The product
// with the transpose gathers as the product does, without atomic additions.

#include <algorithm>

#include "kernels/formats/csr.hpp"

namespace wavesim {

template <class T>
struct GeneralDiaView {
  static constexpr bool recomputes = false;
  static constexpr Matrix matrix = Matrix::read;
  double bytes = 0;
  T* value;  // diagonal k of row i: value[k * stride + i]
  const int* offset;
  int stride, diagonals;

  template <class X>
  HD T row(Row r, const X& x) const {
    T sum = 0;
    for (int k = 0; k < diagonals; ++k) {
      const int j = r.i + offset[k];
      if (j >= 0 && j < stride) sum = std::fma(value[std::ptrdiff_t(k) * stride + r.i], x(j), sum);
    }
    return sum;
  }
  template <class F>
  HD void each(Row r, F&& f) const {
    for (int k = 0; k < diagonals; ++k)
      if (const T a = value[std::ptrdiff_t(k) * stride + r.i]; a != 0) f(r.i + offset[k], a);
  }

  struct Transposed {
    const T* value;
    const int* offset;
    int stride, diagonals;
    template <class X>
    HD T row(Row r, const X& x) const {
      T sum = 0;
      for (int k = diagonals - 1; k >= 0; --k) {  // columns ascend
        const int j = r.i - offset[k];
        if (j >= 0 && j < stride) sum = std::fma(value[std::ptrdiff_t(k) * stride + j], x(j), sum);
      }
      return sum;
    }
  };
  Transposed transposed() const { return {value, offset, stride, diagonals}; }
};

template <class B, class T>
class GeneralDia {
 public:
  using View = GeneralDiaView<T>;
  /// Any square matrix, whose rows are not kept.
  GeneralDia(B& backend, Extent e, const Csr<B, T>& csr) {
    const std::vector<int> offsets = offsets_of(backend, e, csr.view());
    const double stored = double(offsets.size()) * e.count();
    refuse_padding("dia", stored, double(csr.entries()), sizeof(T));
    offset_ = Buffer<B, int>(backend, offsets.size());
    offset_.upload(offsets);
    value_ = Buffer<B, T>(backend, std::size_t(stored));
    view_ = {double(offsets.size()) * sizeof(T), value_.data(), offset_.data(), e.count(),
             int(offsets.size())};
    fill(backend, e, csr.view());
    backend.synchronize();  // before csr is let go
  }
  View view() const { return view_; }
  void fill(B& backend, Extent e, const CsrView<T>& from) {
    const View A = view_;
    backend.zero(value_.data(), value_.size());
    backend.rows("csr to dia", e, 2 * A.bytes, [=] HD(Row r) {
      for (int k = from.start[r.i]; k < from.start[r.i + 1]; ++k) {
        const int d = from.column[k] - r.i;
        int low = 0, high = A.diagonals - 1;  // offsets ascend
        while (low < high) {
          const int middle = (low + high) / 2;
          if (A.offset[middle] < d)
            low = middle + 1;
          else
            high = middle;
        }
        A.value[std::ptrdiff_t(low) * A.stride + r.i] = from.value[k];
      }
    });
  }
  /// The diagonals that have an entry, in ascending order.
  std::vector<int> offsets_of(B& backend, Extent e, const CsrView<T>& from) {
    const int n = e.count();
    Buffer<B, int> seen(backend, 2 * std::size_t(n));
    int* marks = seen.data();
    backend.rows("diagonals", e, from.bytes, [=] HD(Row r) {
      for (int k = from.start[r.i]; k < from.start[r.i + 1]; ++k)
        if (const int at = from.column[k] - r.i + n; marks[at] == 0) marks[at] = 1;  // all write the same
    });
    const std::vector<int> marked = seen.download();
    std::vector<int> offsets;
    for (int d = -n; d < n; ++d)
      if (marked[std::size_t(d + n)]) offsets.push_back(d);
    return offsets;
  }

 private:
  Buffer<B, T> value_;
  Buffer<B, int> offset_;
  View view_{};
};

}  // namespace wavesim
