// ParICT: incomplete Cholesky factors on a pattern that grows.
#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>

#include "kernels/backend/backend.hpp"
#include "solvers/factorisation/factorisation.hpp"
#include "tests/solvers/factorisation/factor_products.hpp"
#include "tests/solvers/krylov/krylov_problems.hpp"
#include "tests/solvers/matrices/matrix_problems.hpp"
#include "tests/solvers/triangular/triangular_problems.hpp"

namespace wavesim::test {
namespace {

/// Of the lower triangle and the diagonal.
std::size_t lower_entries(const HostCsr& A) { return triangle_of(A, true, false).column.size(); }

HostCsr factor(Backend& be, const HostCsr& A, double fill, int rounds = 3, int sweeps = 0) {
  Levels<Backend> levels;
  return parict(be, Csr<Backend, double>(be, A), A.rows, fill, rounds, sweeps, levels).download();
}

/// |A - L L'|^2 on the pattern of L + L'.
double distance(const HostCsr& A, const HostCsr& L) {
  const HostCsr F = as_lu(A, L);
  return squared_distance(on_pattern(A, F), F);
}

double squares(const HostCsr& A) {
  double sum = 0;
  for (double v : A.value) sum += v * v;
  return sum;
}

TEST(ParIct, WithoutFillIsIc0ToTheBit) {
  Backend be;
  int compared = 0;
  for (const Named& m : matrices()) {
    if (!is_symmetric(m.A)) continue;
    HostCsr exact;
    try {
      exact = ic0(m.A);
    } catch (const SolveError&) {
      EXPECT_THROW(factor(be, m.A, 1), SolveError) << m.name;
      continue;
    }
    expect_same(factor(be, m.A, 1, 1), exact, m.name);
    ++compared;
  }
  EXPECT_GE(compared, 4);
}

TEST(ParIct, KeepsTheEntriesOfTheMatrixAndNoMoreThanItsFill) {
  Backend be;
  int grown = 0;
  for (const Named& m : matrices()) {
    if (!is_symmetric(m.A) || m.A.value.size() > 100000 || m.name == "nopoly.mtx") continue;
    const HostCsr a = triangle_of(sorted(m.A), true, false);
    for (const double fill : {1.5, 3.0}) {
      const HostCsr L = factor(be, m.A, fill);
      EXPECT_LE(double(L.column.size()), fill * double(lower_entries(m.A))) << m.name;
      grown += L.column.size() > lower_entries(m.A);
      for (int i = 0; i < a.rows; ++i) {
        const auto begin = L.column.begin() + L.start[i],
                   end = L.column.begin() + L.start[std::size_t(i) + 1];
        ASSERT_TRUE(std::is_sorted(begin, end));
        ASSERT_TRUE(begin == end || *(end - 1) == i) << m.name << ", row " << i;
        ASSERT_TRUE(std::includes(begin, end, a.column.begin() + a.start[i],
                                  a.column.begin() + a.start[std::size_t(i) + 1]))
            << m.name << ", row " << i;
      }
      EXPECT_LT(distance(m.A, L), 1e-26 * squares(m.A)) << m.name;  // exact on its pattern
    }
  }
  EXPECT_GE(grown, 4);
}

TEST(ParIct, OnAWholePatternIsTheCholeskyFactor) {
  Backend be;
  const HostCsr A = grid(9, 8, 9, 3);
  const HostCsr L = factor(be, A, 20, 12);
  std::vector<std::vector<double>> C(std::size_t(A.rows), std::vector<double>(std::size_t(A.rows), 0));
  for (int i = 0; i < A.rows; ++i)
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) C[i][A.column[k]] = A.value[k];
  for (int i = 0; i < A.rows; ++i)  // row by row (Cholesky-Banachiewicz)
    for (int j = 0; j <= i; ++j) {
      for (int m = 0; m < j; ++m) C[i][j] -= C[i][m] * C[j][m];
      C[i][j] = j < i ? C[i][j] / C[j][j] : std::sqrt(C[i][i]);
    }
  EXPECT_GT(L.column.size(), 2 * lower_entries(A));
  for (int i = 0; i < A.rows; ++i) {
    std::vector<double> row(std::size_t(A.rows), 0);
    for (int k = L.start[i]; k < L.start[std::size_t(i) + 1]; ++k) row[L.column[k]] = L.value[k];
    for (int j = 0; j <= i; ++j) ASSERT_NEAR(row[j], C[i][j], 1e-14) << i << ", " << j;
  }
}

TEST(ParIct, BySweepsComesCloserToTheMatrixWithEach) {
  Backend be;
  for (const Named& m : {Named{"a grid", grid(70, 45, 80, 1)}, Named{"laplace", krylov::laplace(30)}}) {
    double before = squares(m.A);
    for (int sweeps = 1; sweeps <= 16; ++sweeps) {
      const double now = distance(m.A, factor(be, m.A, 2, 3, sweeps));
      EXPECT_LE(now, before * 0.7 + 1e-26 * squares(m.A)) << m.name << ", " << sweeps << " sweeps";
      before = now;
    }
    EXPECT_LT(before, 1e-9 * squares(m.A)) << m.name;
  }
}

// Entries are compared to the root of the diagonal of their row: those of L for D A D are D times those for A.
TEST(ParIct, ChoosesTheSamePatternOnAScaledMatrix) {
  Backend be;
  const HostCsr A = grid(30, 25, 30, 9);
  HostCsr scaled = A;
  for (int i = 0; i < A.rows; ++i)
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
      scaled.value[k] *= std::ldexp(1, i % 11) * std::ldexp(1, A.column[k] % 11);
  const HostCsr L = factor(be, A, 2), M = factor(be, scaled, 2);
  EXPECT_EQ(L.column, M.column);
  for (int i = 0; i < A.rows; ++i)
    for (int k = L.start[i]; k < L.start[std::size_t(i) + 1]; ++k)
      ASSERT_EQ(M.value[k], std::ldexp(L.value[k], i % 11));
}

TEST(ParIct, HasTheSameBitsForAnyNumberOfThreads) {
  Backend be;
  const int before = omp_get_max_threads();
  std::vector<HostCsr> found;
  for (const int threads : {1, 2, 5}) {
    omp_set_num_threads(threads);
    found.push_back(factor(be, krylov::laplace(60), 2.5));
    found.push_back(factor(be, krylov::laplace(60), 2.5, 3, 3));
  }
  omp_set_num_threads(before);
  for (std::size_t k = 2; k < found.size(); ++k) expect_same(found[k], found[k % 2], "other threads");
}

int taken(Backend& be, const HostCsr& A, const char* type, double fill = 0, int sweeps = 0,
          double tolerance = 1e-8) {
  SolverOptions o = krylov::options("cg", tolerance);
  o.preconditioner.type = type;
  if (fill > 0) o.preconditioner.choices.numbers["fill"] = fill;
  if (sweeps > 0) o.preconditioner.choices.numbers["factor-sweeps"] = sweeps;
  const std::vector<double> b = krylov::rhs_for(A);
  const auto s = krylov::solve<double>(be, A, o, b);
  EXPECT_EQ(s.report.status, Status::converged) << type;
  EXPECT_LE(krylov::true_residual(A, b, s.x), 1.001 * tolerance) << type;
  return s.report.iterations;
}

TEST(ParIct, SavesIterationsOfCg) {
  Backend be;
  const HostCsr A = krylov::laplace(60);
  const int ic0 = taken(be, A, "ic0");
  EXPECT_EQ(taken(be, A, "parict", 1), ic0);
  EXPECT_LE(taken(be, A, "parict", 2), ic0 / 2);
  EXPECT_LE(taken(be, A, "parict", 4), ic0 * 2 / 5);
  EXPECT_LE(taken(be, A, "parict", 2, 5), ic0 / 2 + 2);  // by sweeps
}

// Structures and networks. The first four have an IC(0), the others none.
TEST(ParIct, SavesIterationsOfCgOnRealMatrices) {
  Backend be;
  int found = 0;
  for (const char* name :
       {"1138_bus", "bcsstk08", "gr_30_30", "685_bus", "bcsstk10", "bcsstk19", "bcsstk20", "nos1"}) {
    const std::filesystem::path file = real_matrix(name);
    if (file.empty()) continue;
    const HostCsr A = read_matrix_market(file);
    ++found;
    const int parict = taken(be, A, "parict", 0, 0, 1e-6);
    try {
      ic0(A);
    } catch (const SolveError&) {
      EXPECT_LE(parict, 60) << name;
      continue;
    }
    EXPECT_LE(parict, taken(be, A, "ic0", 0, 0, 1e-6) * 3 / 5) << name;
  }
  if (found == 0)
    GTEST_SKIP() << "needs the matrices of ../shared/matrices, or of the folder that WAVESIM_MATRICES names";
}

std::string complaint(const HostCsr& A, int sweeps = 0) {
  Backend be;
  try {
    factor(be, A, 2, 3, sweeps);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "none";
}

TEST(ParIct, RefusesWhatHasNoCholeskyFactor) {
  using krylov::from_dense;
  const auto expect = [](const HostCsr& A, const char* what, int sweeps = 0) {
    const std::string why = complaint(A, sweeps);
    EXPECT_NE(why.find("ParICT"), std::string::npos) << why;
    EXPECT_NE(why.find(what), std::string::npos) << why;
  };
  expect(from_dense({{1, 1}, {1, 1}}), "the pivot 0.000000 in row 1 (counted from 0), which is not positive");
  expect(from_dense({{1, 2, 0}, {2, 1, 1}, {0, 1, 3}}), "the pivot -3.000000 in row 1");
  expect(from_dense({{-1, 0.5}, {0.5, 1}}), "row 0");
  expect(from_dense({{0, 2, 1}, {2, 5, 3}, {1, 3, 4}}), "needs every element of the diagonal, and row 0");
  expect(from_dense({{1, 2}, {2, 1}}), "by 3 sweeps", 3);
  HostCsr A = from_dense({{2, 1}, {1, 3}});
  A.value[3] = std::nan("");
  expect(A, "a pivot in row 1 (counted from 0) that is not finite");
}

// A pivot of an early sweep may be negative where that of the exact factor is not (FactorSweeps has that one).
TEST(ParIct, SurvivesPivotsThatFailOnTheWay) {
  Backend be;
  const HostCsr A = by_rows(12, [](int i, const auto& push) {
    for (int j = 0; j < 12; ++j) push(j, i == j ? 1.0 : 0.98 - 0.02 * std::abs(i - j));
  });
  EXPECT_THROW(ic0_by_sweeps(be, Csr<Backend, double>(be, A), 12, 2), SolveError);
  expect_same(factor(be, A, 2), ic0(A), "a full matrix");
}

TEST(ParIct, IsForSymmetricMatrices) {
  Backend be;
  const HostCsr A = krylov::unsymmetric();
  SolverOptions o = krylov::options("gmres");
  o.preconditioner.type = "parict";
  try {
    krylov::solve<double>(be, A, o, krylov::rhs_for(A));
    FAIL() << "was taken";
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(),
                 "preconditioner parict needs a symmetric matrix, and this one is not; use parilut");
  }
}

}  // namespace
}  // namespace wavesim::test
