#pragma once
// How far products of incomplete factors are from their matrix.

#include "solvers/factorisation/incomplete_host.hpp"

namespace wavesim::test {

/// Elements of A - L U on their common pattern, squared and summed: F holds L without its ones, and U.
inline double squared_distance(const HostCsr& A, const HostCsr& F) {
  const HostCsr a = sorted(A);
  std::vector<double> row(A.rows, 0);
  double sum = 0;
  for (int i = 0; i < A.rows; ++i) {
    const int first = F.start[i], last = F.start[std::size_t(i) + 1];
    for (int k = first; k < last; ++k) row[F.column[k]] += a.value[k];
    for (int k = first; k < last; ++k) {
      const int p = F.column[k];
      if (p > i) continue;
      const double l = p == i ? 1 : F.value[k];
      for (int e = F.start[p]; e < F.start[std::size_t(p) + 1]; ++e)
        if (F.column[e] >= p) row[F.column[e]] -= l * F.value[e];
    }
    for (int k = first; k < last; ++k) sum += row[F.column[k]] * row[F.column[k]];
    for (int k = first; k < last; ++k) {  // and what fell beside the pattern
      row[F.column[k]] = 0;
      if (F.column[k] <= i)
        for (int e = F.start[F.column[k]]; e < F.start[std::size_t(F.column[k]) + 1]; ++e)
          row[F.column[e]] = 0;
    }
  }
  return sum;
}

/// L and L' in one, as ilu0 has L and U: L diag(L)^-1 below the diagonal, diag(L) L' on and above it.
inline HostCsr as_lu(const HostCsr& A, const HostCsr& L) {
  const HostCsr U = transpose(L);
  HostCsr F;
  F.rows = A.rows;
  for (int i = 0; i < A.rows; ++i) {
    for (int k = L.start[i]; k < L.start[std::size_t(i) + 1]; ++k)
      if (const int j = L.column[k]; j < i) {
        F.column.push_back(j);
        F.value.push_back(L.value[k] / U.value[U.start[j]]);
      }
    for (int k = U.start[i]; k < U.start[std::size_t(i) + 1]; ++k) {
      F.column.push_back(U.column[k]);
      F.value.push_back(U.value[U.start[i]] * U.value[k]);
    }
    F.start.push_back(int(F.column.size()));
  }
  return F;
}

/// The values of A on the pattern of F, where columns ascend: zero where A has no entry.
inline HostCsr on_pattern(const HostCsr& A, const HostCsr& F) {
  HostCsr P = F;
  std::vector<double> row(A.rows, 0);
  for (int i = 0; i < A.rows; ++i) {
    for (int e = A.start[i]; e < A.start[std::size_t(i) + 1]; ++e) row[A.column[e]] = A.value[e];
    for (int k = F.start[i]; k < F.start[std::size_t(i) + 1]; ++k) P.value[k] = row[F.column[k]];
    for (int e = A.start[i]; e < A.start[std::size_t(i) + 1]; ++e) row[A.column[e]] = 0;
  }
  return P;
}

}  // namespace wavesim::test
