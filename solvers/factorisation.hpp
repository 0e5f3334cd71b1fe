#pragma once
// The incomplete factorisations of incomplete.hpp in a backend's memory, to the bit what those are: rows wait
// for the rows they are eliminated with. They are visited by level, so that the waits are short.

#include "solvers/incomplete.hpp"
#include "solvers/levels.hpp"

namespace wavesim {

/// f(i) on the rows of A that have entries; f(i) sees what rows j < i in its pattern have left, if it reads
/// it with `fresh`.
template <class B, class F>
void eliminate(B& be, const char* label, const SparseRows<B>& A, const Levels<B>& levels, double bytes, F f) {
  const int n = A.rows;
  const SparseRowsView a = A.view();
  const Buffer<B, int> order = by_level(be, levels), places(be, n), starts(be, std::size_t(n) + 1);
  int *place = places.data(), *start = starts.data();
  const int* row = order.data();
  each(be, "places by level", n, 16, [=] HD(int k) {
    const int i = row[k];
    place[i] = k;
    int count = 0;
    for (int e = a.start[i]; e < a.start[i + 1]; ++e) count += a.column[e] < i;
    start[k] = count;
  });
  sums_before(be, start, n + 1);
  const Buffer<B, int> neighbours(be, read(be, starts, n));
  int* neighbour = neighbours.data();
  each(be, "dependencies by level", n, 16, [=] HD(int k) {
    const int i = row[k];
    int at = start[k];
    for (int e = a.start[i]; e < a.start[i + 1]; ++e)
      if (a.column[e] < i) neighbour[at++] = place[a.column[e]];
  });
  be.in_order(label, n, true, Dependencies{start, neighbour}, bytes, [=] HD(int k) {
    if (a.start[row[k]] < a.start[row[k] + 1]) f(row[k]);
  });
  be.synchronize();  // before the lists go
}

/// The diagonal's place in each row of a matrix with ascending columns; -1 in rows without entries. Throws
/// InputError if a row lacks it.
template <class B>
Buffer<B, int> diagonal_of(B& be, const SparseRows<B>& A, const char* what) {
  const int n = A.rows;
  const SparseRowsView a = A.view();
  Buffer<B, int> places(be, n);
  const Buffer<B, int> lacks(be, 1);
  int *place = places.data(), *lacking = lacks.data();
  each(be, "no row without a diagonal", 1, 4, [=] HD(int) { *lacking = n; });
  each(be, "places of the diagonal", n, 16, [=] HD(int i) {
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

/// ILU(0), see `ilu0(const HostCsr&)`. `levels` become those of L.
template <class B, class T>
SparseRows<B> ilu0(B& be, const Csr<B, T>& A, int n, Levels<B>& levels) {
  SparseRows<B> F = sorted_part(be, A, n, [] HD(int, int) { return true; });
  const Buffer<B, int> diagonals = diagonal_of(be, F, "ILU(0)"), failures(be, 1);
  levels = Levels<B>(be, F, Triangle::lower);
  const SparseRowsView f = F.view();
  const int* diagonal = diagonals.data();
  int* failed = failures.data();
  each(be, "no pivot has failed", 1, 4, [=] HD(int) { *failed = n; });
  eliminate(be, "ILU(0)", F, levels, double(F.entries()) * 36, [=] HD(int i) {
    const int last = f.start[i + 1];
    for (int k = f.start[i]; k < diagonal[i]; ++k) {
      const int p = f.column[k];  // the row to eliminate with
      const double l = f.value[k] / fresh(f.value + diagonal[p]);
      f.value[k] = l;
      for (int e = diagonal[p] + 1, at = k + 1; e < f.start[p + 1] && at < last; ++e) {
        while (at < last && f.column[at] < f.column[e]) ++at;
        if (at < last && f.column[at] == f.column[e])
          f.value[at] = std::fma(-l, fresh(f.value + e), f.value[at]);
      }
    }
    const double pivot = f.value[diagonal[i]];
    if (pivot == 0 || !(pivot - pivot == 0)) lower_to(failed, i);
  });
  if (const int i = read(be, failures, 0); i < n)
    throw SolveError("the incomplete factorisation ILU(0) met a pivot that is zero or not finite in " +
                     row_words(i) + "; reorder the rows of the matrix or choose another preconditioner");
  return F;
}

/// IC(0), see `ic0(const HostCsr&)`: L. `levels` become those of L.
template <class B, class T>
SparseRows<B> ic0(B& be, const Csr<B, T>& A, int n, Levels<B>& levels) {
  SparseRows<B> L = sorted_part(be, A, n, [] HD(int i, int j) { return j <= i; });
  {
    const CsrView<T> a = A.view();  // a row with entries above its diagonal alone is no padding
    const Buffer<B, int> lacks(be, 1);
    int* lacking = lacks.data();
    each(be, "no row without a diagonal", 1, 4, [=] HD(int) { *lacking = n; });
    each(be, "rows without a lower triangle", n, 16, [=] HD(int i) {
      if (a.start[i] < a.start[i + 1]) {
        bool there = false;
        for (int k = a.start[i]; k < a.start[i + 1]; ++k) there = there || a.column[k] == i;
        if (!there) lower_to(lacking, i);
      }
    });
    if (const int i = read(be, lacks, 0); i < n)
      throw InputError("the incomplete factorisation IC(0) needs every element of the diagonal, and " +
                       row_words(i) + " has none; choose another preconditioner");
  }
  levels = Levels<B>(be, L, Triangle::lower);
  const SparseRowsView l = L.view();
  const Buffer<B, int> failures(be, 1);
  int* failed = failures.data();
  each(be, "no pivot has failed", 1, 4, [=] HD(int) { *failed = n; });
  eliminate(be, "IC(0)", L, levels, double(L.entries()) * 36, [=] HD(int i) {
    const int first = l.start[i], last = l.start[i + 1];
    for (int k = first; k < last; ++k) {
      // l_ij = (a_ij - sum over m < j of l_im l_jm) / l_jj
      const int j = l.column[k], end = l.start[j + 1];
      double sum = l.value[k];
      for (int p = first, q = l.start[j]; p < k && q < end;) {
        const int c = l.column[p], d = l.column[q];
        if (c == d) sum = std::fma(-l.value[p], j == i ? l.value[q] : fresh(l.value + q), sum);
        p += c <= d;
        q += d <= c;
      }
      if (j < i) {
        l.value[k] = sum / fresh(l.value + end - 1);
        continue;
      }
      if (!(sum > 0) || !(sum - sum == 0)) {
        l.value[k] = sum;  // for the message
        lower_to(failed, i);
      } else {
        l.value[k] = std::sqrt(sum);
      }
    }
  });
  if (const int i = read(be, failures, 0); i < n)
    throw SolveError("the incomplete factorisation IC(0) met the pivot " +
                     std::to_string(read(be, L.value, std::size_t(read(be, L.start, i + 1)) - 1)) + " in " +
                     row_words(i) +
                     ", which is not positive: that of this matrix does not "
                     "exist; choose another preconditioner, such as ssor or jacobi");
  return L;
}

/// Factors of SSOR, see `ssor_lower` and `ssor_upper` of a HostCsr.
template <class B, class T>
SparseRows<B> ssor_lower(B& be, const Csr<B, T>& A, int n, double omega) {
  SparseRows<B> L = sorted_part(be, A, n, [] HD(int i, int j) { return j <= i; });
  const SparseRowsView l = L.view();
  each(be, "D / omega + L", n, 16, [=] HD(int i) {
    for (int k = l.start[i]; k < l.start[i + 1]; ++k)
      if (l.column[k] == i) l.value[k] /= omega;
  });
  return L;
}
template <class B, class T>
SparseRows<B> ssor_upper(B& be, const Csr<B, T>& A, int n, double omega) {
  SparseRows<B> U = sorted_part(be, A, n, [] HD(int i, int j) { return j >= i; });
  const SparseRowsView u = U.view();
  const double unit = 1 / (2 - omega), weight = omega / (2 - omega);
  each(be, "D^-1 (D / omega + U), weighted", n, 16, [=] HD(int i) {
    double d = 1;
    for (int k = u.start[i]; k < u.start[i + 1]; ++k)
      if (u.column[k] == i) d = u.value[k];
    for (int k = u.start[i]; k < u.start[i + 1]; ++k)
      u.value[k] = u.column[k] == i ? unit : weight * u.value[k] / d;
  });
  return U;
}

}  // namespace wavesim
