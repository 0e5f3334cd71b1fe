// The ways that `wavesim solve --method auto` tries, with solves that are made up, and real ones.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/backend/errors.hpp"
#include "solvers/automatic/attempts.hpp"
#include "solvers/direct/sparse_factors.hpp"
#include "tests/solvers/krylov/krylov_problems.hpp"

namespace wavesim::test {
namespace {

using namespace krylov;

SolverOptions wanted(int max_iterations = 10000) {
  SolverOptions o = options("auto", 1e-8);
  o.max_iterations = max_iterations;
  return o;
}

/// Of a system of 16 rows, with x = 0.
SystemResult ending(Status status, double residual) {
  SystemResult r;
  r.x.assign(16, 0);
  r.report.status = status;
  r.report.reference.squares = 1;
  r.residual.squares = residual * residual;
  return r;
}

SystemResult on_host(const HostCsr& A, const std::vector<double>& b, const SolverOptions& o) {
  return solve_system_on_host(A, b, o, "csr", false);
}

TEST(Attempts, BeginWithTheCheapAndEndWithTheFirstThatSolves) {
  const HostCsr A = laplace(8);
  const SystemResult r = solve_by_attempts(A, rhs_for(A), wanted(), {.symmetric = true}, on_host);
  EXPECT_EQ(r.report.status, Status::converged);
  ASSERT_EQ(r.attempts.size(), 1u);
  EXPECT_EQ(r.attempts[0].name, "cg with jacobi");
  EXPECT_EQ(r.attempts[0].ending, "converged");
  EXPECT_EQ(r.attempts[0].iterations, r.report.iterations);
  EXPECT_GT(r.attempts[0].seconds, 0);
  EXPECT_EQ(text(r.attempts).find("cg with jacobi: converged after "), 0u) << text(r.attempts);
}

TEST(Attempts, AllowMoreIterationsRoundByRoundAndBeginWithTheOneThatCameFurthest) {
  const HostCsr A = laplace(4);
  std::vector<int> limits;
  std::vector<std::string> first_of_round;
  const auto solve = [&](const HostCsr&, const std::vector<double>&, const SolverOptions& o) {
    if (limits.empty() || o.max_iterations > limits.back()) {
      limits.push_back(o.max_iterations);
      first_of_round.push_back(o.method);
    }
    return ending(Status::max_iterations, o.method == "minres" ? 1e-3 : 0.5);
  };
  const SystemResult r =
      solve_by_attempts(A, rhs_for(A), wanted(), {.symmetric = true, .direct = false}, solve);
  EXPECT_EQ(limits, (std::vector<int>{150, 1500, 10000}));
  EXPECT_EQ(first_of_round, (std::vector<std::string>{"cg", "minres", "minres"}));
  EXPECT_EQ(r.report.status, Status::max_iterations);
  EXPECT_EQ(r.relative_2(), 1e-3);  // the best of all
}

TEST(Attempts, KeepToTheLimitOfIterations) {
  const HostCsr A = laplace(4);
  int most = 0, calls = 0;
  const auto solve = [&](const HostCsr&, const std::vector<double>&, const SolverOptions& o) {
    most = std::max(most, o.max_iterations);
    ++calls;
    return ending(Status::max_iterations, 0.5);
  };
  solve_by_attempts(A, rhs_for(A), wanted(40), {.symmetric = true, .direct = false}, solve);
  EXPECT_EQ(most, 40);
  EXPECT_LE(calls, 16);  // nothing twice
}

TEST(Attempts, LeaveOutConjugateGradientsWhereTheMatrixIsIndefinite) {
  const HostCsr A = laplace(4);
  int of_cg = 0;
  const auto solve = [&](const HostCsr&, const std::vector<double>&, const SolverOptions& o) {
    of_cg += o.method == "cg";
    return ending(o.method == "cg" ? Status::indefinite : Status::max_iterations, 0.5);
  };
  solve_by_attempts(A, rhs_for(A), wanted(), {.symmetric = true, .direct = false}, solve);
  EXPECT_EQ(of_cg, 1);
}

TEST(Attempts, ShiftThePivotsOnlyWhereFactorsWithoutAShiftFail) {
  const HostCsr A = laplace(4);
  for (const bool fails : {false, true}) {
    int shifted = 0;
    const auto solve = [&](const HostCsr&, const std::vector<double>&, const SolverOptions& o) {
      const bool shift = o.preconditioner.choices.numbers.contains("shift");
      shifted += o.method == "cg" && shift;
      if (fails && o.preconditioner.type == "ic0" && !shift) throw SolveError("a pivot; try something else");
      return ending(Status::max_iterations, 0.5);
    };
    const SystemResult r =
        solve_by_attempts(A, rhs_for(A), wanted(150), {.symmetric = true, .direct = false}, solve);
    EXPECT_EQ(shifted, fails ? 1 : 0);
    if (fails) {
      EXPECT_EQ(r.attempts.at(1).ending, "a pivot");
    }
  }
}

TEST(Attempts, LetThePatternGrowWhereFactorsOfASmallShiftFailToo) {
  const HostCsr A = laplace(4);
  for (const bool fails : {false, true}) {
    const auto solve = [&](const HostCsr&, const std::vector<double>&, const SolverOptions& o) {
      if (o.preconditioner.type == "parict") return ending(Status::converged, 1e-9);
      const auto& numbers = o.preconditioner.choices.numbers;
      const double shift = numbers.contains("shift") ? numbers.at("shift") : 0;
      if (o.preconditioner.type == "ic0" && shift < (fails ? 0.1 : 0.01)) throw SolveError("a pivot");
      return ending(Status::max_iterations, 0.5);
    };
    const SystemResult r =
        solve_by_attempts(A, rhs_for(A), wanted(150), {.symmetric = true, .direct = false}, solve);
    EXPECT_EQ(r.report.converged(), fails) << text(r.attempts);
    if (fails) {
      ASSERT_EQ(r.attempts.size(), 4u);
      EXPECT_EQ(r.attempts[2].name, "cg with ic0, shift 0.01");
      EXPECT_EQ(r.attempts[3].name, "cg with parict, rounds 1");
    }
  }
}

TEST(Attempts, ShiftFurtherWhereAPatternThatGrowsIsSlow) {
  const HostCsr A = laplace(4);
  const auto solve = [&](const HostCsr&, const std::vector<double>&, const SolverOptions& o) {
    const auto& numbers = o.preconditioner.choices.numbers;
    const double shift = numbers.contains("shift") ? numbers.at("shift") : 0;
    if (o.preconditioner.type == "ic0" && shift < 0.1) throw SolveError("a pivot");
    return o.preconditioner.type == "ic0" ? ending(Status::converged, 1e-9)
                                          : ending(Status::max_iterations, 0.5);
  };
  const SystemResult r =
      solve_by_attempts(A, rhs_for(A), wanted(150), {.symmetric = true, .direct = false}, solve);
  EXPECT_TRUE(r.report.converged()) << text(r.attempts);
  EXPECT_EQ(r.attempts.back().name, "cg with ic0, shift 0.2");
}

TEST(Attempts, SayWhatThrewWhereNoneGaveAResult) {
  const HostCsr A = laplace(4);
  const auto solve = [&](const HostCsr&, const std::vector<double>&, const SolverOptions&) -> SystemResult {
    throw SolveError("no way");
  };
  EXPECT_THROW(solve_by_attempts(A, rhs_for(A), wanted(), {.symmetric = true}, solve), SolveError);
}

TEST(Attempts, GoOnToTheDirectMethodUnlessItIsNotWanted) {
  if (!have_sparse_factors()) GTEST_SKIP() << "this build is without Eigen";
  const HostCsr A = laplace(4);
  for (const bool direct : {true, false}) {
    const auto solve = [&](const HostCsr& matrix, const std::vector<double>& b, const SolverOptions& o) {
      if (o.method == "direct") return on_host(matrix, b, o);
      return ending(Status::max_iterations, 0.5);
    };
    const SystemResult r =
        solve_by_attempts(A, rhs_for(A), wanted(), {.symmetric = true, .direct = direct}, solve);
    EXPECT_EQ(r.report.converged(), direct);
    EXPECT_EQ(r.attempts.back().name == "direct", direct);
  }
}

TEST(Attempts, TryCheapFactorsOnceAfterTheFirstFailure) {
  if (!have_sparse_factors()) GTEST_SKIP() << "this build is without Eigen";
  const HostCsr A = laplace(10);
  for (const bool solves : {true, false}) {
    const auto solve = [&](const HostCsr& matrix, const std::vector<double>& b, const SolverOptions& o) {
      if (o.method == "direct" && solves) return on_host(matrix, b, o);
      return ending(Status::max_iterations, 0.5);
    };
    const SystemResult r = solve_by_attempts(A, rhs_for(A), wanted(), {.symmetric = true}, solve);
    EXPECT_EQ(r.attempts[1].name, "direct");
    EXPECT_EQ(r.attempts.size() == 2, solves);
    EXPECT_EQ(std::count_if(r.attempts.begin(), r.attempts.end(),
                            [](const Attempt& a) { return a.name == "direct"; }),
              1);
  }
}

/// Of ways that end, or would end, without a result; those that were asked for.
std::vector<std::string> tried(const HostCsr& A, const AttemptRules& rules) {
  std::vector<std::string> names;
  const auto never = [&](const HostCsr&, const std::vector<double>&, const SolverOptions& o) {
    const bool shifted = o.preconditioner.choices.numbers.contains("shift");
    names.push_back(o.method + " " + o.preconditioner.type + (shifted ? " shifted" : ""));
    return ending(Status::max_iterations, 0.5);
  };
  solve_by_attempts(A, std::vector<double>(A.rows, 1), wanted(150), rules, never);
  return names;
}
using Names = std::vector<std::string>;

TEST(Attempts, LeaveOutWhatARowOfZerosDooms) {
  HostCsr symmetric = from_dense({{2, 1, 0, 0}, {1, 2, 0, 0}, {0, 0, 2, 0}, {0, 0, 0, 2}});
  symmetric.value[4] = 0;
  EXPECT_EQ(tried(symmetric, {.symmetric = true}), (Names{"minres none", "idr block-jacobi"}));
  const HostCsr of_column = from_dense({{2, 1, 0}, {0, 2, 0}, {0, 1, 0}});
  EXPECT_EQ(tried(of_column, {}), (Names{"idr block-jacobi"}));
}

TEST(Attempts, LeaveOutWhatTheDiagonalDooms) {
  for (const bool negative : {false, true}) {
    const HostCsr A = from_dense({{2, 1, 0}, {1, negative ? -1.0 : 0.0, 1}, {0, 1, 2}});
    const Names names = tried(A, {.symmetric = true, .direct = false});
    const auto among = [&](const char* name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    EXPECT_EQ(among("cg jacobi"), negative);
    EXPECT_FALSE(among("cg ic0"));
    EXPECT_EQ(among("cg ic0 shifted"), !negative);  // which makes a zero positive
    EXPECT_FALSE(among("cg parict"));
    EXPECT_TRUE(among("minres none"));
    EXPECT_TRUE(among("gmres ilu0"));
  }
}

TEST(Attempts, GoOnToTheDirectMethodInPlaceOfAWayThatIsLeftOut) {
  if (!have_sparse_factors()) GTEST_SKIP() << "this build is without Eigen";
  const HostCsr A = from_dense({{2, 1, 0}, {1, 0, 1}, {0, 1, 2}});
  EXPECT_EQ(tried(A, {.symmetric = true}).front(), "direct none");
}

TEST(Attempts, SayWhatTheMatterIsWhereZerosLeaveNoWay) {
  const HostCsr A = from_dense({{2, 1, 0}, {0, 2, 0}, {0, 1, 0}});
  EXPECT_THROW(solve_by_attempts(A, {1, 1, 1}, wanted(), {.always_match = true}, on_host),
               std::runtime_error);
}

/// Columns whose lengths differ by up to 1e6: a band below the diagonal, 400 rows and 300 columns.
HostCsr tall_matrix() {
  HostCsr A;
  A.rows = 400;
  for (int i = 0; i < A.rows; ++i) {
    for (int j = std::max(0, i - 100); j <= std::min(i, 299); j += i % 3 == 0 ? 50 : 7) {
      A.column.push_back(j);
      A.value.push_back(std::pow(10.0, j % 7) * (1 + (i * 7 + j * 5) % 11));
    }
    A.start.push_back(int(A.column.size()));
  }
  A.square = false;
  return A;
}

TEST(Attempts, TakeMethodsOfLeastSquaresWhereTheMatrixIsNotSquare) {
  const HostCsr A = tall_matrix();
  std::vector<double> ones(400, 0);
  std::fill_n(ones.begin(), 300, 1.0);
  const std::vector<double> b = multiply(A, ones);
  const AttemptRules tall{.square = false, .tall = true}, wide{.square = false};
  const SystemResult r = solve_by_attempts(A, b, wanted(), tall, on_host);
  EXPECT_TRUE(r.report.converged()) << text(r.attempts);
  EXPECT_EQ(r.attempts.front().name, "lsmr");
  EXPECT_EQ(r.attempts.front().ending, "max-iterations");
  EXPECT_EQ(r.attempts.back().name, "lsmr with column-scaling");
  std::vector<std::string> names;
  const auto never = [&](const HostCsr&, const std::vector<double>&, const SolverOptions& o) {
    names.push_back(o.method + " " + o.preconditioner.type);
    return ending(Status::max_iterations, 0.5);
  };
  solve_by_attempts(A, b, wanted(1500), wide, never);  // where the shortest x is asked for
  EXPECT_EQ(names, (std::vector<std::string>{"lsmr none", "lsmr none", "lsqr none"}));
}

/// What each kind of way is there for.
TEST(Attempts, SolveWhatOneMethodDoesNot) {
  struct Case {
    const char* what;
    HostCsr A;
    bool symmetric;
  };
  const std::vector<Case> cases{
      {"indefinite", from_dense({{0, 2, 0}, {2, 0, 1}, {0, 1, 3}}), true},
      {"no diagonal", from_dense({{0, 2, 1}, {1, 0, 3}, {4, 1, 0}}), false},
      {"zero pivot", from_dense({{1, 1, 0}, {1, 1, 2}, {0, 1, 1}}), false},
      {"skew", from_dense({{0, 1}, {-1, 0}}), false},
  };
  for (const Case& c : cases) {
    const std::vector<double> b = multiply(c.A, std::vector<double>(c.A.rows, 1));
    const SystemResult r =
        solve_by_attempts(c.A, b, wanted(), {.symmetric = c.symmetric, .direct = false}, on_host);
    EXPECT_EQ(r.report.status, Status::converged) << c.what << "\n" << text(r.attempts);
    for (double x : r.x) EXPECT_NEAR(x, 1, 1e-6) << c.what;
  }
}

}  // namespace
}  // namespace wavesim::test
