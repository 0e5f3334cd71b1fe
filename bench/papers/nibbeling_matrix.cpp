#include <algorithm>
#include <cmath>

#include "bench/papers/nibbeling.hpp"
#include "kernels/formats/five_point_csr.hpp"
#include "solvers/factorisation/incomplete_host.hpp"
#include "solvers/triangular/ordering.hpp"

namespace wavesim::nibbeling {

namespace {

/// P A P': row k of the result is row order[k] of A.
HostCsr permuted(const HostCsr& A, const std::vector<int>& order) {
  std::vector<int> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = int(k);
  HostCsr P;
  P.rows = A.rows;
  P.column.reserve(A.column.size());
  P.value.reserve(A.value.size());
  for (int i : order) {
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) {
      P.column.push_back(place[A.column[k]]);
      P.value.push_back(A.value[k]);
    }
    P.start.push_back(int(P.column.size()));
  }
  return P;
}

}  // namespace

HostCsr five_point_grid(int n) { return five_point_matrix(n, {-1, -1, 4, -1, -1}); }

HostCsr factor(const HostCsr& A) { return triangle_of(ilu0(A), false, false); }

HostCsr factor_by_levels(const HostCsr& A) {
  return triangle_of(ilu0(permuted(A, levels_of(A, Depends::lower).row)), false, false);
}

std::vector<double> right_hand_side(int rows) {
  std::vector<double> b(rows);
  for (int i = 0; i < rows; ++i) b[i] = 1 + (unsigned(i) * 2654435761u) * 0x1p-32;
  return b;
}

double residual_of(const HostCsr& U, const std::vector<double>& b, const std::vector<double>& x) {
  const std::vector<double> y = multiply(U, x);
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double r = std::abs(b[i] - y[i]);
    if (!(r <= worst)) worst = r;  // keeps what is no number
    largest = std::max(largest, std::abs(b[i]));
  }
  return worst / largest;
}

}  // namespace wavesim::nibbeling
