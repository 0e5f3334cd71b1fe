#pragma once
// A triangle of a matrix as a matrix of its own.

#include "kernels/formats/host_csr.hpp"

namespace wavesim {

/// The entries on the diagonal and below it, or above it.
inline HostCsr triangle_of(const HostCsr& A, bool lower) {
  HostCsr t;
  t.rows = A.rows;
  t.square = A.square;
  for (int i = 0; i < A.rows; ++i) {
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
      if (lower ? A.column[k] <= i : A.column[k] >= i) {
        t.column.push_back(A.column[k]);
        t.value.push_back(A.value[k]);
      }
    t.start.push_back(int(t.column.size()));
  }
  return t;
}

}  // namespace wavesim
