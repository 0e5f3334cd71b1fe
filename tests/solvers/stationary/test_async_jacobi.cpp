#include <gtest/gtest.h>

#include <cmath>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "kernels/formats/host_csr.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/stationary/async_jacobi.hpp"
#include "tests/solvers/core/list_fields.hpp"
#include "tests/solvers/core/problems.hpp"
#include "tests/solvers/core/residual.hpp"

namespace wavesim::test {
namespace {

/// Tridiagonal, strictly diagonally dominant; not symmetric.
HostCsr tridiagonal(int n) {
  HostCsr A;
  A.rows = n;
  A.start = {0};
  for (int i = 0; i < n; ++i) {
    for (auto [j, v] : {std::pair{i - 1, -1.0}, std::pair{i, 2.5}, std::pair{i + 1, -1.25}})
      if (j >= 0 && j < n) {
        A.column.push_back(j);
        A.value.push_back(v);
      }
    A.start.push_back(int(A.column.size()));
  }
  return A;
}

struct Solved {
  Report report;
  std::vector<double> x, history;
  OperationCounts counts;
};

Solved solve(const HostCsr& matrix, const std::vector<double>& b, int local, double tolerance,
             int max_iterations = 1000) {
  Backend be;
  SolverOptions o;
  o.method = "async-jacobi";
  o.choices.numbers["local"] = local;
  o.tolerance = tolerance;
  o.norm = "relative-2";
  o.max_iterations = max_iterations;
  const auto A = make_operator<Backend, double>("csr", be, matrix);
  const auto solver = make_solver<Backend, double>(o, be, *A);
  const auto rhs = to_list<double>(be, A->extent(), b);
  Field<Backend, double> x(be, A->extent());
  be.counts().clear();
  Solved s;
  s.report = solver->solve(*A, nullptr, rhs, x, true);
  s.counts = be.counts();
  s.x = from_list(x, matrix.rows);
  s.history = solver->history();
  return s;
}

TEST(AsyncJacobi, InOneBlockIsJacobiSweepForSweep) {
  const int n = 100;  // of 128 rows
  const HostCsr A = tridiagonal(n);
  const std::vector<double> b = random_values(n, 1);
  for (int local : {1, 3, 5}) {
    const Solved s = solve(A, b, local, 1e-14, 2);
    std::vector<double> x(n, 0.0);
    for (int sweep = 0; sweep < 2 * local; ++sweep) {
      const std::vector<double> y = multiply(A, x);
      for (int i = 0; i < n; ++i) x[i] += (b[i] - y[i]) / 2.5;
    }
    for (int i = 0; i < n; ++i) EXPECT_NEAR(s.x[i], x[i], 1e-15) << local << " " << i;
  }
}

/// More blocks than a host loop leaves to one thread.
TEST(AsyncJacobi, ReachesItsTrueResidualWithManyBlocksInAnyOrder) {
  const int n = 200001;
  const HostCsr A = tridiagonal(n);
  const std::vector<double> b = random_values(n, 2);
  for (int run = 0; run < 3; ++run) {
    const Solved s = solve(A, b, 5, 1e-10);
    EXPECT_EQ(s.report.status, Status::converged);
    EXPECT_LE(relative_residual(A, b, s.x), 1.01e-10);
  }
}

TEST(AsyncJacobi, NeedsFewerPassesTheMoreItSweepsLocally) {
  const int n = 5000;
  const HostCsr A = tridiagonal(n);
  const std::vector<double> b = random_values(n, 3);
  const int one = solve(A, b, 1, 1e-8).report.iterations, five = solve(A, b, 5, 1e-8).report.iterations;
  EXPECT_LE(5 * five, 2 * one);  // at most 2/5; a fifth if blocks were not coupled
}

TEST(AsyncJacobi, IsNotDeclaredRepeatable) { EXPECT_FALSE(find_method("async-jacobi")->repeatable); }

TEST(AsyncJacobi, RefusesAMatrixWithoutADiagonal) {
  HostCsr A;
  A.rows = 2;
  A.start = {0, 1, 2};
  A.column = {1, 0};
  A.value = {1, 1};
  EXPECT_THROW(solve(A, {1, 1}, 5, 1e-8), InputError);
}

TEST(AsyncJacobi, DoesNotCallAnythingConvergedThatGrows) {
  HostCsr A;  // [1 2; 2 1]: the spectral radius of the sweeps is 2
  A.rows = 2;
  A.start = {0, 2, 4};
  A.column = {0, 1, 0, 1};
  A.value = {1, 2, 2, 1};
  const Solved s = solve(A, {1, -1}, 5, 1e-8, 400);
  EXPECT_TRUE(s.report.status == Status::not_finite || s.report.status == Status::max_iterations);
}

TEST(OperationCounts, AsyncJacobiTakesOnePassAndOneResidualAnIteration) {
  const int n = 3000;
  const long k =
      20;  // eight and then pairs on a GPU, which are not repeatable: a tolerance would be met sooner or later
  const Solved s = solve(tridiagonal(n), random_values(n, 4), 5, 1e-30, int(k));
  EXPECT_EQ(s.report.iterations, k);
  EXPECT_EQ(s.counts.count("local sweeps"), k);
  // |b|, the true residual, and the look at the diagonal; a GPU asks whether it was the last one after each batch
  if (!Backend::asynchronous) {
    EXPECT_EQ(s.counts.reductions, k + 3);
  }
}

}  // namespace
}  // namespace wavesim::test
