#pragma once
// A matrix with a stencil and without a medium behind it, for programs and tests that want one.

#include "kernels/formats/host_csr.hpp"
#include "kernels/grid/stencil.hpp"

namespace wavesim {

/// The same row `a` at each of n x n points, row by row of them; what would couple to a point outside is left
/// out.
template <class S>
HostCsr stencil_matrix(int n, const StencilRow<double, S>& a) {
  HostCsr A;
  A.rows = n * n;
  for (int row = 0; row < n; ++row)
    for (int col = 0; col < n; ++col) {
      for (int k = 0; k < S::points; ++k) {
        const int c = col + S::offset(k).dx, r = row + S::offset(k).dy;
        if (c < 0 || r < 0 || c >= n || r >= n) continue;
        A.column.push_back(r * n + c);
        A.value.push_back(a[k]);
      }
      A.start.push_back(int(A.column.size()));
    }
  return A;
}
inline HostCsr five_point_matrix(int n, const StencilRow<double, FivePoint>& a) {
  return stencil_matrix(n, a);
}

}  // namespace wavesim
