// Incomplete factors of a matrix with a larger diagonal.
#include <gtest/gtest.h>

#include "kernels/backend/errors.hpp"
#include "solvers/factorisation/shifted_diagonal.hpp"
#include "tests/solvers/krylov/krylov_problems.hpp"

namespace wavesim::test {
namespace {

using namespace krylov;

std::vector<double> row_of(const HostCsr& A, int i) {
  std::vector<double> row(A.rows, 0);
  for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) row[A.column[k]] += A.value[k];
  return row;
}

TEST(ShiftedDiagonal, MovesEachElementAwayFromZeroByAPartOfItsRow) {
  const HostCsr A = from_dense({{2, -8, 0}, {1, 0, 4}, {0, 2, -3}});
  const HostCsr moved = with_shifted_diagonal(A, 0.5);
  EXPECT_EQ(row_of(moved, 0), (std::vector<double>{6, -8, 0}));
  EXPECT_EQ(row_of(moved, 1), (std::vector<double>{1, 2, 4}));
  EXPECT_EQ(row_of(moved, 2), (std::vector<double>{0, 2, -4.5}));
  const HostCsr padded = with_shifted_diagonal(from_dense({{1, 0}, {0, 0}}), 0.5);
  EXPECT_EQ(padded.start, (std::vector<int>{0, 1, 1}));
}

TEST(ShiftedDiagonal, GivesFactorsToMatricesWithoutThem) {
  Backend be;
  const HostCsr zero_pivot = from_dense({{1, 1, 0}, {1, 1, 2}, {0, 1, 1}});
  const HostCsr no_diagonal = from_dense({{0, 2, 1}, {1, 0, 3}, {4, 1, 0}});
  const HostCsr negative_pivot = from_dense({{1, 2, 0}, {2, 5, 3}, {0, 3, 10}});
  struct Case {
    const HostCsr& A;
    const char *method, *preconditioner;
    bool refused;  // without a shift
  };
  const HostCsr indefinite = from_dense({{1, 2}, {2, 1}});
  const HostCsr zeros = from_dense({{0, 1, 0}, {1, 5, 2}, {0, 2, 5}});
  for (const Case& c : {Case{zero_pivot, "gmres", "ilu0", true}, Case{no_diagonal, "gmres", "ilu0", true},
                        Case{no_diagonal, "gmres", "parilut", true}, Case{indefinite, "gmres", "ic0", true},
                        Case{negative_pivot, "cg", "ic0", false}, Case{indefinite, "gmres", "parict", true},
                        Case{zeros, "gmres", "parict", true}}) {
    SolverOptions o = options(c.method);
    o.preconditioner.type = c.preconditioner;
    const std::vector<double> b(c.A.rows, 1);
    if (c.refused) {
      EXPECT_THROW(solve(be, c.A, o, b), std::runtime_error) << c.preconditioner;
    }
    o.preconditioner.choices.numbers["shift"] = 0.6;
    const Solved s = solve(be, c.A, o, b);
    EXPECT_EQ(s.report.status, Status::converged) << c.preconditioner;
    EXPECT_LE(true_residual(c.A, b, s.x), 1.001e-10) << c.preconditioner;
  }
}

}  // namespace
}  // namespace wavesim::test
