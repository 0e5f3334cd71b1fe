#pragma once
// `ellpack-r`: ELLPACK with the length of each row (Vazquez et al. 2009; Pozzo et al. 2010, section 3).
// Column-major: threads of neighbouring rows read neighbouring elements, of which their row's length counts.

#include "kernels/formats/five_point.hpp"
#include "kernels/memory/field.hpp"
#include "kernels/memory/padded_stride.hpp"

namespace wavesim {

template <class T>
struct EllpackRView {
  static constexpr bool recomputes = false;
  static constexpr Matrix matrix = Matrix::read;
  static constexpr int width = 5;
  static constexpr double bytes = width * (sizeof(T) + sizeof(int)) + sizeof(int);
  T* value;  // entry k of row i: value[k * stride + i]
  int* column;
  int* length;
  std::ptrdiff_t stride;

  template <class X>
  HD T row(Row r, const X& x) const {
    // The loads of a whole row are in flight together, with its length: what lies beyond that is a zero and
    // the row's own unknown, which are not used.
    const int n = length[r.i];
    T a[width];
    int j[width];
    UNROLL for (int k = 0; k < width; ++k) {
      a[k] = value[k * stride + r.i];
      j[k] = column[k * stride + r.i];
    }
    T sum = 0;
    UNROLL for (int k = 0; k < width; ++k) {
      const T longer = std::fma(a[k], x(j[k]), sum);
      sum = k < n ? longer : sum;
    }
    return sum;
  }
  HD T diag(Row r) const {
    const int n = length[r.i];
    T d = 0;
    UNROLL for (int k = 0; k < width; ++k) d =
        (column[k * stride + r.i] == r.i) & (k < n) ? value[k * stride + r.i] : d;
    return d;
  }
  template <class F>
  HD void each(Row r, F&& f) const {
    for (int k = 0; k < length[r.i]; ++k) f(column[k * stride + r.i], value[k * stride + r.i]);
  }
};

/// Assembly as a kernel with one output for each column of the two arrays. Entries that are zero are left out
/// and the others close up.
template <class T, class System>
struct AssembleEllpackR {
  System system;
  HD void operator()(Row r, T& v0, T& v1, T& v2, T& v3, T& v4, int& c0, int& c1, int& c2, int& c3, int& c4,
                     int& length) const {
    const FivePointRow<T> a = system.row(r);
    const Topology& t = system.topology();
    v0 = a.south, v1 = a.west, v2 = a.centre, v3 = a.east, v4 = a.north;
    c0 = t.south(r), c1 = t.west(r), c2 = r.i, c3 = t.east(r), c4 = t.north(r);
    length = 5;
    if (v4 == 0) close_up(4, r.i, v0, v1, v2, v3, v4, c0, c1, c2, c3, c4, length);
    if (v3 == 0) close_up(3, r.i, v0, v1, v2, v3, v4, c0, c1, c2, c3, c4, length);
    if (v2 == 0) close_up(2, r.i, v0, v1, v2, v3, v4, c0, c1, c2, c3, c4, length);
    if (v1 == 0) close_up(1, r.i, v0, v1, v2, v3, v4, c0, c1, c2, c3, c4, length);
    if (v0 == 0) close_up(0, r.i, v0, v1, v2, v3, v4, c0, c1, c2, c3, c4, length);
  }
  HD static void close_up(int at, int own, T& v0, T& v1, T& v2, T& v3, T& v4, int& c0, int& c1, int& c2,
                          int& c3, int& c4, int& length) {
    if (at < 1) v0 = v1, c0 = c1;
    if (at < 2) v1 = v2, c1 = c2;
    if (at < 3) v2 = v3, c2 = c3;
    if (at < 4) v3 = v4, c3 = c4;
    v4 = 0, c4 = own;
    --length;
  }
};

template <class B, class T>
class EllpackR {
 public:
  using View = EllpackRView<T>;
  template <class System>
  EllpackR(B& backend, Extent e, const System& system)
      : values_(backend, std::size_t(View::width * padded_stride(e.count()))),
        columns_(backend, std::size_t(View::width * padded_stride(e.count()))),
        lengths_(backend, e.count()),
        view_{values_.data(), columns_.data(), lengths_.data(), padded_stride(e.count())} {}
  View view() const { return view_; }
  template <class System>
  void assemble(B& backend, Extent e, const System& system) {
    const auto value = [&](int k) { return Out<T>{view_.value + k * view_.stride}; };
    const auto column = [&](int k) { return Out<int>{view_.column + k * view_.stride}; };
    backend.rows("assemble A", e, System::words * sizeof(T), AssembleEllpackR<T, System>{system}, value(0),
                 value(1), value(2), value(3), value(4), column(0), column(1), column(2), column(3),
                 column(4), Out<int>{view_.length});
  }

 private:
  Buffer<B, T> values_;
  Buffer<B, int> columns_, lengths_;
  View view_;
};

}  // namespace wavesim
