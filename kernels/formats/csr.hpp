#pragma once
// `csr`: compressed sparse rows, the lingua franca. Row starts are counted once; columns and values are
// stored by assembly.

#include <algorithm>
#include <cstdio>
#include <limits>

#include "kernels/backend/errors.hpp"
#include "kernels/formats/host_csr.hpp"
#include "kernels/grid/wave_system.hpp"
#include "kernels/memory/field.hpp"
#include "kernels/numbers/vector_values.hpp"

namespace wavesim {

template <class T>
struct CsrView {
  static constexpr bool recomputes = false;
  static constexpr Matrix matrix = Matrix::read;
  double bytes;  // read for each row, in the mean
  int* start;    // entries of row i: start[i] .. start[i + 1]; padding has empty rows
  int* column;
  T* value;
  Topology topology;

  template <class X>
  HD ValueOf<X> row(Row r, const X& x) const {
    ValueOf<X> sum = {};
    for (int k = start[r.i]; k < start[r.i + 1]; ++k) sum = multiply_add(value[k], x(column[k]), sum);
    return sum;
  }
  template <class F>
  HD void each(Row r, F&& f) const {
    for (int k = start[r.i]; k < start[r.i + 1]; ++k) f(column[k], value[k]);
  }
  template <class S>
  HD void set_row(Row r, const StencilRow<T, S>& a) const {
    int k = start[r.i];
    a.each(neighbours<S>(topology, r), [&](int j, T v) {
      value[k] = v;
      column[k] = j;
      ++k;
    });
  }
};

/// Entries of the longest row.
inline int longest_row(const std::vector<int>& start) {
  int longest = 0;
  for (std::size_t i = 0; i + 1 < start.size(); ++i) longest = std::max(longest, start[i + 1] - start[i]);
  return longest;
}

/// Throws InputError where a format would store far more than the matrix has, or more than indices can count.
/// `bytes` of one stored entry.
inline void refuse_padding(const char* format, double stored, double entries, double bytes) {
  if (stored <= 20 * entries + 1e6 && stored < 2e9) return;
  char text[200];
  std::snprintf(
      text, sizeof text,
      "format '%s' would store %.3g values (%.3g GB) for the %.3g entries of this matrix; use csr or sell-p",
      format, stored, stored * bytes * 1e-9, entries);
  throw InputError(text);
}

template <class B, class T>
class Csr {
 public:
  using View = CsrView<T>;
  Csr() = default;
  /// Any square matrix, of host.rows rows or of as many as `start` says.
  Csr(B& backend, const HostCsr& host)
      : start_(backend, host.start.size()),
        column_(backend, host.column.size()),
        value_(backend, host.value.size()) {
    start_.upload(host.start);
    column_.upload(host.column);
    value_.upload(std::vector<T>(host.value.begin(), host.value.end()));
    view_ = {bytes_of_row(), start_.data(), column_.data(), value_.data(), {}};
  }
  /// Room for rows of so many entries each; the last element of `counts` does not count. Throws InputError where their
  /// sum is more than an int.
  Csr(B& backend, Buffer<B, int> counts) : start_(std::move(counts)) {
    std::vector<int> start = start_.download();
    long sum = 0;
    for (int& s : start) {
      const int n = s;
      s = int(sum);
      sum += n;
      if (sum > std::numeric_limits<int>::max())
        throw InputError(
            "the matrix has more than 2147483647 entries, which csr and what is made of it cannot "
            "count; use format: dia, ellpack-r or stencil, and a preconditioner that needs no rows");
    }
    start_.upload(start);
    column_ = Buffer<B, int>(backend, sum);
    value_ = Buffer<B, T>(backend, sum);
    view_ = {bytes_of_row(), start_.data(), column_.data(), value_.data(), {}};
  }
  /// The pattern is that of `system`, whose couplings must stay non-zero (b > 0) from here on.
  template <class System>
  Csr(B& backend, Extent e, const System& system) : Csr(backend, counts(backend, e, system)) {
    view_.topology = system.topology();
  }
  /// As a format: any square matrix.
  Csr(B&, Extent, Csr csr) : Csr(std::move(csr)) {}
  const Csr& csr() const { return *this; }
  /// Entries of each row.
  template <class System>
  static Buffer<B, int> counts(B& backend, Extent e, const System& system) {
    Buffer<B, int> n(backend, std::size_t(e.count()) + 1);
    backend.rows(
        "entries of each row", e, System::words * sizeof(T),
        [system] KERNEL(Row r, int& ni) { ni = system.row(r).entries(); }, Out<int>{n.data()});
    return n;
  }
  View view() const { return view_; }
  std::vector<int> starts() const { return start_.download(); }
  int rows() const { return int(start_.size()) - 1; }
  long entries() const { return long(value_.size()); }
  /// A copy in the host's memory.
  HostCsr download() const {
    HostCsr h;
    h.start = start_.download();
    h.rows = int(h.start.size()) - 1;
    h.column = column_.download();
    const std::vector<T> v = value_.download();
    h.value.assign(v.begin(), v.end());
    return h;
  }
  template <class System>
  void assemble(B& backend, Extent e, const System& system) {
    const View A = view_;
    backend.rows("assemble A", e, System::words * sizeof(T) + view_.bytes,
                 [=] KERNEL(Row r) { A.set_row(r, system.row(r)); });
  }

 private:
  double bytes_of_row() const {
    return double(value_.size()) / double(start_.size() - 1) * (sizeof(T) + sizeof(int)) + sizeof(int);
  }

  Buffer<B, int> start_, column_;
  Buffer<B, T> value_;
  View view_{0, nullptr, nullptr, nullptr, {}};
};

}  // namespace wavesim
