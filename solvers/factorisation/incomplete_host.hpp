#pragma once
// Incomplete factorisations on the pattern of the matrix, on the host in doubles (Saad, Iterative Methods,
// 10.3).

#include <algorithm>
#include <cmath>
#include <string>

#include "kernels/backend/errors.hpp"
#include "kernels/formats/host_csr.hpp"

namespace wavesim {

inline std::string row_words(int i) { return "row " + std::to_string(i) + " (counted from 0)"; }

/// The same matrix with the columns of each row in ascending order.
inline HostCsr sorted(const HostCsr& A) { return transpose(transpose(A)); }

/// ILU(0), A ~ L U: the strict lower triangle of the result is that of L, whose diagonal is one; the rest is
/// U (Saad, Algorithm 10.4). Throws InputError if the diagonal lacks an element, SolveError if a pivot is
/// zero.
inline HostCsr ilu0(const HostCsr& A) {
  HostCsr F = sorted(A);
  std::vector<int> diagonal(F.rows, -1), place(F.rows, -1);  // place[j]: of a_ij in row i
  for (int i = 0; i < F.rows; ++i) {
    const int first = F.start[i], last = F.start[std::size_t(i) + 1];
    if (first == last) continue;  // padding
    for (int k = first; k < last; ++k) place[F.column[k]] = k;
    diagonal[i] = place[i];
    if (diagonal[i] < 0)
      throw InputError("the incomplete factorisation ILU(0) needs every element of the diagonal, and " +
                       row_words(i) +
                       " has none; reorder the rows of the matrix or choose another preconditioner");
    for (int k = first; k < diagonal[i]; ++k) {
      const int p = F.column[k];  // the row to eliminate with
      F.value[k] /= F.value[diagonal[p]];
      for (int e = diagonal[p] + 1; e < F.start[std::size_t(p) + 1]; ++e)
        if (const int at = place[F.column[e]]; at >= 0)
          F.value[at] = std::fma(-F.value[k], F.value[e], F.value[at]);
    }
    const double pivot = F.value[diagonal[i]];
    if (pivot == 0 || !std::isfinite(pivot))
      throw SolveError("the incomplete factorisation ILU(0) met a pivot that is zero or not finite in " +
                       row_words(i) + "; reorder the rows of the matrix or choose another preconditioner");
    for (int k = first; k < last; ++k) place[F.column[k]] = -1;
  }
  return F;
}

/// "the pivot -1.5 in row 3 (counted from 0), which is not positive"
inline std::string failed_pivot(int row, double pivot) {
  return std::isfinite(pivot)
             ? "the pivot " + std::to_string(pivot) + " in " + row_words(row) + ", which is not positive"
             : "a pivot in " + row_words(row) + " that is not finite";
}

/// IC(0) of a symmetric A ~ L L': returns L (Saad, 10.3; Meijerink & van der Vorst 1977). Reads the lower
/// triangle only. Throws InputError if the diagonal lacks an element, SolveError if a pivot is not positive,
/// which cannot happen to an M-matrix, such as that of the wave system.
inline HostCsr ic0(const HostCsr& A) {
  const HostCsr s = sorted(A);
  HostCsr L;
  L.rows = s.rows;
  for (int i = 0; i < s.rows; ++i) {
    for (int k = s.start[i]; k < s.start[std::size_t(i) + 1] && s.column[k] <= i; ++k) {
      L.column.push_back(s.column[k]);
      L.value.push_back(s.value[k]);
    }
    const int first = L.start[i], last = int(L.column.size());
    L.start.push_back(last);
    if (s.start[i] == s.start[std::size_t(i) + 1]) continue;  // padding
    if (first == last || L.column[std::size_t(last) - 1] != i)
      throw InputError("the incomplete factorisation IC(0) needs every element of the diagonal, and " +
                       row_words(i) + " has none; choose another preconditioner");
    for (int k = first; k < last; ++k) {
      // l_ij = (a_ij - sum over m < j of l_im l_jm) / l_jj
      const int j = L.column[k];
      double sum = L.value[k];
      for (int p = first, q = L.start[j]; p < k && q < L.start[std::size_t(j) + 1];) {
        if (L.column[p] == L.column[q]) {
          sum = std::fma(-L.value[p], L.value[q], sum);
          ++p;
          ++q;
        } else {
          ++(L.column[p] < L.column[q] ? p : q);
        }
      }
      if (j < i) {
        L.value[k] = sum / L.value[std::size_t(L.start[std::size_t(j) + 1]) - 1];
        continue;
      }
      if (!(sum > 0) || !std::isfinite(sum))
        throw SolveError("the incomplete factorisation IC(0) met " + failed_pivot(i, sum) +
                         ": that of this matrix does not exist; choose another preconditioner, such as ssor "
                         "or jacobi");
      L.value[k] = std::sqrt(sum);
    }
  }
  return L;
}

/// The triangle of A on one side with its diagonal, or with ones in place of it if `unit`; empty rows stay
/// empty.
inline HostCsr triangle_of(const HostCsr& A, bool lower, bool unit) {
  HostCsr t;
  t.rows = A.rows;
  for (int i = 0; i < A.rows; ++i) {
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) {
      const int j = A.column[k];
      if (lower ? j > i : j < i) continue;
      t.column.push_back(j);
      t.value.push_back(unit && j == i ? 1 : A.value[k]);
    }
    t.start.push_back(int(t.column.size()));
  }
  return t;
}

/// SSOR as a product of triangles (Saad, 10.2): M = omega / (2 - omega) (D / omega + L) D^-1 (D / omega + U),
/// the first of them and the rest. The diagonal of A has no zeros.
inline HostCsr ssor_lower(const HostCsr& A, double omega) {
  HostCsr L = triangle_of(A, true, false);
  for (int i = 0; i < L.rows; ++i)
    for (int k = L.start[i]; k < L.start[std::size_t(i) + 1]; ++k)
      if (L.column[k] == i) L.value[k] /= omega;
  return L;
}
inline HostCsr ssor_upper(const HostCsr& A, double omega) {
  HostCsr U = triangle_of(A, false, false);
  for (int i = 0; i < U.rows; ++i) {
    double d = 1;
    for (int k = U.start[i]; k < U.start[std::size_t(i) + 1]; ++k)
      if (U.column[k] == i) d = U.value[k];
    for (int k = U.start[i]; k < U.start[std::size_t(i) + 1]; ++k)
      U.value[k] = U.column[k] == i ? 1 / (2 - omega) : omega / (2 - omega) * U.value[k] / d;
  }
  return U;
}

/// The incomplete sparse approximate inverse W of a triangular matrix: W A = I on the pattern of A to the
/// `power` (Anzt et al. 2018). A row is the solution of a triangular system with as many unknowns as the row
/// has entries.
inline HostCsr isai(const HostCsr& A, bool lower, int power) {
  HostCsr W;
  W.rows = A.rows;
  std::vector<int> place(A.rows, -1), columns;  // place[j]: of j among the columns of row i
  std::vector<double> small, w;
  for (int i = 0; i < A.rows; ++i) {
    columns.clear();
    if (A.start[i] < A.start[std::size_t(i) + 1]) columns.push_back(i);  // else padding
    for (std::size_t step = 0, from = 0; step < std::size_t(power); ++step)
      for (const std::size_t to = columns.size(); from < to; ++from)
        for (int k = A.start[columns[from]]; k < A.start[std::size_t(columns[from]) + 1]; ++k)
          if (const int j = A.column[k]; j != i && place[j] < 0) {
            place[j] = 0;
            columns.push_back(j);
          }
    std::sort(columns.begin(), columns.end());
    const int n = int(columns.size());
    for (int c = 0; c < n; ++c) place[columns[c]] = c;
    small.assign(std::size_t(n) * n, 0);  // small[r * n + c] = a(column r, column c)
    for (int r = 0; r < n; ++r)
      for (int k = A.start[columns[r]]; k < A.start[std::size_t(columns[r]) + 1]; ++k)
        if (const int c = place[A.column[k]]; c >= 0) small[std::size_t(r) * n + c] = A.value[k];
    for (int j : columns) place[j] = -1;
    // w' small = e', where e is one at i: from the diagonal outwards
    w.assign(n, 0);
    for (int step = 0; step < n; ++step) {
      const int c = lower ? n - 1 - step : step;
      double sum = step == 0 ? 1 : 0;
      for (int before = 0; before < step; ++before) {
        const int r = lower ? n - 1 - before : before;
        sum = std::fma(-w[r], small[std::size_t(r) * n + c], sum);
      }
      w[c] = sum / small[std::size_t(c) * n + c];
    }
    W.column.insert(W.column.end(), columns.begin(), columns.end());
    W.value.insert(W.value.end(), w.begin(), w.end());
    W.start.push_back(int(W.column.size()));
  }
  return W;
}

}  // namespace wavesim
