// Rows permuted and scaled for a large diagonal.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/backend/errors.hpp"
#include "kernels/formats/five_point_csr.hpp"
#include "solvers/matrices/matching.hpp"
#include "solvers/matrices/matrix_market.hpp"
#include "tests/solvers/matrices/matrix_problems.hpp"

namespace wavesim::test {
namespace {

double element(const HostCsr& A, int i, int j) {
  for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
    if (A.column[k] == j) return A.value[k];
  return 0;
}

HostCsr random_pattern(int n, double part, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  HostCsr A;
  A.rows = n;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      if (uniform(random) < part) {
        A.column.push_back(j);
        A.value.push_back((uniform(random) - 0.5) * std::pow(10, 8 * uniform(random) - 4));
      }
    A.start.push_back(int(A.column.size()));
  }
  return A;
}

/// By trying all permutations; 0: none has a diagonal.
double best_product(const HostCsr& A) {
  std::vector<int> row(A.rows);
  std::iota(row.begin(), row.end(), 0);
  double best = 0;
  do {
    double product = 1;
    for (int j = 0; j < A.rows; ++j) product *= std::abs(element(A, row[j], j));
    best = std::max(best, product);
  } while (std::next_permutation(row.begin(), row.end()));
  return best;
}

TEST(Matching, HasTheLargestProductOfAllDiagonals) {
  int singular = 0, moved = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const HostCsr A = random_pattern(6, 0.35, seed);
    const double best = best_product(A);
    if (best == 0) {
      EXPECT_THROW(match(A), InputError);
      ++singular;
      continue;
    }
    const Matching m = match(A);
    double product = 1;
    for (int j = 0; j < A.rows; ++j) product *= std::abs(element(A, m.row[j], j));
    EXPECT_NEAR(product / best, 1, 1e-12);
    moved += m.moved;
  }
  EXPECT_GT(singular, 5);
  EXPECT_LT(singular, 50);
  EXPECT_GT(moved, 50);
}

void expect_large_diagonal(const HostCsr& A, const std::string& what) {
  const Matching m = match(A);
  const HostCsr B = m.applied(A);
  std::vector<int> rows = m.row;
  std::sort(rows.begin(), rows.end());
  for (int i = 0; i < A.rows; ++i) {
    ASSERT_EQ(rows[i], i) << what;
    const double d = std::abs(element(B, i, i));
    ASSERT_TRUE(d >= 0.5 && d <= 2) << what << ", row " << i << ": " << d;
    for (int k = B.start[i]; k < B.start[std::size_t(i) + 1]; ++k) ASSERT_LE(std::abs(B.value[k]), 2) << what;
  }
}

TEST(Matching, ScalesTheDiagonalToOneAndNothingBeyondIt) {
  for (unsigned seed = 1; seed <= 5; ++seed)
    expect_large_diagonal(random_pattern(150, 0.08, seed), "random " + std::to_string(seed));
  expect_large_diagonal(five_point_matrix(9, {-1, -1, 4, -1, -1}), "laplace");
}

TEST(Matching, LeavesADominantDiagonalWhereItIs) {
  const Matching m = match(five_point_matrix(9, {-1, -1, 4.5, -1, -1}));
  EXPECT_EQ(m.moved, 0);
}

TEST(Matching, RefusesWhatIsSingularWhateverItsValues) {
  try {
    match({3, {0, 1, 2, 4}, {1, 1, 0, 2}, {1, 2, 3, 4}});  // rows 1 and 2 have the same one column
    ADD_FAILURE() << "it matched it";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("structurally singular: row 2 finds no column"), std::string::npos)
        << e.what();
  }
  EXPECT_THROW(match({2, {0, 1, 2}, {0, 1}, {1, 0}}), InputError);  // a stored zero
}

SystemResult solved(const HostCsr& A, const std::string& method, const std::string& preconditioner) {
  SolverOptions o;
  o.method = method;
  o.preconditioner.type = preconditioner;
  o.norm = "relative-2";
  o.tolerance = 1e-8;
  o.max_iterations = 3000;
  const std::vector<double> b = multiply(A, std::vector<double>(A.rows, 1));
  return solve_matched(A, b, o, [&](const HostCsr& B, const std::vector<double>& c) {
    return solve_system_on_host(B, c, o, "csr", false);
  });
}

TEST(Matching, SolvesTheSystemAsItWasGiven) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const HostCsr A = random_pattern(150, 0.08, seed);
    const SystemResult r = solved(A, "bicgstab", "ilu0");
    const std::vector<double> b = multiply(A, std::vector<double>(A.rows, 1));
    const std::vector<double> residual = accurate_residual(A, b, r.x);
    double rr = 0, bb = 0;
    for (int i = 0; i < A.rows; ++i) {
      rr += residual[i] * residual[i];
      bb += b[i] * b[i];
    }
    EXPECT_NEAR(r.relative_2(), std::sqrt(rr / bb), 1e-6 * r.relative_2()) << seed;
    EXPECT_EQ(r.report.converged(), std::sqrt(rr / bb) <= 1.0001e-8) << seed << " " << word(r.report.status);
    EXPECT_EQ(r.report.history.size(), std::size_t(r.report.iterations) + 1);
  }
  const HostCsr A = random_pattern(50, 0.2, 3);
  SolverOptions o;
  o.method = "bicgstab";
  const SystemResult zero = solve_matched(
      A, std::vector<double>(50, 0), o,
      [&](const auto& B, const auto& c) { return solve_system_on_host(B, c, o, "csr", false); });
  EXPECT_EQ(zero.report.status, Status::converged);
  for (double v : zero.x) EXPECT_EQ(v, 0);
}

SolverOptions idr(double tolerance) {
  SolverOptions o;
  o.method = "idr";
  o.norm = "relative-2";
  o.tolerance = tolerance;
  o.max_iterations = 1000;
  return o;
}

/// The end of the last solve of the matched system is not the end of the whole: the residual of A x = b is.
TEST(Matching, ConvergesWhereTheResidualMeetsTheToleranceHoweverTheMatchedSystemEnds) {
  const HostCsr A = five_point_matrix(2, {-1, -1, 4, -1, -1});
  const std::vector<double> ones(4, 1), b = multiply(A, ones);
  for (const Status end : {Status::stagnated, Status::max_iterations, Status::breakdown, Status::converged})
    for (const double left : {0.0, 1e-9, 1e-3}) {  // of the error, after the correction
      int solves = 0;
      const SystemResult r = solve_matched(A, b, idr(1e-6), [&](const HostCsr& B, const auto& c) {
        SystemResult part = solve_system_on_host(B, c, idr(1e-14), "csr", false);
        const bool first = solves++ == 0;
        for (double& x : part.x) x *= 1 - (first ? 1e-2 : solves == 2 ? left : 0);
        part.report.status = first ? Status::converged : end;
        return part;
      });
      const bool met = r.relative_2() <= 1e-6;
      EXPECT_EQ(met, left < 1e-3 || end == Status::converged);
      EXPECT_EQ(r.report.status, met ? Status::converged : end) << left;
    }
}

/// The matched system is solved for a residual that rounding does not let it solve for, while that of A x = b
/// meets the tolerance.
TEST(Matching, ConvergesWhereTheMatchedSystemStagnates) {
  for (const char* preconditioner : {"none", "parilut"}) {
    int stagnated = 0;
    for (unsigned seed = 1; seed <= 12; ++seed) {
      const HostCsr A = random_pattern(60, 0.2, seed);
      const std::vector<double> b = multiply(A, std::vector<double>(60, 1));
      SolverOptions o = idr(3e-16);
      o.preconditioner.type = preconditioner;
      Status last = Status::running;
      const SystemResult r = solve_matched(A, b, o, [&](const HostCsr& B, const auto& c) {
        SystemResult part = solve_system_on_host(B, c, o, "csr", false);
        last = part.report.status;
        return part;
      });
      EXPECT_EQ(r.report.converged(), r.relative_2() <= o.tolerance)
          << preconditioner << " " << seed << ": " << word(r.report.status) << ", " << r.relative_2();
      stagnated += last == Status::stagnated && r.report.converged();
    }
    EXPECT_GE(stagnated, 1) << preconditioner;
  }
}

// Chemical engineering, flow, astrophysics: zeros on the diagonal, or rows of very different size.
TEST(Matching, MakesIterativeMethodsSolveWhatHasNoDiagonal) {
  struct Expected {
    const char *name, *method;
    int iterations;
  };
  int found = 0;
  for (const Expected& e : {Expected{"impcol_e", "bicgstab", 30},
                            {"west0067", "bicgstab", 80},
                            {"west0479", "bicgstab", 250},
                            {"west0497", "bicgstab", 60},
                            {"olm1000", "bicgstab", 10},
                            {"mcca", "bicgstab", 30},
                            {"e05r0500", "bicgstab", 3000}}) {
    const std::filesystem::path file = real_matrix(e.name);
    if (file.empty()) continue;
    ++found;
    const HostCsr A = read_matrix_market(file);
    const SystemResult r = solved(A, e.method, "ilu0");
    EXPECT_EQ(r.report.status, Status::converged) << e.name;
    EXPECT_LE(r.relative_2(), 1e-8) << e.name;
    EXPECT_LE(r.report.iterations, e.iterations) << e.name;
  }
  if (found == 0)
    GTEST_SKIP() << "needs the matrices of ../shared/matrices, or of the folder that WAVESIM_MATRICES names";
}

}  // namespace
}  // namespace wavesim::test
