#pragma once
// Fixed-point sweeps over all rows in parallel (as in Jacobi's method: Chow & Patel, SIAM J. Sci. Comput. 37,
// 2015; see factorisation.hpp): a row is eliminated with the other rows as the sweep before left them, so no
// row waits, and results repeat to the bit.

#include "solvers/matrices/sparse_rows.hpp"

namespace wavesim {

/// How a row reads others: as the sweep before left them.
struct AsItWas {
  HD double operator()(const double* p) const { return *p; }
};

/// A row of a sweep, if it has entries.
template <class F>
struct SweptRow {
  SparseRowsView a;
  const double* from;
  double* to;
  F f;
  HD void operator()(int i) const {
    const int first = a.start[i], last = a.start[i + 1];
    for (int k = first; k < last; ++k) to[k] = a.value[k];
    if (first < last) f(i, from, to);
  }
};

/// f(i, from, to) on the rows of A that have entries, `sweeps` times, with A's values in row i of `to` and
/// in `from` what the sweep before left, for the first one `start`.
template <class B, class F>
void sweep(B& be, const char* label, SparseRows<B>& A, int sweeps, Buffer<B, double> start, F f) {
  const SparseRowsView a = A.view();
  Buffer<B, double> from = std::move(start), to(be, A.entries());
  const double bytes = double(A.entries()) / std::max(1, A.rows) * 36 + 12;
  for (int n = 0; n < sweeps; ++n) {
    each(be, label, A.rows, bytes, SweptRow<F>{a, from.data(), to.data(), f});
    std::swap(from, to);
  }
  A.value = std::move(from);
  be.synchronize();  // before the lists are released
}

}  // namespace wavesim
