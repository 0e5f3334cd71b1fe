// Sparse factors on the host, and the method that is made of them.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/direct/sparse_factors.hpp"
#include "tests/solvers/krylov/krylov_problems.hpp"

namespace wavesim::test {
namespace {

using namespace krylov;

std::string refusal(const HostCsr& A, bool symmetric, double most_bytes = 1e9) {
  try {
    const SparseFactors factors(A, symmetric, most_bytes);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "";
}

std::vector<double> solved(const HostCsr& A, bool symmetric, const std::vector<double>& b) {
  std::vector<double> x(b.size());
  SparseFactors(A, symmetric).solve(b, x);
  return x;
}

class SparseDirect : public testing::Test {
  void SetUp() override {
    if (!have_sparse_factors()) GTEST_SKIP() << "this build is without Eigen";
  }
};

TEST_F(SparseDirect, SolvesToRounding) {
  const HostCsr any = unsymmetric(), definite = laplace(24);
  const std::vector<double> b = rhs_for(any), c = rhs_for(definite);
  EXPECT_LE(true_residual(any, b, solved(any, false, b)), 1e-14);
  EXPECT_LE(true_residual(definite, c, solved(definite, true, c)), 1e-14);
}

TEST_F(SparseDirect, TakesCholeskyWhereTheMatrixIsPositiveDefiniteElseLU) {
  EXPECT_NE(SparseFactors(laplace(8), true).describe().find("a Cholesky factor"), std::string::npos);
  EXPECT_NE(SparseFactors(laplace(8), false).describe().find("factors L and U"), std::string::npos);
  // symmetric, without a diagonal: Cholesky fails at once
  const HostCsr indefinite = from_dense({{0, 2, 0}, {2, 0, 1}, {0, 1, 3}});
  EXPECT_NE(SparseFactors(indefinite, true).describe().find("factors L and U"), std::string::npos);
  const std::vector<double> x = solved(indefinite, true, {2, 3, 4});
  for (double v : x) EXPECT_NEAR(v, 1, 1e-15);
}

TEST_F(SparseDirect, BearsRowsAndColumnsInAnyUnits) {
  HostCsr A = unsymmetric();
  const std::vector<double> b = multiply(A, std::vector<double>(A.rows, 1));
  const auto row = [](int i) { return std::pow(10.0, (i * 37) % 200 - 100); };
  const auto column = [](int j) { return std::pow(10.0, (j * 17) % 40); };
  std::vector<double> c = b;
  for (int i = 0; i < A.rows; ++i) {
    c[i] *= row(i);
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) A.value[k] *= row(i) * column(A.column[k]);
  }
  const std::vector<double> x = solved(A, false, c);
  for (int j = 0; j < A.rows; ++j) EXPECT_NEAR(x[j] * column(j), 1, 1e-9);
}

TEST_F(SparseDirect, LeavesOutRowsWithoutEntries) {
  HostCsr A = from_dense({{2, 0, 1}, {0, 0, 0}, {1, 0, 4}});
  const std::vector<double> x = solved(A, true, {3, 7, 5});
  EXPECT_NEAR(x[0], 1, 1e-15);
  EXPECT_EQ(x[1], 0);
  EXPECT_NEAR(x[2], 1, 1e-15);
}

TEST_F(SparseDirect, RefusesWhatIsSingularOrNotFiniteOrTooLarge) {
  EXPECT_NE(refusal(from_dense({{1, 1}, {1, 1}}), true).find("the matrix is singular"), std::string::npos);
  EXPECT_NE(refusal(from_dense({{1, INFINITY}, {1, 1}}), false).find("not finite"), std::string::npos);
  for (bool symmetric : {true, false}) {
    const std::string s = refusal(laplace(30), symmetric, 20e3);
    EXPECT_NE(s.find("there is no room"), std::string::npos) << s;
    EXPECT_EQ(refusal(laplace(30), symmetric), "");
  }
}

/// Fill as elimination of a dense pattern makes it.
double entries_of_dense_elimination(const HostCsr& A, const std::vector<int>& order) {
  const int n = A.rows;
  std::vector<std::vector<char>> there(n, std::vector<char>(n, 0));
  std::vector<int> step(n);
  for (int k = 0; k < n; ++k) step[order[k]] = k;
  for (int i = 0; i < n; ++i)
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
      there[step[i]][step[A.column[k]]] = there[step[A.column[k]]][step[i]] = 1;
  double entries = n;
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i)
      if (there[i][k]) {
        ++entries;
        for (int j = k + 1; j < n; ++j) there[i][j] = char(there[i][j] | there[k][j]);
      }
  return entries;
}

TEST(EntriesOfAFactor, AreThoseOfElimination) {
  const HostCsr A = laplace(7);
  HostCsr lower;  // the pattern is that of A + A'
  lower.rows = A.rows;
  for (int i = 0; i < A.rows; ++i) {
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
      if (A.column[k] <= i) {
        lower.column.push_back(A.column[k]);
        lower.value.push_back(A.value[k]);
      }
    lower.start.push_back(int(lower.column.size()));
  }
  std::vector<int> natural, mixed;
  for (int i = 0; i < A.rows; ++i) natural.push_back(i), mixed.push_back(i * 10 % A.rows);
  for (const auto& order : {natural, mixed})
    for (const HostCsr& matrix : {A, lower})
      EXPECT_EQ(entries_of_factor(matrix, order, 1e9), entries_of_dense_elimination(A, order));
  EXPECT_LT(entries_of_factor(A, natural, 60), 80);  // it stops soon
}

TEST_F(SparseDirect, AsAMethodTakesOneIterationOnEachFormat) {
  Backend be;
  const HostCsr A = unsymmetric();
  const Solved s = solve(be, A, options("direct", 1e-13), rhs_for(A));
  EXPECT_EQ(s.report.status, Status::converged) << word(s.report.status);
  EXPECT_EQ(s.report.iterations, 1);
  EXPECT_LE(true_residual(A, rhs_for(A), s.x), 1e-13);
}

TEST_F(SparseDirect, SaysThatATighterToleranceThanRoundingStagnates) {
  Backend be;
  const HostCsr A = unsymmetric();
  const Solved s = solve(be, A, options("direct", 1e-20), rhs_for(A));
  EXPECT_EQ(s.report.status, Status::stagnated) << word(s.report.status);
  EXPECT_LE(s.report.iterations, 20);
}

}  // namespace
}  // namespace wavesim::test
