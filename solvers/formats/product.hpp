#pragma once
// The product of a matrix with a vector, over the rows of any view.

#include "kernels/backend/backend.hpp"
#include "solvers/core/operator.hpp"
#include "solvers/formats/row_passes.hpp"

namespace wavesim {

/// y <- A x, with the inner products that are wanted. `read`: bytes of A for each row; `sums`: room for two.
template <class B, class T, class View>
void product(B& be, Rows rows, const View& A, double read, const char* label, const char* label_with_dots,
             const Field<B, T>& x, Field<B, T>& y, Dots<T> dots, double* sums) {
  be.fetch_ghosts(1, x);
  const T* xs = x.data();
  if (!dots.wy && !dots.yy) {
    be.rows(
        label, rows, read + sizeof(T), [=] KERNEL(Row r, T & yi) { yi = A.row(r, Gather<T>{xs}); }, y.out());
    return;
  }
  const T* const ws = dots.wy ? dots.w : xs;  // not asked for: any numbers do, and no branch
  be.template rows_sum<View::matrix>(
      label_with_dots, rows, read + (ws != xs ? 2 : 1) * sizeof(T), reinterpret_cast<Sum<2>*>(sums),
      [=] KERNEL(Row r, T & yi) {
        yi = A.row(r, Gather<T>{xs});
        return Sum<2>{{double(ws[r.i]) * yi, double(yi) * yi}};
      },
      [=] KERNEL(const Sum<2>& s) {
        if (dots.wy) *dots.wy = s.v[0];
        if (dots.yy) *dots.yy = s.v[1];
      },
      y.out());
}

/// <w, y> and <y, y> with y = A x, where they are wanted. `sums`: room for two.
template <class T, class B>
void products_of(B& be, Extent e, const Field<B, T>& x, const Field<B, T>& y, Dots<T> dots, double* sums) {
  if (!dots.wy && !dots.yy) return;
  be.map_sum(
      "<w, q>, <q, q>", e, reinterpret_cast<Sum<2>*>(sums),
      [=] KERNEL(const T& w, const T& yi) {
        return Sum<2>{{double(w) * yi, double(yi) * yi}};
      },
      [=] KERNEL(const Sum<2>& s) {
        if (dots.wy) *dots.wy = s.v[0];
        if (dots.yy) *dots.yy = s.v[1];
      },
      In<T>{dots.wy ? dots.w : x.data()}, y.in());
}

// Every format multiplies by the transpose so; compiled once, in csr.cpp.
extern template void product(Backend&, Rows, const CsrView<double>&, double, const char*, const char*,
                             const Field<Backend, double>&, Field<Backend, double>&, Dots<double>, double*);
extern template void product(Backend&, Rows, const CsrView<float>&, double, const char*, const char*,
                             const Field<Backend, float>&, Field<Backend, float>&, Dots<float>, double*);

}  // namespace wavesim
