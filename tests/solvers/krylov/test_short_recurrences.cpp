// Krylov methods of short recurrences, each by itself: pipelined-cg, bicg, cgs, tfqmr.
#include <gtest/gtest.h>

#include "kernels/backend/backend.hpp"
#include "tests/solvers/krylov/krylov_problems.hpp"

namespace wavesim::test {
namespace {

using namespace krylov;

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
  const HostCsr A = laplace(20);
  SolverOptions o = options("pipelined-cg");
  const Solved s = counted(be, A, o, rhs_for(A));
  const long k = s.report.iterations;
  ASSERT_GT(k, 51);
  ASSERT_LT(k, 100);
  // and <w, u> before the first, the first and the true residual; r, w, s, z and <u, s>, <p, s> anew in the
  // 51st
  EXPECT_EQ(s.counts.reductions, k + 3 + 3);
  EXPECT_EQ(s.counts.passes, 2 * k + 3 + 5);
  o.preconditioner.type = "jacobi";
  const Solved p = counted(be, A, o, rhs_for(A));
  const long m = p.report.iterations;
  ASSERT_GT(m, 51);
  ASSERT_LT(m, 100);
  EXPECT_EQ(p.counts.reductions, m + 4 + 4);  // and <r, u>
  EXPECT_EQ(p.counts.passes, 3 * m + 4 + 7);
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

TEST(BiCg, TakesAPreconditionerWithoutATransposeOnlyWhereThatIsSymmetric) {
  Backend be;
  SolverOptions o = options("bicg");
  o.preconditioner.type = "ic0";
  EXPECT_NE(incompatibility(o, {Structure::any, false}).find("needs the transpose"), std::string::npos);
  o.preconditioner.type = "ilu0";
  EXPECT_NE(incompatibility(o, {Structure::any, true}).find("needs the transpose"), std::string::npos);
  const HostCsr A = laplace(20);
  for (const char* preconditioner : {"ic0", "ssor"}) {
    SolverOptions cg = options("cg");
    cg.preconditioner.type = o.preconditioner.type = preconditioner;
    const Solved expected = solve(be, A, cg, rhs_for(A)), s = solve(be, A, o, rhs_for(A));
    EXPECT_EQ(s.report.status, Status::converged);
    EXPECT_NEAR(s.report.iterations, expected.report.iterations, 1) << preconditioner;
  }
}

/// On a symmetric matrix the Lanczos vectors are orthogonal, and the least coefficients give the least residual.
TEST(Qmr, IsMinresOnASymmetricMatrix) {
  Backend be;
  const HostCsr A = laplace(40);
  const std::vector<double> b = rhs_for(A);
  const Solved expected = solve(be, A, options("minres"), b), s = solve(be, A, options("qmr"), b);
  ASSERT_EQ(s.report.iterations, expected.report.iterations);
  for (std::size_t k = 0; k < s.history.size(); ++k)
    EXPECT_NEAR(s.history[k], expected.history[k], 1e-8 * expected.history[0]) << k;
}

/// Beside scipy.sparse.linalg.qmr 1.17 of the same system.
TEST(Qmr, HasTheResidualsOfScipy) {
  Backend be;
  const HostCsr A = five_point_matrix(30, {-1.4, -1.2, 4, -0.8, -0.6});
  std::vector<double> b(std::size_t(A.rows), 0.0);
  double squares = 0;
  for (int i = 0; i < A.rows; ++i) {
    for (int k = A.start[std::size_t(i)]; k < A.start[std::size_t(i) + 1]; ++k)
      b[std::size_t(i)] += A.value[std::size_t(k)];
    squares += b[std::size_t(i)] * b[std::size_t(i)];
  }
  const Solved s = solve(be, A, options("qmr"), b);
  EXPECT_EQ(s.report.status, Status::converged);
  EXPECT_NEAR(s.report.iterations, 110, 1);
  const auto relative = [&](int k) { return s.history[std::size_t(k)] / std::sqrt(squares); };
  EXPECT_NEAR(relative(5), 0.2332173906507227, 1e-8);
  EXPECT_NEAR(relative(10), 0.16879270694886042, 1e-8);
  EXPECT_NEAR(relative(20), 0.16366023508245559, 1e-7);
}

TEST(BiCg, TakesOneProductWithEachOfAAndItsTransposeAnIteration) {
  Backend be;
  const HostCsr A = unsymmetric();
  const Solved s = counted(be, A, options("bicg"), rhs_for(A));
  const long k = s.report.iterations;
  EXPECT_EQ(s.counts.count("q = A p, <w, q>"), k);
  EXPECT_EQ(s.counts.count("q = A' p"), k);
  EXPECT_EQ(s.counts.passes, 4 * k + 3);
  EXPECT_EQ(s.counts.reductions, 2 * k + 2);
}

TEST(Cgs, TakesTwoProductsAndTwoReductionsAnIteration) {
  Backend be;
  const HostCsr A = unsymmetric();
  const Solved s = counted(be, A, options("cgs"), rhs_for(A));
  const long k = s.report.iterations;
  EXPECT_EQ(s.counts.count("q = A p, <w, q>"), k);
  EXPECT_EQ(s.counts.count("q = A p"), k);
  EXPECT_EQ(s.counts.passes, 5 * k + 3);
  EXPECT_EQ(s.counts.reductions, 2 * k + 2);
}

TEST(Tfqmr, TakesTwoProductsAnIteration) {
  Backend be;
  const HostCsr A = unsymmetric();
  const Solved s = counted(be, A, options("tfqmr"), rhs_for(A));
  const long k = s.report.iterations;
  EXPECT_EQ(s.counts.count("q = A p"), 2 * k);
  EXPECT_EQ(s.counts.passes, 6 * k + 3);
  EXPECT_EQ(s.counts.reductions, 4 * k + 2);
}

double largest_rise(const std::vector<double>& history) {
  double most = 0;
  for (std::size_t k = 1; k < history.size(); ++k) most = std::max(most, history[k] / history[k - 1]);
  return most;
}

TEST(Tfqmr, IsSmootherThanCgsAndAboutAsFast) {
  Backend be;
  const HostCsr A = unsymmetric();
  const std::vector<double> b = rhs_for(A);
  const Solved rough = solve(be, A, options("cgs"), b), smooth = solve(be, A, options("tfqmr"), b);
  EXPECT_GT(largest_rise(rough.history), 2);
  EXPECT_LT(largest_rise(smooth.history), 1.5);
  EXPECT_NEAR(smooth.report.iterations, rough.report.iterations, 0.1 * rough.report.iterations);
}

}  // namespace
}  // namespace wavesim::test
