#pragma once
// What the operator's passes are made of.

#include <cmath>

#include "kernels/backend/access.hpp"
#include "kernels/memory/field.hpp"
#include "kernels/reduce/reduce.hpp"

namespace wavesim {

/// x(j) = x[j]
template <class T>
struct Gather {
  const T* x;
  HD T operator()(int j) const { return x[j]; }
};
/// x(j) = z[j] + s p[j], never stored.
template <class T>
struct Combined {
  const T *z, *p;
  T s;
  HD T operator()(int j) const { return std::fma(s, p[j], z[j]); }
};

/// p = z + beta p, beta in the backend's memory.
template <class T>
struct NextDirection {
  const double* beta;
  HD void operator()(const T& z, const T& before, T& p) const { p = std::fma(T(*beta), before, z); }
};

/// r <- b - q with q = A x, if r is not null, and its norms.
template <class T, class B, class Epilogue>
void residual_by_product(B& be, Extent e, const Field<B, T>& b, const Field<B, T>& q, Field<B, T>* r,
                         Norms* norms, Epilogue then) {
  if (r)
    be.map_sum(
        "r = b - q, |r|", e, norms,
        [=] KERNEL(const T& bi, const T& qi, T& ri) {
          ri = bi - qi;
          return Norms::of(ri);
        },
        then, b.in(), q.in(), r->out());
  else
    be.map_sum(
        "|b - q|", e, norms, [=] KERNEL(const T& bi, const T& qi) { return Norms::of(bi - qi); }, then,
        b.in(), q.in());
}

/// p <- z + beta p_before; beta null: p <- z, for p_before may hold what is no number. `zero`: a zero in the backend's memory.
template <class T, class B>
void next_direction(B& be, Extent e, const Field<B, T>& z, const double* beta, const Field<B, T>& p_before,
                    Field<B, T>& p, const double* zero) {
  be.map("p = z + beta p", e, NextDirection<T>{beta ? beta : zero}, z.in(), (beta ? p_before : z).in(),
         p.out());
}

/// <p, q>
template <class T, class B, class Quotient>
void product_of(B& be, Extent e, const Field<B, T>& p, const Field<B, T>& q, double* pq, Quotient after) {
  be.map_sum(
      "<p, q>", e, reinterpret_cast<Sum<1>*>(pq),
      [=] KERNEL(const T& pi, const T& qi) { return Sum<1>{{double(pi) * qi}}; },
      [=] KERNEL(const Sum<1>&) { after(); }, p.in(), q.in());
}

/// x <- x + alpha p, r <- r - alpha q with q = A p, and the norms of r.
template <class T, class B, class Epilogue>
void update_by_product(B& be, Extent e, const double* alpha, const Field<B, T>& p, const Field<B, T>& q,
                       Field<B, T>& x, Field<B, T>& r, Norms* norms, Epilogue then) {
  be.map_sum(
      "x += alpha p, r -= alpha q, |r|", e, norms,
      [=] KERNEL(const T& pi, const T& qi, T& xi, T& ri) {
        const T s = T(*alpha);
        xi = std::fma(s, pi, xi);
        ri = std::fma(-s, qi, ri);
        return Norms::of(ri);
      },
      then, p.in(), q.in(), x.inout(), r.inout());
}

/// a_ii
template <class T, class View>
HD T diagonal(const View& A, Row r) {
  if constexpr (requires { A.diag(r); }) {
    return A.diag(r);
  } else {
    T d = 0;
    A.each(r, [&](int j, T a) { d = j == r.i ? a : d; });
    return d;
  }
}

/// squares_i <- sum of a_ij^2 over the columns j, for the rows before `end`; 0 for those after it.
template <class T, class B, class View>
void row_squares(B& be, Extent e, const View& A, int end, Field<B, T>& squares) {
  be.rows(
      "squares of the rows", e, A.bytes,
      [=] KERNEL(Row r, T & s) {
        double sum = 0;
        A.each(r, [&](int, T a) { sum = std::fma(double(a), double(a), sum); });
        s = r.i < end ? T(sum) : T(0);
      },
      squares.out());
}

/// Row r's part of the bounds of the eigenvalues of D^-1 A after Gershgorin.
template <class T, class View>
HD Bounds gershgorin_bounds_of_row(const View& A, Row r) {
  double d = 0, others = 0;
  A.each(r, [&](int j, T a) {
    if (j == r.i)
      d += double(a);
    else
      others += a < 0 ? -double(a) : double(a);
  });
  const double radius = others / (d < 0 ? -d : d);
  return {1 - radius, 1 + radius};
}

/// Of all rows.
template <class T, class B, class View>
void gershgorin_bounds(B& be, Extent e, const View& A, Bounds* bounds) {
  be.template rows_sum<View::matrix>(
      "bounds of D^-1 A", e, A.bytes, bounds, [=] KERNEL(Row r) { return gershgorin_bounds_of_row<T>(A, r); },
      NoEpilogue{});
}

}  // namespace wavesim
