// method: auto on systems: it meets the tolerance, says what it chose, repeats its bits, and lets another
// method take over where one fails. What it chooses: test_selector.cpp.

#include <gtest/gtest.h>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/solve_system.hpp"
#include "tests/solvers/core/problems.hpp"

namespace wavesim::test {
namespace {

SolverOptions automatic(double tolerance = 1e-8, int max_iterations = 1000) {
  SolverOptions o;
  o.method = "auto";
  o.tolerance = tolerance;
  o.max_iterations = max_iterations;
  return o;
}

HostCsr dense(const std::vector<std::vector<double>>& rows) {
  HostCsr A;
  A.rows = int(rows.size());
  for (const auto& row : rows) {
    for (int j = 0; j < A.rows; ++j)
      if (row[std::size_t(j)] != 0) A.column.push_back(j), A.value.push_back(row[std::size_t(j)]);
    A.start.push_back(int(A.column.size()));
  }
  return A;
}

SystemResult solve_system(const HostCsr& A, const std::vector<double>& b, const SolverOptions& o) {
#ifdef __CUDACC__
  return solve_system_on_cuda(A, b, o, "csr", false);
#else
  return solve_system_on_host(A, b, o, "csr", false);
#endif
}

/// A sequence of systems with one matrix, each from the solution of the last.
struct Sequence {
  std::vector<double> x;
  std::vector<int> iterations;
  std::string decisions;
  bool converged = true;
};
Sequence sequence(const SolverOptions& o, double weight, int solves) {
  Backend be;
  const HostProblem host(shapes().back());
  const Problem<double> problem(be, host);
  const auto A = make_operator<Backend, double>("stencil", be, host.e, problem.coefficients);
  A->assemble(0.5, weight);
  const auto solver = make_solver<Backend, double>(o, be, *A);
  solver->expect_solves(solves);
  Field<Backend, double> x(be, host.e);
  Sequence s;
  for (int n = 0; n < solves; ++n) {
    const auto b = to_field<double>(be, host.e, random_values(host.e.points(), 20 + unsigned(n)));
    const Report r = solver->solve(*A, nullptr, b, x, n == 0);
    s.converged = s.converged && r.converged();
    s.iterations.push_back(r.iterations);
    EXPECT_EQ(solver->history().size(), std::size_t(r.iterations) + 1);
  }
  s.x = from_field(x);
  s.decisions = solver->describe();
  return s;
}

TEST(Automatic, GivesTheSameBitsAndDecisionsOnRepetition) {
  for (const double weight : {0.5, 50.0}) {
    const Sequence once = sequence(automatic(), weight, 40), again = sequence(automatic(), weight, 40);
    EXPECT_TRUE(once.converged);
    EXPECT_EQ(once.x, again.x);
    EXPECT_EQ(once.iterations, again.iterations);
    EXPECT_EQ(once.decisions, again.decisions);
    EXPECT_EQ(once.decisions.find("solve 1: "), 0u) << once.decisions;
    EXPECT_NE(once.decisions.find("foreseen"), std::string::npos) << once.decisions;
  }
}

TEST(Automatic, LetsAnotherMethodTakeOverWithinTheSolve) {
  const Sequence s = sequence(automatic(1e-6, 6), 500, 3);  // too few iterations for all but multigrid
  EXPECT_TRUE(s.converged) << s.decisions;
  for (const int n : s.iterations) EXPECT_LE(n, 6);
}

TEST(Automatic, SaysWhatAllOfThemEndedWith) {
  const Sequence s = sequence(automatic(1e-12, 1), 500, 2);
  EXPECT_FALSE(s.converged);
  EXPECT_NE(s.decisions.find("ended with max-iterations"), std::string::npos) << s.decisions;
}

TEST(Automatic, SolvesMatricesThatAreNotPositiveDefiniteOrHaveNoDiagonal) {
  const SystemResult indefinite =
      solve_system(dense({{1, 2, 0}, {2, 1, 0}, {0, 0, 3}}), {1, 5, 3}, automatic());
  EXPECT_TRUE(indefinite.report.converged()) << indefinite.set_up;
  EXPECT_NEAR(indefinite.x[0], 3, 1e-6);
  EXPECT_NEAR(indefinite.x[1], -1, 1e-6);
  EXPECT_NE(indefinite.set_up.find("because cg + jacobi ended with"), std::string::npos) << indefinite.set_up;
  const SystemResult swapped = solve_system(dense({{0, 2}, {1, 1}}), {2, 3}, automatic());
  EXPECT_TRUE(swapped.report.converged()) << swapped.set_up;
  EXPECT_NEAR(swapped.x[0], 2, 1e-6);
  EXPECT_NEAR(swapped.x[1], 1, 1e-6);
}

TEST(Automatic, EndsAtOnceWhereTheRightHandSideIsNoNumber) {
  Backend be;
  const HostProblem host(shapes().back());
  const Problem<double> problem(be, host);
  const auto A = make_operator<Backend, double>("stencil", be, host.e, problem.coefficients);
  A->assemble(0.5, 1);
  const auto solver = make_solver<Backend, double>(automatic(), be, *A);
  std::vector<double> values = random_values(host.e.points(), 3);
  values[5] = NAN;
  Field<Backend, double> x(be, host.e);
  EXPECT_EQ(solver->solve(*A, nullptr, to_field<double>(be, host.e, values), x, true).status,
            Status::not_finite);
  EXPECT_EQ(solver->describe().find("because"), std::string::npos) << solver->describe();
}

TEST(Automatic, BringsItsOwnPreconditioner) {
  SolverOptions o = automatic();
  o.preconditioner.type = "jacobi";
  EXPECT_EQ(incompatibility(o).find("method: auto takes no preconditioner"), 0u) << incompatibility(o);
  o.preconditioner = {};
  o.choices.numbers["restart"] = 20;
  EXPECT_EQ(incompatibility(o).find("'restart' is no option of method: auto"), 0u) << incompatibility(o);
}

}  // namespace
}  // namespace wavesim::test
