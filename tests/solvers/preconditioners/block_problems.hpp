#pragma once
// Blocks of every kind, and the inverses that block-jacobi makes of them.

#include <cmath>
#include <limits>

#include "kernels/backend/errors.hpp"
#include "kernels/formats/five_point_csr.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/preconditioners/block_jacobi.hpp"
#include "tests/solvers/core/problems.hpp"

namespace wavesim::test::blocks {

using Dense = std::vector<std::vector<double>>;
using Real = long double;

inline PreconditionerOptions block_jacobi(int size, const std::string& variant = "gauss-jordan",
                                          const std::string& storage = "double",
                                          const std::string& blocks = "fixed") {
  PreconditionerOptions o;
  o.type = "block-jacobi";
  o.choices.numbers["block"] = size;
  o.choices.words["variant"] = variant;
  o.choices.words["storage"] = storage;
  o.choices.words["blocks"] = blocks;
  return o;
}

/// Blocks along the diagonal, with all their entries.
inline HostCsr block_diagonal(const std::vector<Dense>& blocks) {
  HostCsr A;
  for (const Dense& block : blocks) {
    const int first = A.rows;
    for (const auto& row : block) {
      for (std::size_t j = 0; j < row.size(); ++j) {
        A.column.push_back(first + int(j));
        A.value.push_back(row[j]);
      }
      A.start.push_back(int(A.column.size()));
      ++A.rows;
    }
  }
  return A;
}

inline Dense random_block(int n, unsigned seed) {
  const std::vector<double> v = random_values(std::size_t(n) * n, seed);
  Dense B(n, std::vector<double>(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) B[i][j] = v[i * n + j] + (i == j ? 2 : 0);
  return B;
}
/// Rows and columns scaled by powers of ten.
inline Dense badly_scaled(int n, unsigned seed) {
  Dense B = random_block(n, seed);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) B[i][j] *= std::pow(10.0, (i * 7 + int(seed)) % 5 - 2 + (j * 3) % 4);
  return B;
}
/// Zeros, or next to nothing, where elimination in the order of rows and columns would look for its pivots.
inline Dense without_diagonal(int n, unsigned seed) {
  Dense B = random_block(n, seed);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (j == (i + 1) % n)
        B[i][j] = 3 + B[i][j] / 4;
      else
        B[i][j] = i == j ? 0 : B[i][j] * (j < i ? 1e-13 : 0.25);
    }
  return B;
}
inline Dense symmetric_definite(int n, unsigned seed, double condition) {
  Dense B = random_block(n, seed), S(n, std::vector<double>(n, 0));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) S[i][j] += B[i][k] * B[j][k] * std::pow(condition, -double(k) / n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) S[i][j] = S[j][i];
  return S;
}

/// In extended precision, by elimination with pivots from all of what is left.
inline Dense inverse(const Dense& B) {
  const int n = int(B.size());
  std::vector<std::vector<Real>> a(n, std::vector<Real>(2 * n, 0));
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) a[i][j] = B[i][j];
    a[i][n + i] = 1;
  }
  for (int k = 0; k < n; ++k) {
    int p = k;
    for (int i = k; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[p][k])) p = i;
    std::swap(a[k], a[p]);
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const Real factor = a[i][k] / a[k][k];
      for (int j = k; j < 2 * n; ++j) a[i][j] -= factor * a[k][j];
    }
  }
  Dense X(n, std::vector<double>(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) X[i][j] = double(a[i][n + j] / a[i][i]);
  return X;
}
inline double one_norm(const Dense& B) {
  double norm = 0;
  for (std::size_t j = 0; j < B.size(); ++j) {
    double sum = 0;
    for (const auto& row : B) sum += std::abs(row[j]);
    norm = std::max(norm, sum);
  }
  return norm;
}
template <class T>
Dense rounded(Dense B) {
  for (auto& row : B)
    for (double& v : row) v = double(T(v));
  return B;
}

/// M^-1 as a dense matrix: its products with unit vectors.
template <class T>
struct Inverse {
  Backend be;
  std::unique_ptr<Operator<Backend, T>> A;
  BlockJacobiPreconditioner<Backend, T> M;
  Dense values;

  Inverse(const HostCsr& matrix, const PreconditionerOptions& o, bool transposed = false)
      : A(make_operator<Backend, T>("csr", be, matrix)), M(be, *A, o) {
    M.prepare(*A);
    Field<Backend, T> r(be, A->extent()), z(be, A->extent());
    Buffer<Backend, double> rz(be, 1);
    values.assign(matrix.rows, std::vector<double>(matrix.rows));
    for (int j = 0; j < matrix.rows; ++j) {
      std::vector<double> unit(A->extent().count(), 0);
      unit[j] = 1;
      r = to_field<T>(be, A->extent(), unit);
      transposed ? M.apply_transposed(r, z, rz.data(), {}) : M.apply(r, z, rz.data(), {});
      const std::vector<double> column = from_field(z);
      for (int i = 0; i < matrix.rows; ++i) values[i][j] = column[i];
      EXPECT_EQ(rz.download()[0], column[j]);  // <e_j, z>
    }
  }
  /// The block of n rows from `first` on.
  Dense block(int first, int n) const {
    Dense B(n, std::vector<double>(n));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) B[i][j] = values[first + i][first + j];
    return B;
  }
};

inline double largest(const Dense& B) {
  double most = 0;
  for (const auto& row : B)
    for (double v : row) most = std::max(most, std::abs(v));
  return most;
}
/// Of the entries, relative to the largest.
inline double error(const Dense& X, const Dense& exact) {
  double most = 0;
  for (std::size_t i = 0; i < X.size(); ++i)
    for (std::size_t j = 0; j < X.size(); ++j) {
      if (!std::isfinite(X[i][j])) return std::numeric_limits<double>::infinity();
      most = std::max(most, std::abs(X[i][j] - exact[i][j]));
    }
  return most / largest(exact);
}

constexpr const char* variants[] = {"gauss-jordan", "lu", "gauss-huard"};

/// I - a * Laplacian on n x n points.
inline HostCsr five_point(int n, double a) { return five_point_matrix(n, {-a, -a, 1 + 4 * a, -a, -a}); }

inline int iterations(Backend& be, const Operator<Backend, double>& A, const PreconditionerOptions& M) {
  SolverOptions o;
  o.preconditioner = M;
  o.norm = "relative-2";
  o.tolerance = 1e-8;
  const auto precondition = make_preconditioner<Backend, double>(M, be, A);
  const auto solver = make_solver<Backend, double>(o, be, A);
  const auto b = to_field<double>(be, A.extent(), random_values(A.extent().count(), 8));
  Field<Backend, double> x(be, A.extent());
  const Report report = solver->solve(A, precondition.get(), b, x, true);
  EXPECT_EQ(report.status, Status::converged);
  return report.iterations;
}

}  // namespace wavesim::test::blocks
