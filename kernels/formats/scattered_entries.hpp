#pragma once
// Whether neighbouring rows of a matrix gather from neighbouring places.

#include <algorithm>
#include <cstdlib>

#include "kernels/formats/host_csr.hpp"

namespace wavesim {

/// How many entries a row has, in the mean, whose columns are far from the row's own and from all of the row before: each
/// takes a line of memory for itself. Of a thousand rows or so of the matrix.
inline double scattered_entries(const HostCsr& A) {
  constexpr int looked_at = 1024, near_diagonal = 1024, near_column = 8, longest = 1 << 12;
  long scattered = 0, rows = 0;
  std::vector<int> before;
  for (int i = 1; i < A.rows; i += std::max(1, A.rows / looked_at)) {
    const int first = A.start[std::size_t(i) - 1], own = A.start[i], end = A.start[std::size_t(i) + 1];
    ++rows;
    if (own - first > longest || end - own > longest) continue;
    before.assign(A.column.begin() + first, A.column.begin() + own);
    std::sort(before.begin(), before.end());
    for (int entry = own; entry < end; ++entry) {
      const int j = A.column[entry];
      if (std::abs(j - i) <= near_diagonal) continue;
      const auto next = std::lower_bound(before.begin(), before.end(), j - near_column);
      scattered += next == before.end() || *next > j + near_column;
    }
  }
  return rows > 0 ? double(scattered) / double(rows) : 0;
}

}  // namespace wavesim
