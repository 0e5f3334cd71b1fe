#pragma once
// Matrices for algorithms that go by rows, and a solve of them.

#include <cmath>
#include <numeric>

#include "kernels/backend/errors.hpp"
#include "kernels/formats/five_point_csr.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/catalogue/option_list.hpp"
#include "tests/solvers/core/problems.hpp"

namespace wavesim::test::sweeps {

/// Unsymmetric in values and pattern, diagonally dominant; entries of a row are in no order.
inline HostCsr random_matrix(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  HostCsr A;
  A.rows = n;
  for (int i = 0; i < n; ++i) {
    std::vector<int> columns{i};
    const int others = int(random() % 7);
    for (int k = 0; k < others; ++k)
      if (const int j = int(random() % n); std::find(columns.begin(), columns.end(), j) == columns.end())
        columns.push_back(j);
    std::shuffle(columns.begin(), columns.end(), random);
    for (int j : columns) {
      A.column.push_back(j);
      A.value.push_back(j == i ? 8 + uniform(random) : uniform(random));
    }
    A.start.push_back(int(A.column.size()));
  }
  return A;
}

template <class T>
std::vector<T> linear(const Field<Backend, T>& f) {
  const std::vector<T> all = f.memory().download();
  return {all.begin() + f.extent().pitch, all.end() - f.extent().pitch};
}

inline std::vector<int> by_index(int n) {
  std::vector<int> rows(n);
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

struct SolvedMatrix {
  Report report;
  OperationCounts counts;
};

/// The second of two solves: a GPU enqueues as many iterations as the last one took.
inline SolvedMatrix solve_matrix(Backend& be, const HostCsr& matrix, const SolverOptions& o) {
  const auto A = make_operator<Backend, double>("csr", be, matrix);
  const auto M = make_preconditioner<Backend, double>(o.preconditioner, be, *A);
  const auto solver = make_solver<Backend, double>(o, be, *A);
  std::vector<double> ones(A->extent().points(), 0);
  std::fill_n(ones.begin(), matrix.rows, 1.0);
  const auto b = to_field<double>(be, A->extent(), ones);
  Field<Backend, double> x(be, A->extent());
  if (M) M->prepare(*A);
  SolvedMatrix s;
  for (int k = 0; k < 2; ++k) {
    be.zero(x.memory().data(), x.memory().size());
    be.counts().clear();
    s.report = solver->solve(*A, M.get(), b, x, true);
    s.counts = be.counts();
  }
  return s;
}

/// -u'' on a square of n x n points: 4 and -1, in its natural order.
inline HostCsr laplacian(int n) { return five_point_matrix(n, {-1, -1, 4, -1, -1}); }

/// A as dense rows.
inline std::vector<std::vector<double>> dense(const HostCsr& A) {
  std::vector<std::vector<double>> d(A.rows, std::vector<double>(A.rows, 0));
  for (int i = 0; i < A.rows; ++i)
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) d[i][A.column[k]] = A.value[k];
  return d;
}

/// Unsymmetric and tridiagonal: its factors fill nothing in.
inline HostCsr tridiagonal(int n, bool symmetric) {
  const std::vector<double> v = random_values(std::size_t(n) * 3, 41);
  HostCsr A;
  A.rows = n;
  for (int i = 0; i < n; ++i) {
    for (int j : {i + 1, i - 1, i}) {  // not in ascending order
      if (j < 0 || j >= n) continue;
      A.column.push_back(j);
      A.value.push_back(j == i ? 3 + v[i] : symmetric ? v[n + std::max(i, j)] : v[n + 2 * i + (j > i)]);
    }
    A.start.push_back(int(A.column.size()));
  }
  return A;
}

}  // namespace wavesim::test::sweeps
