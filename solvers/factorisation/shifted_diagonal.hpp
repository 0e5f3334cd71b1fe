#pragma once
#include <algorithm>
#include <cmath>

#include "kernels/formats/host_csr.hpp"

namespace wavesim {

/// A with each diagonal element moved away from zero by `shift` times the largest magnitude of its row: incomplete
/// factors of it exist for more matrices than those of A (Manteuffel, "An incomplete factorization technique for positive
/// definite linear systems", Math. Comp. 34, 1980). Rows without entries stay so.
inline HostCsr with_shifted_diagonal(const HostCsr& A, double shift) {
  HostCsr moved;
  moved.rows = A.rows;
  for (int i = 0; i < A.rows; ++i) {
    double largest = 0, diagonal = 0;
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) {
      largest = std::max(largest, std::abs(A.value[k]));
      if (A.column[k] == i) {
        diagonal += A.value[k];
        continue;
      }
      moved.column.push_back(A.column[k]);
      moved.value.push_back(A.value[k]);
    }
    if (A.start[i] < A.start[std::size_t(i) + 1]) {
      moved.column.push_back(i);
      moved.value.push_back(diagonal + std::copysign(shift * largest, diagonal));
    }
    moved.start.push_back(int(moved.column.size()));
  }
  return moved;
}

}  // namespace wavesim
