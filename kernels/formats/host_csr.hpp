#pragma once
// A sparse matrix in the memory of the host: what is read from files, and what set-ups that are serial work
// on.

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/grid/extent.hpp"
#include "kernels/reduce/compensated.hpp"

namespace wavesim {

struct HostCsr {
  int rows = 0;
  std::vector<int> start{0}, column;
  std::vector<double> value;
  bool square = true;  // else made so by rows or columns of zeros, or with rows without entries
};

/// The first row without entries, from one; 0: every row has one.
inline int row_without_entries(const HostCsr& A) {
  for (int i = 0; i < A.rows; ++i)
    if (A.start[i] == A.start[std::size_t(i) + 1]) return i + 1;
  return 0;
}

/// Columns of the result ascend.
inline HostCsr transpose(const HostCsr& A) {
  HostCsr t;
  t.rows = A.rows;
  t.start.assign(std::size_t(A.rows) + 1, 0);
  t.column.resize(A.column.size());
  t.value.resize(A.value.size());
  for (int j : A.column) ++t.start[std::size_t(j) + 1];
  for (int i = 0; i < A.rows; ++i) t.start[std::size_t(i) + 1] += t.start[i];
  std::vector<int> next(t.start.begin(), t.start.end() - 1);
  for (int i = 0; i < A.rows; ++i)
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) {
      const int at = next[A.column[k]]++;
      t.column[at] = i;
      t.value[at] = A.value[k];
    }
  return t;
}

/// The same matrix with unit rows added up to e.count().
inline HostCsr padded_to(HostCsr A, Extent e) {
  for (; A.rows < e.count(); ++A.rows) {
    A.column.push_back(A.rows);
    A.value.push_back(1);
    A.start.push_back(int(A.column.size()));
  }
  return A;
}

/// A x, each row's sum in the order of its entries.
inline std::vector<double> multiply(const HostCsr& A, const std::vector<double>& x) {
  std::vector<double> y(A.rows, 0);
  for (int i = 0; i < A.rows; ++i)
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
      y[i] = std::fma(A.value[k], x[A.column[k]], y[i]);
  return y;
}

/// b - A x, with what rounding takes from products and sums of a row kept.
inline std::vector<double> accurate_residual(const HostCsr& A, const std::vector<double>& b,
                                             const std::vector<double>& x) {
  std::vector<double> r(A.rows);
  for (int i = 0; i < A.rows; ++i) {
    AccurateResidual row{b[i]};
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) row.take(A.value[k], x[A.column[k]]);
    r[i] = row.value();
  }
  return r;
}

/// How far A is from its transpose: the largest |a_ij - a_ji|, as a part of the lesser of the largest
/// magnitudes in rows i and j. 0: equal to the bit, but for stored zeros.
inline double asymmetry(const HostCsr& A) {
  const HostCsr t = transpose(A), a = transpose(t);  // twice: columns in ascending order
  std::vector<double> largest(A.rows, 0);
  for (int i = 0; i < A.rows; ++i)
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
      largest[i] = std::max(largest[i], std::abs(A.value[k]));
  double worst = 0;
  for (int i = 0; i < A.rows; ++i) {
    int k = a.start[i], l = t.start[i];
    const int k_end = a.start[std::size_t(i) + 1], l_end = t.start[std::size_t(i) + 1];
    while (k < k_end || l < l_end) {
      const int j = k == k_end                  ? t.column[l]
                    : l == l_end                ? a.column[k]
                    : a.column[k] < t.column[l] ? a.column[k]
                                                : t.column[l];
      double difference = 0;
      if (k < k_end && a.column[k] == j) difference += a.value[k++];
      if (l < l_end && t.column[l] == j) difference -= t.value[l++];
      if (difference != 0) worst = std::max(worst, std::abs(difference) / std::min(largest[i], largest[j]));
    }
  }
  return worst;
}

/// Whether all entries that are not zero lie on the diagonal and on one side of it.
inline bool is_triangular(const HostCsr& A, bool lower) {
  for (int i = 0; i < A.rows; ++i)
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
      if (A.value[k] != 0 && (lower ? A.column[k] > i : A.column[k] < i)) return false;
  return true;
}

/// Whether A is symmetric but for rounding, as files are that store both triangles of a computed matrix.
inline bool is_symmetric(const HostCsr& A) { return asymmetry(A) <= 1e-12; }

}  // namespace wavesim
