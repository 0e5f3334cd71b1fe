#pragma once
// Cholesky factors of small dense matrices on the host.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "solvers/eigenpairs/small_matrix.hpp"

namespace wavesim {

/// L with L L' = A, lower triangular; without rows where A is not positive definite.
inline SmallMatrix cholesky(const SmallMatrix& A) {
  const int n = A.rows;
  SmallMatrix L(n, n);
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i) {
      double sum = A(i, j);
      for (int k = 0; k < j; ++k) sum = std::fma(-L(i, k), L(j, k), sum);
      if (i == j && !(sum > 0)) return {};
      L(i, j) = i == j ? std::sqrt(sum) : sum / L(j, j);
    }
  }
  return L;
}
/// L^-1 of a lower triangle.
inline SmallMatrix inverse_of_lower(const SmallMatrix& L) {
  const int n = L.rows;
  SmallMatrix inverse(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) {
      double sum = i == j ? 1 : 0;
      for (int k = j; k < i; ++k) sum = std::fma(-L(i, k), inverse(k, j), sum);
      inverse(i, j) = sum / L(i, i);
    }
  return inverse;
}
/// A^-1 of a positive definite matrix, whose rows and columns are scaled first; without rows where it is none.
inline SmallMatrix inverse_of_definite(SmallMatrix A) {
  const int n = A.rows;
  std::vector<double> scale;
  for (int i = 0; i < n; ++i) {
    if (!(A(i, i) > 0)) return {};
    scale.push_back(1 / std::sqrt(A(i, i)));
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A(i, j) *= scale[std::size_t(i)] * scale[std::size_t(j)];
  const SmallMatrix L = cholesky(A);
  if (L.rows == 0) return {};
  const SmallMatrix inverse = inverse_of_lower(L);
  SmallMatrix result = transposed_product(inverse, inverse);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) result(i, j) *= scale[std::size_t(i)] * scale[std::size_t(j)];
  return result;
}

/// Of the Gram matrix G = Y'Y of columns: Y C is orthonormal, Y = (Y C) zeta but for what was dropped, which is 1e-6 of a
/// column at most.
struct PivotedCholesky {
  SmallMatrix combinations, zeta;  // C, zeta
  double least_pivot = 1;          // of columns of length one
  bool semidefinite = true;

  explicit PivotedCholesky(const SmallMatrix& G) {
    const int n = G.rows;
    std::vector<double> length(std::size_t(n), 0), left(std::size_t(n), 0);
    for (int i = 0; i < n; ++i) {
      if (!(G(i, i) >= 0)) semidefinite = false;
      if (!(G(i, i) > 0)) continue;
      length[std::size_t(i)] = std::sqrt(G(i, i));
      left[std::size_t(i)] = 1;
    }
    SmallMatrix L(n, n);
    std::vector<int> pivots;
    for (int k = 0; k < n; ++k) {
      const int pivot = int(std::max_element(left.begin(), left.end()) - left.begin());
      const double largest = left[std::size_t(pivot)];
      if (!(largest > 1e-12)) break;
      least_pivot = largest;
      pivots.push_back(pivot);
      const double root = std::sqrt(largest);
      for (int i = 0; i < n; ++i) {
        if (length[std::size_t(i)] == 0) continue;
        double sum = G(i, pivot) / (length[std::size_t(i)] * length[std::size_t(pivot)]);
        for (int l = 0; l < k; ++l) sum = std::fma(-L(i, l), L(pivot, l), sum);
        L(i, k) = sum / root;
        left[std::size_t(i)] = std::fma(-L(i, k), L(i, k), left[std::size_t(i)]);
      }
      for (const int done : pivots) {
        if (done != pivot) L(done, k) = 0;  // but for rounding
        left[std::size_t(done)] = 0;
      }
    }
    const int rank = int(pivots.size());
    SmallMatrix lower(rank, rank);
    for (int i = 0; i < rank; ++i)
      for (int k = 0; k <= i; ++k) lower(i, k) = L(pivots[std::size_t(i)], k);
    const SmallMatrix inverse = inverse_of_lower(lower);
    combinations = SmallMatrix(n, rank);
    zeta = SmallMatrix(rank, n);
    for (int k = 0; k < rank; ++k) {
      for (int i = 0; i < n; ++i) zeta(k, i) = L(i, k) * length[std::size_t(i)];
      for (int i = 0; i <= k; ++i)
        combinations(pivots[std::size_t(i)], k) = inverse(k, i) / length[std::size_t(pivots[std::size_t(i)])];
    }
  }
};

/// Orthonormal columns that have those of Y as their combinations, but for what is dropped.
inline SmallMatrix orthonormal_columns(SmallMatrix Y) {
  for (int turn = 0; turn < 2; ++turn) Y = product(Y, PivotedCholesky(transposed_product(Y, Y)).combinations);
  return Y;
}

}  // namespace wavesim
