#pragma once
// `ellpack-r`: ELLPACK with the length of each row (Vazquez et al. 2009; Pozzo et al. 2010, section 3).
// Column-major: threads of neighbouring rows read neighbouring elements, and stop at their own row's length.

#include "kernels/field.hpp"
#include "kernels/formats/five_point.hpp"

namespace wavesim {

template <class T>
struct EllpackRView {
  static constexpr bool recomputes = false;
  static constexpr int width = 5;
  static constexpr double bytes = width * (sizeof(T) + sizeof(int)) + sizeof(int);
  T* value;  // entry k of row i: value[k * stride + i]
  int* column;
  int* length;
  int stride;
  Topology topology;

  template <class X>
  HD T row(Row r, const X& x) const {
    const int n = length[r.i];
    T sum = 0;
    UNROLL for (int k = 0; k < width; ++k)  // unrolled: the loads of a row are in flight together
        if (k < n) sum = std::fma(value[k * stride + r.i], x(column[k * stride + r.i]), sum);
    return sum;
  }
  HD T diag(Row r) const {
    for (int k = 0; k < length[r.i]; ++k)
      if (column[k * stride + r.i] == r.i) return value[k * stride + r.i];
    return 0;
  }
  HD void set_row(Row r, const FivePointRow<T>& a) const {
    int n = 0;
    push(r, n, a.south, topology.south(r));
    push(r, n, a.west, topology.west(r));
    push(r, n, a.centre, r.i);
    push(r, n, a.east, topology.east(r));
    push(r, n, a.north, topology.north(r));
    length[r.i] = n;
  }

 private:
  HD void push(Row r, int& n, T v, int j) const {
    if (v == 0) return;
    value[n * stride + r.i] = v;
    column[n * stride + r.i] = j;
    ++n;
  }
};

template <class B, class T>
class EllpackR {
 public:
  using View = EllpackRView<T>;
  template <class System>
  EllpackR(B& backend, Extent e, const System& system)
      : values_(backend, std::size_t(View::width) * e.count()),
        columns_(backend, std::size_t(View::width) * e.count()),
        lengths_(backend, e.count()),
        view_{values_.data(), columns_.data(), lengths_.data(), e.count(), system.topology()} {}
  View view() const { return view_; }

 private:
  Buffer<B, T> values_;
  Buffer<B, int> columns_, lengths_;
  View view_;
};

}  // namespace wavesim
