#pragma once
// A sparse matrix in the memory of the host: what is read from files, and what set-ups that are serial work
// on.

#include <vector>

#include "kernels/extent.hpp"

namespace wavesim {

struct HostCsr {
  int rows = 0;
  std::vector<int> start{0}, column;
  std::vector<double> value;
};

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

/// Whether A equals its transpose to the bit.
inline bool is_symmetric(const HostCsr& A) {
  const HostCsr t = transpose(A), a = transpose(t);  // twice: columns in ascending order
  return a.start == t.start && a.column == t.column && a.value == t.value;
}

}  // namespace wavesim
