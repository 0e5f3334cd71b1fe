#pragma once
// Small dense matrices on the host, and their eigenpairs: what is left of a large problem in a subspace.

#include <cmath>
#include <vector>

namespace wavesim {

struct SmallMatrix {
  int rows = 0, columns = 0;
  std::vector<double> values;  // row by row

  SmallMatrix() = default;
  SmallMatrix(int m, int n) : rows(m), columns(n), values(std::size_t(m) * std::size_t(n), 0) {}
  double& operator()(int i, int j) { return values[std::size_t(i) * std::size_t(columns) + std::size_t(j)]; }
  double operator()(int i, int j) const {
    return values[std::size_t(i) * std::size_t(columns) + std::size_t(j)];
  }
  SmallMatrix rows_of(int first, int count) const {
    SmallMatrix part(count, columns);
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < columns; ++j) part(i, j) = (*this)(first + i, j);
    return part;
  }
  SmallMatrix first_columns(int count) const {
    SmallMatrix part(rows, count);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < count; ++j) part(i, j) = (*this)(i, j);
    return part;
  }
};

/// A B
inline SmallMatrix product(const SmallMatrix& A, const SmallMatrix& B) {
  SmallMatrix C(A.rows, B.columns);
  for (int i = 0; i < A.rows; ++i)
    for (int k = 0; k < A.columns; ++k)
      for (int j = 0; j < B.columns; ++j) C(i, j) = std::fma(A(i, k), B(k, j), C(i, j));
  return C;
}
/// A' B
inline SmallMatrix transposed_product(const SmallMatrix& A, const SmallMatrix& B) {
  SmallMatrix C(A.columns, B.columns);
  for (int k = 0; k < A.rows; ++k)
    for (int i = 0; i < A.columns; ++i)
      for (int j = 0; j < B.columns; ++j) C(i, j) = std::fma(A(k, i), B(k, j), C(i, j));
  return C;
}

inline SmallMatrix identity_matrix(int n) {
  SmallMatrix I(n, n);
  for (int i = 0; i < n; ++i) I(i, i) = 1;
  return I;
}
/// A'
inline SmallMatrix transposed(const SmallMatrix& A) {
  SmallMatrix B(A.columns, A.rows);
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.columns; ++j) B(j, i) = A(i, j);
  return B;
}
/// -A
inline SmallMatrix negative(SmallMatrix A) {
  for (double& v : A.values) v = -v;
  return A;
}

/// Whether this build has Eigen, which eigenpairs_of needs.
bool have_small_eigenpairs();

struct SmallEigenpairs {
  std::vector<double> value;  // ascending
  SmallMatrix vectors;        // orthonormal columns
};
/// Of a symmetric matrix, whose lower triangle is read. Not a number where it has one.
SmallEigenpairs eigenpairs_of(const SmallMatrix& symmetric);

}  // namespace wavesim
