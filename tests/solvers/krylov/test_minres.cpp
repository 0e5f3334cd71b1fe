// MINRES: the least residuals, of symmetric matrices with eigenvalues on both sides of zero too.
#include <gtest/gtest.h>

#include "kernels/backend/backend.hpp"
#include "tests/solvers/krylov/krylov_problems.hpp"

namespace wavesim::test {
namespace {

using namespace krylov;

/// A Laplacian less a multiple of one: about a third of its eigenvalues are negative.
HostCsr indefinite(int n) {
  HostCsr A = laplace(n);
  for (double& v : A.value) v = v > 0 ? v - 3.1 : v;
  return A;
}

TEST(Minres, HasTheResidualsOfGmresWhichAreTheLeast) {
  Backend be;
  for (const HostCsr& A : {laplace(20), indefinite(12)}) {
    const std::vector<double> b = rhs_for(A);
    const Solved least = solve(be, A, full_gmres(1e-6), b), s = solve(be, A, options("minres", 1e-6), b);
    ASSERT_EQ(s.report.status, Status::converged);
    EXPECT_LE(true_residual(A, b, s.x), 1.001e-6);
    const std::size_t most = std::min<std::size_t>({40, s.history.size(), least.history.size()});
    ASSERT_GT(most, 20U);
    for (std::size_t k = 0; k < most; ++k)
      EXPECT_NEAR(s.history[k], least.history[k], 1e-8 * least.history[k]) << k;
  }
}

TEST(Minres, SolvesIndefiniteSystemsThatCgDoesNot) {
  Backend be;
  const HostCsr A = indefinite(20);
  const std::vector<double> b = rhs_for(A);
  EXPECT_EQ(solve(be, A, options("cg"), b).report.status, Status::indefinite);
  SolverOptions o = options("minres");
  o.max_iterations = 4000;
  const Solved s = solve(be, A, o, b);
  EXPECT_EQ(s.report.status, Status::converged);
  EXPECT_LE(true_residual(A, b, s.x), 1.001e-10);
}

TEST(Minres, TakesFewerIterationsWithAPreconditioner) {
  Backend be;
  const HostCsr A = laplace(40);
  const std::vector<double> b = rhs_for(A);
  const int alone = solve(be, A, options("minres"), b).report.iterations;
  for (const char* preconditioner : {"ssor", "ic0", "block-jacobi"}) {
    SolverOptions o = options("minres"), cg = options("cg");
    o.preconditioner.type = cg.preconditioner.type = preconditioner;
    const Solved s = solve(be, A, o, b);
    EXPECT_EQ(s.report.status, Status::converged) << preconditioner;
    EXPECT_LE(true_residual(A, b, s.x), 1.001e-10) << preconditioner;
    EXPECT_LT(s.report.iterations, alone) << preconditioner;
    EXPECT_NEAR(s.report.iterations, solve(be, A, cg, b).report.iterations, 3) << preconditioner;
  }
}

TEST(Minres, EndsWithTheSpaceAndSaysWhereThatHoldsNoSolution) {
  Backend be;
  const HostCsr swapped = from_dense({{0, 1}, {1, 0}});
  const Solved s = solve(be, swapped, options("minres"), {1, 2});
  EXPECT_EQ(s.report.status, Status::converged);
  EXPECT_EQ(s.report.iterations, 2);
  EXPECT_NEAR(s.x[0], 2, 1e-14);
  EXPECT_NEAR(s.x[1], 1, 1e-14);
  const HostCsr singular = from_dense({{1, 0}, {0, 0}});
  const Report r = solve(be, singular, options("minres"), {1, 1}).report;
  EXPECT_EQ(r.status, Status::breakdown);
  EXPECT_LE(r.iterations, 5);
}

TEST(Minres, IsForSymmetricMatrices) {
  EXPECT_NE(incompatibility(options("minres"), {Structure::any, false}).find("needs a symmetric matrix"),
            std::string::npos);
}

TEST(Minres, KeepsSixVectors) {
  Backend be;
  EXPECT_NEAR(vectors_kept(be, laplace(40), options("minres")), work_of(options("minres")).kept, 0.5);
}

}  // namespace
}  // namespace wavesim::test
