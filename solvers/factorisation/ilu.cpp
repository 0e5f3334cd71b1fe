// Incomplete LU factors on a pattern that is given, and ILU(0), whose pattern is that of A (Saad, Iterative
// Methods, Algorithm 10.4).
// Compiled once for each backend (levels.cpp says why).
#include "solvers/factorisation/ilu.hpp"

#include "kernels/backend/backend.hpp"
#include "solvers/factorisation/elimination.hpp"
#include "solvers/factorisation/factorisation.hpp"
#include "solvers/factorisation/failures.hpp"
#include "solvers/factorisation/sorted_part.hpp"
#include "solvers/factorisation/sweeps.hpp"

namespace wavesim {

/// The diagonal's place in each row of a matrix with ascending columns; -1 in rows without entries. Throws
/// InputError if a row lacks it.
template <class B>
Buffer<B, int> diagonal_of(B& be, const SparseRows<B>& A, const char* what) {
  const int n = A.rows;
  const SparseRowsView a = A.view();
  Buffer<B, int> places(be, n);
  const Buffer<B, int> lacks = no_row_yet(be, "no row without a diagonal", n);
  int *place = places.data(), *lacking = lacks.data();
  each(be, "places of the diagonal", n, 16, [=] KERNEL(int i) {
    place[i] = -1;
    for (int e = a.start[i]; e < a.start[i + 1]; ++e)
      if (a.column[e] == i) place[i] = e;
    if (place[i] < 0 && a.start[i] < a.start[i + 1]) lower_to(lacking, i);
  });
  if (const int i = read(be, lacks, 0); i < n)
    throw InputError(std::string("the incomplete factorisation ") + what +
                     " needs every element of the diagonal, and " + row_words(i) +
                     " has none; reorder the rows of the matrix or choose another preconditioner");
  return places;
}

/// ILU(0) of row i: `to` holds the row of A and gets that of L and U, by elimination with the rows of `from`
/// (Saad, Algorithm 10.4).
struct LuRow {
  SparseRowsView f;
  const int* diagonal;

  template <class Read>
  HD void operator()(int i, const double* from, double* to, Read read) const {
    const int last = f.start[i + 1];
    for (int k = f.start[i]; k < diagonal[i]; ++k) {
      const int p = f.column[k];  // the row to eliminate with
      const double l = to[k] / read(from + diagonal[p]);
      to[k] = l;
      for (int e = diagonal[p] + 1, at = k + 1; e < f.start[p + 1] && at < last; ++e) {
        while (at < last && f.column[at] < f.column[e]) ++at;
        if (at < last && f.column[at] == f.column[e]) to[at] = std::fma(-l, read(from + e), to[at]);
      }
    }
  }
  HD bool fails(int i, const double* value) const {
    const double pivot = value[diagonal[i]];
    return pivot == 0 || !(pivot - pivot == 0);
  }
};

inline void refuse_lu_pivot(const char* what, int row, int sweeps) {
  throw SolveError("the incomplete factorisation " + std::string(what) + by_sweeps(sweeps) +
                   " met a pivot that is zero or not finite in " + row_words(row) + "; " +
                   more_sweeps(sweeps) + "reorder the rows of the matrix or choose another preconditioner");
}

template <class B>
void factorise(B& be, const char* what, SparseRows<B>& F, Levels<B>& levels) {
  const int n = F.rows;
  const Buffer<B, int> diagonals = diagonal_of(be, F, what), failures = no_failure(be, n);
  levels = Levels<B>(be, F, Triangle::lower);
  const LuRow row{F.view(), diagonals.data()};
  double* value = F.value.data();
  int* failed = failures.data();
  eliminate(be, what, F, levels, double(F.entries()) * 36, [=] KERNEL(int i) {
    row(i, value, value, Fresh{});
    if (row.fails(i, value)) lower_to(failed, i);
  });
  if (const int i = read(be, failures, 0); i < n) refuse_lu_pivot(what, i, 0);
}

template <class B>
void sweep_factors(B& be, const char* what, SparseRows<B>& F, int sweeps, Buffer<B, double> start,
                   bool look) {
  const int n = F.rows;
  const Buffer<B, int> diagonals = diagonal_of(be, F, what), failures = no_failure(be, n);
  const LuRow row{F.view(), diagonals.data()};
  sweep(be, "a sweep of ILU", F, sweeps, std::move(start),
        [=] KERNEL(int i, const double* from, double* to) { row(i, from, to, AsItWas{}); });
  if (!look) return;
  const LuRow found{F.view(), diagonals.data()};
  int* failed = failures.data();
  each(be, "pivots", n, 16, [=] KERNEL(int i) {
    if (found.diagonal[i] >= 0 && found.fails(i, found.f.value)) lower_to(failed, i);
  });
  if (const int i = read(be, failures, 0); i < n) refuse_lu_pivot(what, i, sweeps);
}

template <class B, class T>
SparseRows<B> ilu0(B& be, const Csr<B, T>& A, int n, Levels<B>& levels) {
  SparseRows<B> F = sorted_part(be, A.view(), n, AllEntries{});
  factorise(be, "ILU(0)", F, levels);
  return F;
}

template <class B, class T>
SparseRows<B> ilu0_by_sweeps(B& be, const Csr<B, T>& A, int n, int sweeps) {
  SparseRows<B> F = sorted_part(be, A.view(), n, AllEntries{});
  sweep_factors(be, "ILU(0)", F, sweeps, values_in<double>(be, F));
  return F;
}

template void factorise(Backend&, const char*, SparseRows<Backend>&, Levels<Backend>&);
template void sweep_factors(Backend&, const char*, SparseRows<Backend>&, int, Buffer<Backend, double>, bool);
template SparseRows<Backend> ilu0(Backend&, const Csr<Backend, double>&, int, Levels<Backend>&);
template SparseRows<Backend> ilu0_by_sweeps(Backend&, const Csr<Backend, double>&, int, int);
template SparseRows<Backend> ilu0(Backend&, const Csr<Backend, float>&, int, Levels<Backend>&);
template SparseRows<Backend> ilu0_by_sweeps(Backend&, const Csr<Backend, float>&, int, int);

}  // namespace wavesim
