#include "solvers/solve_system.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/make.hpp"
#include "tests/solvers/core/problems.hpp"
#include "tests/solvers/core/residual.hpp"
#include "tests/solvers/core/solve_csr.hpp"

namespace wavesim::test {
namespace {

using csr::solve;

SolverOptions options(const char* method = "cg", double tolerance = 1e-10) {
  SolverOptions o;
  o.method = method;
  o.tolerance = tolerance;
  o.norm = "relative-2";
  o.max_iterations = 1000;
  return o;
}

HostCsr from_dense(const std::vector<std::vector<double>>& dense) {
  HostCsr A;
  A.rows = int(dense.size());
  for (const auto& row : dense) {
    for (int j = 0; j < A.rows; ++j)
      if (row[j] != 0) {
        A.column.push_back(j);
        A.value.push_back(row[j]);
      }
    A.start.push_back(int(A.column.size()));
  }
  return A;
}

/// The second difference with `middle` on the diagonal, times `factor`.
HostCsr second_difference(int n, double factor = 1, double middle = 2) {
  std::vector<std::vector<double>> A(n, std::vector<double>(n, 0));
  for (int i = 0; i < n; ++i) {
    A[i][i] = middle * factor;
    if (i > 0) A[i][i - 1] = A[i - 1][i] = -factor;
  }
  return from_dense(A);
}

TEST(SolveSystem, GivesTheSolutionItsResidualAndTheHistory) {
  const HostCsr A = second_difference(100);
  const std::vector<double> b = random_values(100, 1);
  for (const char* method : {"cg", "bicgstab"}) {
    const SystemResult r = solve(A, b, options(method));
    ASSERT_EQ(r.report.status, Status::converged) << method;
    EXPECT_NEAR(r.relative_2(), relative_residual(A, b, r.x), 1e-14);
    EXPECT_LE(r.relative_2(), 1e-10);
    EXPECT_EQ(r.report.history.size(), std::size_t(r.report.iterations) + 1);
    EXPECT_FALSE(r.parted);
  }
}

TEST(SolveSystem, CountsTheBytesOfTheMatrixAsItIs) {
  // 128 rows, 382 entries: 12 bytes each, and 4 for each row start
  EXPECT_EQ(solve(second_difference(128), random_values(128, 1), options()).matrix_bytes, 382 * 12 + 128 * 4);
  EXPECT_EQ(solve(second_difference(128), random_values(128, 1), options("cg", 1e-4), true).matrix_bytes,
            382 * 8 + 128 * 4);
}

TEST(SolveSystem, GivesTheSameBitsWhateverThePowersOfTwoInMatrixAndRightHandSide) {
  const std::vector<double> b = random_values(50, 2);
  const SystemResult plain = solve(second_difference(50), b, options());
  for (auto [of_A, of_b] : {std::array<int, 2>{-1000, -1000}, {-600, 200}, {40, -900}, {1000, 1000}}) {
    std::vector<double> scaled_b = b;
    for (double& v : scaled_b) v = std::ldexp(v, of_b);
    const SystemResult r = solve(second_difference(50, std::ldexp(1.0, of_A)), scaled_b, options());
    EXPECT_EQ(r.report.status, Status::converged);
    EXPECT_EQ(r.report.iterations, plain.report.iterations);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(r.x[i], std::ldexp(plain.x[i], of_b - of_A));
  }
}

TEST(SolveSystem, DoesNotCallASolutionBeyondAllNumbersConverged) {
  const SystemResult r = solve(second_difference(50, 1e-200), std::vector<double>(50, 1e200), options());
  EXPECT_EQ(r.report.status, Status::not_finite);
}

TEST(SolveSystem, HoldsInSinglePrecisionWhatLiesOutsideOfItsRange) {
  const std::vector<double> b(50, 1e-60);
  const HostCsr A = second_difference(50, 1e60);
  const SystemResult r = solve(A, b, options("cg", 1e-4), true);
  EXPECT_EQ(r.report.status, Status::converged);
  for (int i = 0; i < 50; ++i)  // x = (i + 1) (n - i) / 2 h
    EXPECT_NEAR(r.x[i] * 1e120, 0.5 * (i + 1) * (50 - i), 0.1);
}

TEST(SolveSystem, IsJudgedInDoublesBySinglePrecisionToo) {
  // The value 1 + 2^-30 is 1 in single precision, and the tolerance sees the difference.
  const HostCsr A = from_dense({{1 + std::ldexp(1.0, -30), 0}, {0, 1}});
  const SystemResult r = solve(A, {1, 0}, options("cg", 1e-10), true);
  EXPECT_EQ(r.report.status, Status::stagnated);
  EXPECT_TRUE(r.parted);
  EXPECT_NEAR(r.relative_2(), std::ldexp(1.0, -30), 1e-15);
  EXPECT_EQ(solve(A, {1, 0}, options("cg", 1e-8), true).report.status, Status::converged);
}

TEST(SolveSystem, AllowsTheResidualInDoublesTwiceTheToleranceAndNoMore) {
  // As above: the method's own residual is 0, and the true one 2^-30.
  const double residual = std::ldexp(1.0, -30);
  const HostCsr A = from_dense({{1 + residual, 0}, {0, 1}});
  for (const char* norm : {"relative-2", "max"})
    for (const double part : {1.01, 1.5, 1.98, 2.02, 2.5, 4.0, 7.0}) {
      SolverOptions o = options("cg", residual / part);
      o.norm = norm;
      const SystemResult r = solve(A, {1, 0}, o, true);
      EXPECT_EQ(r.report.status, part < 2 ? Status::converged : Status::stagnated) << norm << ", " << part;
      EXPECT_NEAR(norm == std::string("max") ? r.relative_max() : r.relative_2(), residual, 1e-15);
    }
}

TEST(SolveSystem, SaysWhenTheMethodBelievesInLessThanItsTrueResidual) {
  const HostCsr A = second_difference(400);  // eps |A| |x| is above 1e-14 of b here
  const std::vector<double> b = random_values(400, 5);
  const SystemResult r = solve(A, b, options("cg", 1e-15));
  EXPECT_EQ(r.report.status, Status::stagnated) << word(r.report.status);
  EXPECT_TRUE(r.parted);
  EXPECT_NEAR(r.relative_2(), relative_residual(A, b, r.x), 1e-14);
  EXPECT_GT(r.relative_2(), 1e-14);
}

TEST(SolveSystem, OfAZeroRightHandSideIsZero) {
  const SystemResult r = solve(second_difference(70), std::vector<double>(70, 0), options());
  EXPECT_EQ(r.report.status, Status::converged);
  EXPECT_EQ(r.report.iterations, 0);
  EXPECT_EQ(r.x, std::vector<double>(70, 0));
  EXPECT_EQ(r.relative_2(), 0);
}

TEST(SolveSystem, RefusesARightHandSideThatIsNotFinite) {
  EXPECT_THROW(solve(second_difference(2), {1, std::numeric_limits<double>::quiet_NaN()}, options()),
               InputError);
}

TEST(SolveSystem, TakesWhatIsSymmetricButForRounding) {
  HostCsr A = second_difference(30);
  A.value[1] *= 1 + 1e-15;
  EXPECT_EQ(solve(A, random_values(30, 4), options()).report.status, Status::converged);
  A.value[1] *= 1 + 1e-9;
  EXPECT_THROW(solve(A, random_values(30, 4), options()), InputError);
}

TEST(SolveSystem, CallsASingularSystemWithoutASolutionNoSuccess) {
  HostCsr A = second_difference(40);
  A.value.front() = A.value.back() = 1;  // free ends: the constant is in the null space
  for (const char* method : {"cg", "bicgstab", "jacobi"}) {
    const SystemResult r = solve(A, std::vector<double>(40, 1), options(method));
    EXPECT_NE(r.report.status, Status::converged) << method;
    EXPECT_FALSE(r.relative_2() < 0.5) << method;
  }
}

TEST(JacobiPreconditioner, NamesTheFirstRowWithoutADiagonal) {
  std::vector<std::vector<double>> dense(70, std::vector<double>(70, 0));
  for (int i = 0; i < 70; ++i) {
    dense[i][i] = i == 64 || i == 66 ? 0 : 2;
    if (i > 0) dense[i][i - 1] = dense[i - 1][i] = 1;
  }
  SolverOptions o = options();
  o.preconditioner.type = "jacobi";
  for (bool single : {false, true}) try {
      solve(from_dense(dense), std::vector<double>(70, 1), o, single);
      FAIL() << "was taken";
    } catch (const InputError& e) {
      const std::string sentence = e.what();
      EXPECT_NE(sentence.find("in row 65 and 1 more"), std::string::npos) << sentence;
    }
}

}  // namespace
}  // namespace wavesim::test
