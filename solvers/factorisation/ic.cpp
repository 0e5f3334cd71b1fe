// Incomplete Cholesky factors on a pattern that is given, and IC(0), whose pattern is that of the lower
// triangle of A (Saad, Iterative Methods, 10.3; Meijerink & van der Vorst 1977).
// Compiled once for each backend (levels.cpp says why).
#include "solvers/factorisation/ic.hpp"

#include "kernels/backend/backend.hpp"
#include "solvers/factorisation/elimination.hpp"
#include "solvers/factorisation/factorisation.hpp"
#include "solvers/factorisation/failures.hpp"
#include "solvers/factorisation/sorted_part.hpp"
#include "solvers/factorisation/sweeps.hpp"

namespace wavesim {

/// The factor's row i: `to` holds the lower row of A and gets that of L but for its diagonal, which it gets the
/// square of: l_ij = (a_ij - sum over m < j of l_im l_jm) / l_jj with rows j of `from`.
struct CholeskyRow {
  SparseRowsView l;

  template <class Read>
  HD void operator()(int i, const double* from, double* to, Read read) const {
    const int first = l.start[i], last = l.start[i + 1];
    for (int k = first; k < last; ++k) {
      const int j = l.column[k], end = l.start[j + 1];
      double sum = to[k];
      for (int p = first, q = l.start[j]; p < k && q < end;) {
        const int c = l.column[p], d = l.column[q];
        if (c == d) sum = std::fma(-to[p], j == i ? to[q] : read(from + q), sum);
        p += c <= d;
        q += d <= c;
      }
      to[k] = j < i ? sum / read(from + end - 1) : sum;
    }
  }
  HD static bool fails(double pivot) { return !(pivot > 0) || !(pivot - pivot == 0); }
};

inline void refuse_cholesky_pivot(const char* what, int row, double pivot, int sweeps) {
  throw SolveError("the incomplete factorisation " + std::string(what) + by_sweeps(sweeps) + " met " +
                   failed_pivot(row, pivot) + ": " +
                   (sweeps > 0 ? more_sweeps(sweeps) + "or " : "that of this matrix does not exist; ") +
                   "choose another preconditioner, such as ssor or jacobi");
}

template <class B, class T>
SparseRows<B> lower_part(B& be, const char* what, const Csr<B, T>& A, int n) {
  SparseRows<B> L = sorted_part(be, A.view(), n, LowerEntries{});
  const CsrView<T> a = A.view();  // a row with entries only above its diagonal is not padding
  const Buffer<B, int> lacks = no_failure(be, n);
  int* lacking = lacks.data();
  each(be, "rows without a lower triangle", n, 16, [=] KERNEL(int i) {
    if (a.start[i] < a.start[i + 1]) {
      bool there = false;
      for (int k = a.start[i]; k < a.start[i + 1]; ++k) there = there || a.column[k] == i;
      if (!there) lower_to(lacking, i);
    }
  });
  if (const int i = read(be, lacks, 0); i < n)
    throw InputError(std::string("the incomplete factorisation ") + what +
                     " needs every element of the diagonal, and " + row_words(i) +
                     " has none; choose another preconditioner");
  return L;
}

template <class B>
Buffer<B, double> scaled_lower_part(B& be, const SparseRows<B>& A) {
  const SparseRowsView a = A.view();
  Buffer<B, double> scaled(be, A.entries());
  double* value = scaled.data();
  each(be, "L as far as the diagonal says", A.rows, 36, [=] KERNEL(int i) {
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      value[k] = a.value[k] / std::sqrt(a.value[a.start[a.column[k] + 1] - 1]);
  });
  return scaled;
}

/// Throws for row i, which has failed: L has the square of its diagonal.
template <class B>
void refuse_cholesky_row(B& be, const char* what, const SparseRows<B>& L, int i, int sweeps) {
  refuse_cholesky_pivot(what, i, read(be, L.value, std::size_t(read(be, L.start, i + 1)) - 1), sweeps);
}

template <class B>
void factorise_cholesky(B& be, const char* what, SparseRows<B>& L, Levels<B>& levels) {
  const int n = L.rows;
  levels = Levels<B>(be, L, Triangle::lower);
  const SparseRowsView l = L.view();
  const Buffer<B, int> failures = no_failure(be, n);
  int* failed = failures.data();
  eliminate(be, what, L, levels, double(L.entries()) * 36, [=] KERNEL(int i) {
    CholeskyRow{l}(i, l.value, l.value, Fresh{});
    double& pivot = l.value[l.start[i + 1] - 1];
    if (CholeskyRow::fails(pivot))
      lower_to(failed, i);
    else
      pivot = std::sqrt(pivot);
  });
  if (const int i = read(be, failures, 0); i < n) refuse_cholesky_row(be, what, L, i, 0);
}

template <class B>
void sweep_cholesky(B& be, const char* what, SparseRows<B>& L, int sweeps, Buffer<B, double> start,
                    bool look) {
  const int n = L.rows;
  const SparseRowsView l = L.view();
  const Buffer<B, double> pivots(be, n);
  double* pivot = pivots.data();
  sweep(be, "a sweep of IC", L, sweeps, std::move(start), [=] KERNEL(int i, const double* from, double* to) {
    CholeskyRow{l}(i, from, to, AsItWas{});
    const int d = l.start[i + 1] - 1;
    pivot[i] = to[d];
    to[d] = CholeskyRow::fails(to[d]) ? from[d] : std::sqrt(to[d]);
  });
  if (!look) return;
  const Buffer<B, int> failures = no_failure(be, n);
  int* failed = failures.data();
  const SparseRowsView found = L.view();
  each(be, "pivots", n, 24, [=] KERNEL(int i) {
    const int d = found.start[i + 1] - 1;
    if (d < found.start[i] || !CholeskyRow::fails(pivot[i])) return;
    found.value[d] = pivot[i];  // for the message
    lower_to(failed, i);
  });
  if (const int i = read(be, failures, 0); i < n) refuse_cholesky_row(be, what, L, i, sweeps);
}

template <class B, class T>
SparseRows<B> ic0(B& be, const Csr<B, T>& A, int n, Levels<B>& levels) {
  SparseRows<B> L = lower_part(be, "IC(0)", A, n);
  factorise_cholesky(be, "IC(0)", L, levels);
  return L;
}

template <class B, class T>
SparseRows<B> ic0_by_sweeps(B& be, const Csr<B, T>& A, int n, int sweeps) {
  SparseRows<B> L = lower_part(be, "IC(0)", A, n);
  sweep_cholesky(be, "IC(0)", L, sweeps, scaled_lower_part(be, L));
  return L;
}

template SparseRows<Backend> lower_part(Backend&, const char*, const Csr<Backend, double>&, int);
template SparseRows<Backend> lower_part(Backend&, const char*, const Csr<Backend, float>&, int);
template Buffer<Backend, double> scaled_lower_part(Backend&, const SparseRows<Backend>&);
template void factorise_cholesky(Backend&, const char*, SparseRows<Backend>&, Levels<Backend>&);
template void sweep_cholesky(Backend&, const char*, SparseRows<Backend>&, int, Buffer<Backend, double>, bool);
template SparseRows<Backend> ic0(Backend&, const Csr<Backend, double>&, int, Levels<Backend>&);
template SparseRows<Backend> ic0_by_sweeps(Backend&, const Csr<Backend, double>&, int, int);
template SparseRows<Backend> ic0(Backend&, const Csr<Backend, float>&, int, Levels<Backend>&);
template SparseRows<Backend> ic0_by_sweeps(Backend&, const Csr<Backend, float>&, int, int);

}  // namespace wavesim
