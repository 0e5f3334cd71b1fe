#pragma once
// `csr`: compressed sparse rows, the lingua franca. Row starts are counted once; columns and values are
// stored by assembly.

#include "kernels/field.hpp"
#include "kernels/formats/five_point.hpp"

namespace wavesim {

template <class T>
struct CsrView {
  static constexpr bool recomputes = false;
  static constexpr Matrix matrix = Matrix::read;
  static constexpr double bytes = 5 * (sizeof(T) + sizeof(int)) + sizeof(int);
  int* start;  // entries of row i: start[i] .. start[i + 1]; padding has empty rows
  int* column;
  T* value;
  Topology topology;

  template <class X>
  HD T row(Row r, const X& x) const {
    T sum = 0;
    for (int k = start[r.i]; k < start[r.i + 1]; ++k) sum = std::fma(value[k], x(column[k]), sum);
    return sum;
  }
  HD T diag(Row r) const {
    for (int k = start[r.i]; k < start[r.i + 1]; ++k)
      if (column[k] == r.i) return value[k];
    return 0;
  }
  HD void set_row(Row r, const FivePointRow<T>& a) const {
    int k = start[r.i];
    push(k, a.south, topology.south(r));
    push(k, a.west, topology.west(r));
    push(k, a.centre, r.i);
    push(k, a.east, topology.east(r));
    push(k, a.north, topology.north(r));
  }
  HD static int entries(const FivePointRow<T>& a) {
    return (a.south != 0) + (a.west != 0) + (a.centre != 0) + (a.east != 0) + (a.north != 0);
  }

 private:
  HD void push(int& k, T v, int j) const {
    if (v == 0) return;
    value[k] = v;
    column[k] = j;
    ++k;
  }
};

template <class B, class T>
class Csr {
 public:
  using View = CsrView<T>;
  /// The pattern is that of `system`, whose couplings must stay non-zero (b > 0) from here on.
  template <class System>
  Csr(B& backend, Extent e, const System& system) : start_(backend, e.count() + 1) {
    count(backend, e, system, start_.data());
    std::vector<int> start = start_.download();
    int sum = 0;
    for (int& s : start) {
      const int n = s;
      s = sum;
      sum += n;
    }
    start_.upload(start);
    column_ = Buffer<B, int>(backend, sum);
    value_ = Buffer<B, T>(backend, sum);
    view_ = {start_.data(), column_.data(), value_.data(), system.topology()};
  }
  /// Entries of each row into n.
  template <class System>
  static void count(B& backend, Extent e, const System& system, int* n) {
    backend.rows(
        "entries of each row", e, System::words * sizeof(T),
        [system] HD(Row r, int& ni) { ni = View::entries(system.row(r)); }, Out<int>{n});
  }
  View view() const { return view_; }
  template <class System>
  void assemble(B& backend, Extent e, const System& system) {
    const View A = view_;
    backend.rows("assemble A", e, System::words * sizeof(T) + View::bytes,
                 [=] HD(Row r) { A.set_row(r, system.row(r)); });
  }

 private:
  Buffer<B, int> start_, column_;
  Buffer<B, T> value_;
  View view_{};
};

}  // namespace wavesim
