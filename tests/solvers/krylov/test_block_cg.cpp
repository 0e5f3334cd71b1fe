// Conjugate gradients for several right-hand sides at once.

#include "solvers/krylov/block_cg.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include "kernels/backend/backend.hpp"
#include "kernels/formats/five_point_csr.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/solve_system.hpp"
#include "tests/solvers/core/list_fields.hpp"
#include "tests/solvers/matrices/matrix_problems.hpp"

namespace wavesim::test {
namespace {

using Columns = std::vector<std::vector<double>>;

Columns random_columns(int rows, int count, unsigned seed = 1) {
  Columns b;
  for (int k = 0; k < count; ++k) b.push_back(random_values(std::size_t(rows), seed + unsigned(k)));
  return b;
}
HostCsr poisson(int n) { return five_point_matrix(n, {{-1, -1, 4, -1, -1}}); }

SolverOptions cg_with(const std::string& preconditioner, double tolerance, int most = 10000) {
  SolverOptions o;
  o.method = "cg";
  o.preconditioner.type = preconditioner;
  o.tolerance = tolerance;
  o.max_iterations = most;
  o.norm = "relative-2";
  return o;
}

struct Solved {
  std::vector<Report> reports;
  Columns x;
};

/// All columns in one block.
template <class T>
Solved solve_at_once(const HostCsr& A, const Columns& b, const std::string& preconditioner, double tolerance,
                     int most = 10000) {
  Backend be;
  const auto op = make_operator<Backend, T>("csr", be, A);
  const auto M = make_preconditioner<Backend, T>(cg_with(preconditioner, tolerance).preconditioner, be, *op);
  if (M) M->prepare(*op);
  std::vector<Field<Backend, T>> rhs, x;
  for (const auto& column : b) {
    rhs.push_back(to_list<T>(be, op->extent(), column));
    x.emplace_back(be, op->extent());
  }
  BlockCg<Backend, T> method(be, *op, M.get(), int(b.size()), tolerance, most);
  Solved s{method.solve(rhs, x), {}};
  for (const auto& column : x) s.x.push_back(from_list(column, A.rows));
  return s;
}

double relative_residual(const HostCsr& A, const std::vector<double>& b, const std::vector<double>& x) {
  const std::vector<double> r = accurate_residual(A, b, x);
  double rr = 0, bb = 0;
  for (std::size_t i = 0; i < b.size(); ++i) rr += r[i] * r[i], bb += b[i] * b[i];
  return bb > 0 ? std::sqrt(rr / bb) : std::sqrt(rr);
}

void expect_solved(const HostCsr& A, const Columns& b, const Solved& s, double tolerance,
                   const std::string& what) {
  for (std::size_t k = 0; k < b.size(); ++k) {
    EXPECT_EQ(s.reports[k].status, Status::converged) << what << ", column " << k + 1;
    EXPECT_LE(relative_residual(A, b[k], s.x[k]), 1.5 * tolerance) << what << ", column " << k + 1;
  }
}

TEST(BlockCg, SolvesAnyNumberOfColumnsWithEachSymmetricPreconditioner) {
  for (const HostCsr& A : {poisson(30), beam(60)})
    for (const char* preconditioner : {"none", "jacobi", "ic0", "block-jacobi"})
      for (const int count : {1, 2, 3, 5, 8}) {
        const Columns b = random_columns(A.rows, count);
        expect_solved(A, b, solve_at_once<double>(A, b, preconditioner, 1e-10), 1e-10,
                      preconditioner + std::string(", columns: ") + std::to_string(count));
      }
}

TEST(BlockCg, SolvesInSinglePrecision) {
  const HostCsr A = poisson(30);
  for (const char* preconditioner : {"none", "jacobi"}) {
    const Columns b = random_columns(A.rows, 6);
    expect_solved(A, b, solve_at_once<float>(A, b, preconditioner, 1e-5), 1e-5, preconditioner);
  }
}

TEST(BlockCg, TakesAsManyIterationsAsCgForOneColumnAndFewerForSeveral) {
  const HostCsr A = poisson(40);
  const Columns b = random_columns(A.rows, 8);
  const int alone = csr::solve(A, b[0], cg_with("none", 1e-8)).report.iterations;
  const int one = solve_at_once<double>(A, {b[0]}, "none", 1e-8).reports[0].iterations,
            four = solve_at_once<double>(A, {b.begin(), b.begin() + 4}, "none", 1e-8).reports[0].iterations,
            eight = solve_at_once<double>(A, b, "none", 1e-8).reports[0].iterations;
  EXPECT_NEAR(one, alone, 0.05 * alone);
  EXPECT_LT(four, 0.85 * one);
  EXPECT_LT(eight, 0.65 * one);
}

TEST(BlockCg, TakesColumnsThatDependOnEachOtherAndZeros) {
  const HostCsr A = poisson(25);
  for (const char* preconditioner : {"none", "jacobi"}) {
    Columns b = random_columns(A.rows, 3);
    b.push_back(b[1]);  // the same again
    b.emplace_back(std::size_t(A.rows), 0);
    b.push_back(b[0]);  // a combination, and almost one
    for (std::size_t i = 0; i < b[0].size(); ++i) b[5][i] = 1e3 * b[0][i] - 2 * b[2][i];
    b.push_back(b[2]);
    for (std::size_t i = 0; i < b[0].size(); ++i) b[6][i] += 1e-9 * b[1][b[0].size() - 1 - i];
    const Solved s = solve_at_once<double>(A, b, preconditioner, 1e-9);
    expect_solved(A, b, s, 1e-9, preconditioner);
    EXPECT_EQ(s.x[4], b[4]);
  }
}

TEST(BlockCg, LetsColumnsGoThatAreSolved) {
  const int n = 30, waves = 4;
  const HostCsr A = poisson(n);
  Columns b = random_columns(A.rows, 1);
  for (int k = 1; k <= waves; ++k) {  // eigenvectors, for each of which one iteration is enough
    std::vector<double>& wave = b.emplace_back();
    for (int i = 0; i < A.rows; ++i) {
      const int column = i % n, row = i / n;
      wave.push_back(std::sin(k * M_PI * (column + 1) / (n + 1)) * std::sin(M_PI * (row + 1) / (n + 1)));
    }
  }
  for (const char* preconditioner : {"none", "jacobi"}) {
    const Solved s = solve_at_once<double>(A, b, preconditioner, 1e-9);
    expect_solved(A, b, s, 1e-9, preconditioner);
    const Report alone = csr::solve(A, b[0], cg_with(preconditioner, 1e-9)).report;
    EXPECT_LE(s.reports[0].iterations, alone.iterations + 2) << preconditioner;
    // The first column alone is left: a pass costs what it does for one column.
    EXPECT_LT(s.reports[0].bytes * (waves + 1), 2 * alone.bytes) << preconditioner;
    for (int k = 1; k <= waves; ++k) {
      EXPECT_LE(s.reports[std::size_t(k)].iterations, 2) << preconditioner << " " << k;
      EXPECT_EQ(int(s.reports[std::size_t(k)].history.size()), s.reports[std::size_t(k)].iterations + 1);
    }
  }
}

TEST(BlockCg, TakesColumnsOfAnySizeBesideEachOther) {
  const HostCsr A = poisson(25);
  Columns b = random_columns(A.rows, 4);
  for (double& v : b[1]) v *= 1e12;
  for (double& v : b[2]) v *= 1e-12;
  expect_solved(A, b, solve_at_once<double>(A, b, "none", 1e-9), 1e-9, "none");
}

TEST(BlockCg, SaysWhatKeepsItFromAnEnd) {
  const HostCsr A = poisson(30);
  for (const Report& r : solve_at_once<double>(A, random_columns(A.rows, 3), "none", 1e-10, 5).reports) {
    EXPECT_EQ(r.status, Status::max_iterations);
    EXPECT_EQ(r.iterations, 5);
    EXPECT_EQ(r.history.size(), 6u);
  }
  HostCsr indefinite = A;
  for (double& v : indefinite.value)
    if (v == 4) v = 2;
  for (const Report& r : solve_at_once<double>(indefinite, random_columns(A.rows, 3), "none", 1e-10).reports)
    EXPECT_EQ(r.status, Status::indefinite);
  for (const Report& r : solve_at_once<double>(A, random_columns(A.rows, 3), "none", 1e-19).reports)
    EXPECT_EQ(r.status, Status::stagnated);
}

#ifndef __CUDACC__
TEST(BlockCg, GivesTheSameBitsWithAnyNumberOfThreads) {
  const HostCsr A = poisson(150);
  const Columns b = random_columns(A.rows, 5);
  const int before = omp_get_max_threads();
  std::vector<Columns> found;
  for (const int threads : {1, 2, 3}) {
    omp_set_num_threads(threads);
    found.push_back(solve_at_once<double>(A, b, "jacobi", 1e-2).x);
  }
  omp_set_num_threads(before);
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}
#endif

std::unique_ptr<LinearSystem> system_of(const HostCsr& A, const SolverOptions& o) {
#ifdef __CUDACC__
  return make_system_on_cuda(A, o, "csr", false);
#else
  return make_system_on_host(A, o, "csr", false);
#endif
}

TEST(BlockCg, IsWhatCgTakesForSeveralRightHandSides) {
  const HostCsr A = poisson(40);
  const Columns b = random_columns(A.rows, 11);
  const SolverOptions o = cg_with("jacobi", 1e-8);
  const std::vector<SystemResult> together = system_of(A, o)->solve_all(b);
  ASSERT_EQ(together.size(), b.size());
  for (std::size_t k = 0; k < b.size(); ++k) {
    const SystemResult alone = system_of(A, o)->solve(b[k]);
    EXPECT_TRUE(together[k].report.converged()) << k;
    EXPECT_LT(together[k].report.iterations, alone.report.iterations) << k;
    EXPECT_EQ(int(together[k].report.history.size()), together[k].report.iterations + 1) << k;
    EXPECT_LE(relative_residual(A, b[k], together[k].x), 1e-8) << k;
    EXPECT_FALSE(together[k].parted) << k;
    EXPECT_NEAR(together[k].relative_2(), relative_residual(A, b[k], together[k].x), 1e-12) << k;
  }
  EXPECT_NE(together[0].set_up.find("right-hand sides at once"), std::string::npos) << together[0].set_up;
}

TEST(BlockCg, LeavesColumnsThatItCannotSolveToCg) {
  const HostCsr A = beam(100);  // near what rounding lets residuals become, of a block a little earlier
  const Columns b = random_columns(A.rows, 4);
  const auto solved = [](const Report& r) { return r.converged(); };
  const std::vector<Report> block = solve_at_once<double>(A, b, "none", 1e-11).reports;
  EXPECT_FALSE(std::all_of(block.begin(), block.end(), solved));
  const SolverOptions o = cg_with("none", 1e-11);
  const std::vector<SystemResult> together = system_of(A, o)->solve_all(b);
  int alone = 0;
  for (std::size_t k = 0; k < b.size(); ++k)
    if (system_of(A, o)->solve(b[k]).report.converged()) {
      EXPECT_TRUE(together[k].report.converged()) << k;
      EXPECT_EQ(int(together[k].report.history.size()), together[k].report.iterations + 1) << k;
      ++alone;
    }
  EXPECT_GT(alone, 0);
}

TEST(BlockCg, LeavesOneRightHandSideTheLargestNormAndOtherMethodsAsTheyAre) {
  const HostCsr A = poisson(20);
  const Columns b = random_columns(A.rows, 3);
  const auto same_as_alone = [&](const SolverOptions& o, const Columns& columns) {
    const std::vector<SystemResult> together = system_of(A, o)->solve_all(columns);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const SystemResult alone = system_of(A, o)->solve(columns[k]);
      EXPECT_EQ(together[k].x, alone.x) << o.method << " " << k;
      EXPECT_EQ(together[k].report.history, alone.report.history) << o.method << " " << k;
    }
  };
  same_as_alone(cg_with("none", 1e-8), {b[0]});
  SolverOptions o = cg_with("none", 1e-8);
  o.norm = "max";
  same_as_alone(o, b);
  o = cg_with("none", 1e-8);
  o.accurate = true;
  same_as_alone(o, b);
  o = cg_with("jacobi", 1e-8);
  o.method = "bicgstab";
  same_as_alone(o, b);
}

TEST(SmallCholesky, FactorsAndInverts) {
  SmallMatrix A(3, 3);
  A.values = {4, 2, -1, 2, 5, 3, -1, 3, 6};
  const SmallMatrix I = product(A, inverse_of_definite(A));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(I(i, j), i == j, 1e-14);
  A(2, 2) = 0.1;  // indefinite
  EXPECT_EQ(inverse_of_definite(A).rows, 0);
}

TEST(SmallCholesky, FindsOrthonormalColumnsOfAnySize) {
  SmallMatrix Y(5, 3);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 3; ++j) Y(i, j) = std::pow(1e-4, j) * std::cos(1.0 + i * (j + 1));
  const SmallMatrix U = orthonormal_columns(Y), G = transposed_product(U, U),
                    back = product(U, transposed_product(U, Y));
  ASSERT_EQ(U.columns, 3);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(G(i, j), i == j, 1e-14);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(back(i, j), Y(i, j), 1e-13 * std::pow(1e-4, j));
}

TEST(SmallCholesky, MakesColumnsOrthonormalAndDropsWhatDependsOnOthers) {
  SmallMatrix Y(6, 4);
  for (int i = 0; i < 6; ++i) {
    Y(i, 0) = std::sin(1 + i);
    Y(i, 1) = 1e6 * std::cos(2.0 * i);
    Y(i, 2) = 3 * Y(i, 0) - 1e-6 * Y(i, 1);  // of the others
    Y(i, 3) = 1.0 / (1 + i);
  }
  const PivotedCholesky factor(transposed_product(Y, Y));
  EXPECT_TRUE(factor.semidefinite);
  ASSERT_EQ(factor.zeta.rows, 3);
  const SmallMatrix Q = product(Y, factor.combinations), G = transposed_product(Q, Q),
                    back = product(Q, factor.zeta);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(G(i, j), i == j, 1e-12);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 4; ++j) EXPECT_NEAR(back(i, j), Y(i, j), 1e-6 * (j == 1 ? 1e6 : 4));
}

}  // namespace
}  // namespace wavesim::test
