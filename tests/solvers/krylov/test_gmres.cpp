// GMRES and IDR(s).
#include <gtest/gtest.h>

#include "kernels/backend/backend.hpp"
#include "tests/solvers/krylov/krylov_problems.hpp"

namespace wavesim::test {
namespace {

using namespace krylov;

/// A matrix of 30 rows without any structure.
HostCsr dense_matrix() {
  const int n = 30;
  const std::vector<double> values = random_values(n * n, 3);
  std::vector<std::vector<double>> A(n, std::vector<double>(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A[i][j] = values[std::size_t(i) * n + j] + (i == j ? 2 : 0);
  return from_dense(A);
}

TEST(Gmres, WithoutRestartIsMonotoneAndEndsWithinAsManyIterationsAsRows) {
  Backend be;
  const HostCsr A = dense_matrix();
  const std::vector<double> b = rhs_for(A);
  for (const char* name : {"gmres", "fgmres"}) {
    SolverOptions o = full_gmres(1e-12);
    o.method = name;
    const Solved s = solve(be, A, o, b);
    EXPECT_EQ(s.report.status, Status::converged);
    EXPECT_LE(s.report.iterations, A.rows);
    EXPECT_GT(s.report.iterations, A.rows / 2);
    for (std::size_t k = 1; k < s.history.size(); ++k) EXPECT_LE(s.history[k], s.history[k - 1]);
    EXPECT_LE(true_residual(A, b, s.x), 1.01e-12);
  }
}

TEST(Gmres, ItsEstimateIsTheTrueResidualWhereverItStops) {
  Backend be;
  const HostCsr A = unsymmetric();
  const std::vector<double> b = rhs_for(A);
  for (const char* name : {"gmres", "fgmres"})
    for (const char* preconditioner : {"none", "jacobi"})
      for (int k : {1, 7, 10, 11, 23}) {  // within a cycle and at its ends
        SolverOptions o = options(name);
        o.choices.numbers["restart"] = 10;
        o.preconditioner.type = preconditioner;
        o.max_iterations = k;
        const Solved s = solve(be, A, o, b);
        EXPECT_EQ(s.report.status, Status::max_iterations);
        const double first = s.history[0];
        EXPECT_NEAR(s.history[k] / first, true_residual(A, b, s.x), 1e-12) << name << " " << k;
        EXPECT_NEAR(s.report.relative_residual(), true_residual(A, b, s.x), 1e-12);
      }
}

TEST(Gmres, SaysThatItStagnatesWhereARestartLosesAll) {
  Backend be;
  const int n = 16;
  std::vector<std::vector<double>> shift(n, std::vector<double>(n, 0));
  for (int i = 0; i < n; ++i) shift[i][(i + 1) % n] = 1;
  const HostCsr A = from_dense(shift);
  std::vector<double> b(n, 0);
  b[0] = 1;  // the residual stays 1 until the n-th column
  for (const char* name : {"gmres", "fgmres"}) {
    SolverOptions o = options(name);
    o.choices.numbers["restart"] = n - 1;
    EXPECT_EQ(solve(be, A, o, b).report.status, Status::stagnated);
    o.choices.numbers["restart"] = n;
    const Solved s = solve(be, A, o, b);
    EXPECT_EQ(s.report.status, Status::converged);
    EXPECT_EQ(s.report.iterations, n);
  }
}

TEST(Gmres, KeepsAsManyVectorsAsItRestartsAfterBesideItsResidual) {
  Backend be;
  const HostCsr A = convection_diffusion(128, 40, 25);
  for (int restart : {1, 10, 50}) {
    SolverOptions o = options("gmres");
    o.choices.numbers["restart"] = restart;
    EXPECT_NEAR(vectors_kept(be, A, o), 1 + restart, 0.3);  // scalars are the rest
    o.preconditioner.type = "jacobi";
    EXPECT_NEAR(vectors_kept(be, A, o), 2 + restart, 0.3);
    o.method = "fgmres";
    EXPECT_NEAR(vectors_kept(be, A, o), 1 + 2 * restart, 0.3);
  }
}

TEST(Gmres, TakesEightInnerProductsInEachReductionTwiceAndOneForTheNorm) {
  Backend be;
  const HostCsr A = unsymmetric();
  SolverOptions o = full_gmres();
  const Solved s = counted(be, A, o, rhs_for(A));
  const long k = s.report.iterations;
  long products = 0;
  for (long column = 1; column <= k; ++column) products += 2 * ((column + 7) / 8);
  EXPECT_EQ(s.counts.count("h = V' w"), products);
  EXPECT_EQ(s.counts.reductions, products + k + 2);
  EXPECT_EQ(s.counts.passes, products + 4 * k + 4);  // A v, w -= V h twice, v = w / |w|; first v, x += V y
}

TEST(Idr, TakesOneProductAnIterationAndTwoReductions) {
  Backend be;
  const HostCsr A = unsymmetric();
  SolverOptions o = options("idr", 1e-30);
  o.max_iterations = 100;  // twenty cycles
  const Solved s = counted(be, A, o, rhs_for(A));
  ASSERT_EQ(s.report.iterations, 100);
  EXPECT_EQ(s.counts.count("q = A p"), 80);
  EXPECT_EQ(s.counts.count("q = A p, <w, q>"), 20);
  const long asked = Backend::asynchronous;  // a GPU asks whether the last iteration has claimed to be it
  EXPECT_EQ(s.counts.reductions, 2 * 100 + 20 + 2 + asked);  // f = P' r in each cycle
  EXPECT_EQ(s.counts.passes, 80 * 4 + 20 * 3 + 4 + 2 + asked);
}

TEST(Idr, OnSmallSystemsEndsAsTheoryHasIt) {
  Backend be;
  const HostCsr A = dense_matrix();
  for (int s : {2, 4, 8}) {
    SolverOptions o = options("idr", 1e-9);
    o.choices.numbers["subspace"] = s;
    const Solved solved = solve(be, A, o, rhs_for(A));
    EXPECT_EQ(solved.report.status, Status::converged) << s;
    EXPECT_LE(solved.report.iterations, A.rows + (A.rows + s - 1) / s + 2 * (s + 1)) << s;  // n + n / s
  }
}

}  // namespace
}  // namespace wavesim::test
