#pragma once
// A five-point matrix without a medium behind it, for programs and tests that want one.

#include "kernels/formats/five_point.hpp"
#include "kernels/formats/host_csr.hpp"

namespace wavesim {

/// The same row `a` at each of n x n points, row by row of them; what would couple to a point outside is left
/// out.
inline HostCsr five_point_matrix(int n, const FivePointRow<double>& a) {
  HostCsr A;
  A.rows = n * n;
  for (int row = 0; row < n; ++row)
    for (int col = 0; col < n; ++col) {
      const auto push = [&](int c, int r, double v) {
        if (c < 0 || r < 0 || c >= n || r >= n) return;
        A.column.push_back(r * n + c);
        A.value.push_back(v);
      };
      push(col, row - 1, a.south);
      push(col - 1, row, a.west);
      push(col, row, a.centre);
      push(col + 1, row, a.east);
      push(col, row + 1, a.north);
      A.start.push_back(int(A.column.size()));
    }
  return A;
}

}  // namespace wavesim
