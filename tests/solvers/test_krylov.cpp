// Krylov methods on matrices that are not symmetric, and what tells one from another.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "solvers/catalogue.hpp"
#include "solvers/registry.hpp"
#include "tests/solvers/problems.hpp"

namespace wavesim::test {
namespace {

/// Upwind differences of -laplace u + wind . grad u on n x n points of the unit square, u = 0 on its rim.
HostCsr convection_diffusion(int n, double wind_x, double wind_y) {
  HostCsr A;
  const double h = 1.0 / (n + 1);
  for (int row = 0; row < n; ++row)
    for (int col = 0; col < n; ++col) {
      const auto push = [&](int c, int r, double v) {
        if (c < 0 || r < 0 || c >= n || r >= n) return;
        A.column.push_back(r * n + c);
        A.value.push_back(v);
      };
      push(col, row - 1, -1 - h * wind_y);
      push(col - 1, row, -1 - h * wind_x);
      push(col, row, 4 + h * (wind_x + wind_y));
      push(col + 1, row, -1);
      push(col, row + 1, -1);
      A.start.push_back(int(A.column.size()));
      ++A.rows;
    }
  return A;
}
HostCsr unsymmetric() { return convection_diffusion(32, 40, 25); }
HostCsr laplace(int n) { return convection_diffusion(n, 0, 0); }

HostCsr from_dense(const std::vector<std::vector<double>>& dense) {
  HostCsr A;
  for (const auto& row : dense) {
    for (std::size_t j = 0; j < row.size(); ++j)
      if (row[j] != 0) {
        A.column.push_back(int(j));
        A.value.push_back(row[j]);
      }
    A.start.push_back(int(A.column.size()));
    ++A.rows;
  }
  return A;
}

struct Solved {
  Report report;
  std::vector<double> x, history;
  Tally tally;
};

SolverOptions options(std::string_view method, double tolerance = 1e-10) {
  SolverOptions o;
  o.method = method;
  o.tolerance = tolerance;
  o.norm = "relative-2";
  return o;
}

std::vector<double> rhs_for(const HostCsr& A, unsigned seed = 7) { return random_values(A.rows, seed); }

template <class T = double>
Solved solve(Backend& be, const HostCsr& matrix, const SolverOptions& o, std::vector<double> b) {
  const auto A = make_operator<Backend, T>("csr", be, matrix);
  const auto M = make_preconditioner<Backend, T>(o.preconditioner, be, *A);
  const auto solver = make_solver<Backend, T>(o, be, *A);
  b.resize(std::size_t(A->extent().points()), 0);
  const auto rhs = to_field<T>(be, A->extent(), b);
  Field<Backend, T> x(be, A->extent());
  if (M) M->prepare(*A);
  be.tally().clear();
  Solved s;
  s.report = solver->solve(*A, M.get(), rhs, x, true);
  s.tally = be.tally();
  s.x = from_field(x);
  s.history = solver->history();
  return s;
}

double true_residual(const HostCsr& A, const std::vector<double>& b, const std::vector<double>& x) {
  double rr = 0, bb = 0;
  for (int i = 0; i < A.rows; ++i) {
    double r = b[i];
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) r -= A.value[k] * x[A.column[k]];
    rr += r * r;
    bb += b[i] * b[i];
  }
  return std::sqrt(rr / bb);
}

TEST(Krylov, EachMethodForUnsymmetricMatricesReachesItsTrueResidual) {
  Backend be;
  const HostCsr A = unsymmetric();
  const std::vector<double> b = rhs_for(A);
  int tried = 0;
  for (const Method& method : solver_methods())
    for (const char* preconditioner : {"none", "jacobi"}) {
      SolverOptions o = options(method.name);
      o.preconditioner.type = preconditioner;
      if (method.name == "jacobi" || !misfit(o, {Structure::any, false}).empty()) continue;
      const Solved s = solve(be, A, o, b);
      EXPECT_EQ(s.report.status, Status::converged) << method.name << ": " << word(s.report.status);
      EXPECT_LE(true_residual(A, b, s.x), 1.01e-10) << method.name;
      std::printf("%s %s: %d\n", method.name.data(), preconditioner, s.report.iterations);
      ++tried;
    }
  EXPECT_GE(tried, 4);
}

TEST(PipelinedCg, AgreesWithCgWithinTwoIterations) {
  Backend be;
  const HostCsr A = laplace(40);
  const std::vector<double> b = rhs_for(A);
  for (const char* preconditioner : {"none", "jacobi"}) {
    SolverOptions cg = options("cg"), pipelined = options("pipelined-cg");
    cg.preconditioner.type = pipelined.preconditioner.type = preconditioner;
    const Solved expected = solve(be, A, cg, b), s = solve(be, A, pipelined, b);
    ASSERT_EQ(s.report.status, Status::converged);
    EXPECT_NEAR(s.report.iterations, expected.report.iterations, 2);
    for (int k = 0; k <= 30; ++k)
      EXPECT_NEAR(s.history[k], expected.history[k], 1e-8 * expected.history[k]) << k;
  }
}

TEST(PipelinedCg, ReducesOnceAnIteration) {
  Backend be;
  if (Backend::asynchronous) GTEST_SKIP() << "a GPU enqueues iterations that may do nothing";
  const HostCsr A = laplace(20);
  SolverOptions o = options("pipelined-cg");
  const Solved s = solve(be, A, o, rhs_for(A));
  const long k = s.report.iterations;
  ASSERT_GT(k, 51);
  ASSERT_LT(k, 100);
  // and <w, u> before the first, the first and the true residual; r, w, s, z and <u, s>, <p, s> anew in the 51st
  EXPECT_EQ(s.tally.reductions, k + 3 + 3);
  EXPECT_EQ(s.tally.passes, 2 * k + 3 + 5);
  o.preconditioner.type = "jacobi";
  const Solved p = solve(be, A, o, rhs_for(A));
  const long m = p.report.iterations;
  ASSERT_GT(m, 51);
  ASSERT_LT(m, 100);
  EXPECT_EQ(p.tally.reductions, m + 4 + 4);  // and <r, u>
  EXPECT_EQ(p.tally.passes, 3 * m + 4 + 7);
}

TEST(PipelinedCg, CallsAnIndefiniteMatrixIndefinite) {
  Backend be;
  HostCsr A = laplace(10);
  for (double& v : A.value) v = v > 0 ? v - 4.5 : v;  // eigenvalues on both sides of zero
  for (const char* preconditioner : {"none"}) {
    SolverOptions o = options("pipelined-cg");
    o.preconditioner.type = preconditioner;
    EXPECT_EQ(solve(be, A, o, rhs_for(A)).report.status, Status::indefinite);
  }
}

TEST(BiCg, IsCgOnASymmetricMatrix) {
  Backend be;
  const HostCsr A = laplace(40);
  const std::vector<double> b = rhs_for(A);
  for (const char* preconditioner : {"none", "jacobi"}) {
    SolverOptions cg = options("cg"), bicg = options("bicg");
    cg.preconditioner.type = bicg.preconditioner.type = preconditioner;
    const Solved expected = solve(be, A, cg, b), s = solve(be, A, bicg, b);
    ASSERT_EQ(s.report.iterations, expected.report.iterations);
    for (std::size_t k = 0; k < s.history.size(); ++k)
      EXPECT_NEAR(s.history[k], expected.history[k], 1e-9 * expected.history[k]) << k;
  }
}

TEST(BiCg, BreaksDownWhereTheShadowIsOrthogonal) {
  Backend be;
  const HostCsr A = from_dense({{0, 1}, {-1, 0}});  // <r, A r> = 0 for every r
  const Solved s = solve(be, A, options("bicg"), {1, 2});
  EXPECT_EQ(s.report.status, Status::breakdown) << word(s.report.status);
  for (double v : s.x) EXPECT_TRUE(std::isfinite(v));
}

}  // namespace
}  // namespace wavesim::test
