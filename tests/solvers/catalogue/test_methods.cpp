#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "solvers/catalogue/make.hpp"
#include "tests/solvers/catalogue/fits.hpp"
#include "tests/solvers/catalogue/solve_problem.hpp"

namespace wavesim::test {
namespace {

/// ||b - A x|| / ||b|| with the dense matrix.
double true_residual(const HostProblem& host, const std::vector<double>& b, const std::vector<double>& x,
                     double weight = 0.75) {
  const auto A = host.dense(0.5, weight);
  double rr = 0, bb = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    double r = b[i];
    for (std::size_t j = 0; j < b.size(); ++j) r -= A[i][j] * x[j];
    rr += r * r;
    bb += b[i] * b[i];
  }
  return bb > 0 ? std::sqrt(rr / bb) : std::sqrt(rr);
}

/// Those that solve these problems: their media vary, and their matrices are not triangular.
std::vector<Method> methods() {
  std::vector<Method> fit;
  for (const Method& method : solver_methods())
    if (method.structure != Structure::rectangle && !method.triangular) fit.push_back(method);
  return fit;
}

/// Methods without a search direction: slow, and their default weights are 1.
bool stationary(const Method& method) {
  for (const std::string_view name :
       {"jacobi", "async-jacobi", "gauss-seidel", "symmetric-gauss-seidel", "sor", "ssor"})
    if (method.name == name) return true;
  return false;
}

template <class T>
class Methods : public testing::Test {};
using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(Methods, Precisions);

TYPED_TEST(Methods, EachReachesItsTrueResidualWithEveryFormatAndPreconditioner) {
  using T = TypeParam;
  const bool full = sizeof(T) == 8;
  Backend be;
  for (const Shape& shape : shapes()) {
    const HostProblem host(shape);
    const std::vector<double> b = random_values(host.e.points(), 11);
    for (const Method& method : solver_methods())
      for (const PreconditionerEntry& preconditioner : solver_preconditioners())
        for (const Format& format : formats_of_rows()) {
          SolverOptions o;
          o.method = method.name;
          o.preconditioner.type = preconditioner.name;
          o.tolerance = full ? 1e-10 : 1e-5;
          o.norm = "relative-2";
          if (!fits::taken(method.name, preconditioner.name, fits::wave, !full)) {
            EXPECT_THROW(solve<T>(be, host, o, std::string(format.name), b), InputError);
            continue;
          }
          const auto s = solve<T>(be, host, o, std::string(format.name), b);
          const std::string what = std::string(method.name) + " " + std::string(preconditioner.name) + " " +
                                   std::string(format.name) + " " + std::to_string(shape.nx) + " x " +
                                   std::to_string(shape.ny);
          EXPECT_EQ(s.report.status, Status::converged) << what << ": " << word(s.report.status);
          EXPECT_LE(true_residual(host, b, s.x), o.tolerance * (full ? 1.01 : 1.5)) << what;
          EXPECT_NEAR(s.report.relative_residual(), true_residual(host, b, s.x), full ? 1e-13 : 2e-6) << what;
          EXPECT_LE(s.report.iterations, stationary(method) ? 300 : method.least_squares ? 90 : 60) << what;
          ASSERT_EQ(s.history.size(), std::size_t(s.report.iterations) + 1);
        }
  }
}

/// Iterations on one problem, about a sixth above what each needs: more is a mistake that still converges.
TEST(IterationBudgets, AreKeptByEachMethodAndEachPreconditioner) {
  struct Budget {
    std::string_view method, preconditioner;
    int iterations;
  };
  const std::vector<Budget> budgets{
      {"cg", "none", 59},
      {"bicgstab", "none", 44},
      {"pipelined-cg", "none", 59},
      {"cg-onchip", "none", 59},
      {"fcg", "none", 59},
      {"bicg", "none", 59},
      {"cgs", "none", 34},
      {"tfqmr", "none", 35},
      {"minres", "none", 59},
      {"gmres", "none", 64},
      {"qmr", "none", 59},
      {"qmr", "jacobi", 51},
      {"lsqr", "none", 299},
      {"lsmr", "none", 303},
      {"fgmres", "none", 64},
      {"idr", "none", 65},
      {"jacobi", "none", 206},
      {"async-jacobi", "none", 90},  // as the threads happen to come
      {"gauss-seidel", "none", 99},
      {"symmetric-gauss-seidel", "none", 99},
      {"sor", "none", 99},
      {"ssor", "none", 99},
      {"chebyshev", "none", 104},
      {"multigrid", "none", 7},
      {"direct", "none", 1},
      {"refinement", "none", 3},
      {"auto", "none", 104},  // as chebyshev, at most
      {"cg", "jacobi", 51},
      {"cg", "symmetric-gauss-seidel", 26},
      {"cg", "ssor", 26},
      {"cg", "ic0", 17},
      {"cg", "isai", 27},
      {"cg", "block-jacobi", 37},
      {"cg", "multigrid", 6},
      {"cg", "sine-transform", 25},
      {"cg", "polynomial", 26},
      {"cg", "steps", 29},
      {"gmres", "ilu0", 17},
      {"gmres", "parilut", 7},
      {"cg", "parict", 8},
      {"fgmres", "single", 3},
      {"lsmr", "column-scaling", 238},
  };
  Backend be;
  const HostProblem host(shapes().back());
  const std::vector<double> b = random_values(host.e.points(), 24);
  constexpr double weight = 4;
  for (const Budget& budget : budgets) {
    SolverOptions o;
    o.method = budget.method;
    o.preconditioner.type = budget.preconditioner;
    o.tolerance = 1e-8;
    o.norm = "relative-2";
    const auto s = solve<double>(be, host, o, "stencil", b, nullptr, weight);
    const std::string what = o.method + " with " + o.preconditioner.type;
    EXPECT_EQ(s.report.status, Status::converged) << what;
    EXPECT_LE(true_residual(host, b, s.x, weight), 1.001e-8) << what;
    EXPECT_LE(s.report.iterations, budget.iterations) << what;
  }
  const auto has = [&](const auto& fits) { return std::any_of(budgets.begin(), budgets.end(), fits); };
  for (const Method& m : methods())
    EXPECT_TRUE(has([&](const Budget& of) { return of.method == m.name; })) << m.name;
  for (const PreconditionerEntry& p : solver_preconditioners())
    EXPECT_TRUE(has([&](const Budget& of) { return of.preconditioner == p.name; })) << p.name;
}

TYPED_TEST(Methods, GiveTheSameBitsOnRepetition) {
  using T = TypeParam;
  Backend be;
  const HostProblem host(shapes().back());
  const std::vector<double> b = random_values(host.e.points(), 12);
  for (const Method& method : methods()) {
    if (!method.repeatable || (method.doubles && sizeof(T) == 4)) continue;
    SolverOptions o;
    o.method = method.name;
    o.tolerance = 1e-4;
    const auto once = solve<T>(be, host, o, "stencil", b), again = solve<T>(be, host, o, "stencil", b);
    EXPECT_EQ(once.x, again.x) << method.name;
    EXPECT_EQ(once.history, again.history) << method.name;
  }
}

TYPED_TEST(Methods, GiveTheSameBitsInEveryFormat) {
  using T = TypeParam;
  Backend be;
  const HostProblem host(shapes().back());
  const std::vector<double> b = random_values(host.e.points(), 12);
  for (const Method& method : methods()) {
    if (!method.repeatable || (method.doubles && sizeof(T) == 4)) continue;
    SolverOptions o;
    o.method = method.name;
    o.tolerance = 1e-4;
    const auto dia = solve<T>(be, host, o, "dia", b);
    for (const char* format : {"ellpack-r", "csr"})
      EXPECT_EQ(dia.x, solve<T>(be, host, o, format, b).x) << method.name;
  }
}

TEST(Solve, OfAZeroRightHandSideStopsAtOnce) {
  Backend be;
  const HostProblem host(shapes()[3]);
  for (const Method& method : methods()) {
    SolverOptions o;
    o.method = method.name;
    const auto s = solve<double>(be, host, o, "stencil", std::vector<double>(host.e.points(), 0));
    EXPECT_EQ(s.report.status, Status::converged);
    EXPECT_EQ(s.report.iterations, 0);
    for (double v : s.x) EXPECT_EQ(v, 0);
  }
}

TEST(Solve, DoesAtLeastOneIterationFromAGuessThatPasses) {
  Backend be;
  const HostProblem host(shapes()[3]);
  const std::vector<double> b = random_values(host.e.points(), 13);
  for (const Method& method : methods()) {
    SolverOptions o;
    o.method = method.name;
    o.tolerance = 1e-8;
    std::vector<double> guess = solve<double>(be, host, o, "stencil", b).x;
    o.tolerance = 1e-3;
    const auto s = solve<double>(be, host, o, "stencil", b, &guess);
    EXPECT_EQ(s.report.status, Status::converged);
    EXPECT_GE(s.report.iterations, 1);
  }
}

TEST(Solve, ReportsTheIterationLimitWithTheTrueResidual) {
  Backend be;
  const HostProblem host(shapes().back());
  const std::vector<double> b = random_values(host.e.points(), 14);
  for (const Method& method : methods()) {
    if (method.bound == IterationBound::direct) continue;  // it needs no more
    SolverOptions o;
    o.method = method.name;
    o.tolerance = 1e-12;
    o.max_iterations = 1;
    const auto s = solve<double>(be, host, o, "dia", b, nullptr, 20);
    EXPECT_EQ(s.report.status, Status::max_iterations) << method.name;
    EXPECT_EQ(s.report.iterations, 1);
    EXPECT_NEAR(s.report.relative_residual(), true_residual(host, b, s.x, 20), 1e-12);
  }
}

TEST(Solve, CallsAnIndefiniteMatrixIndefinite) {
  Backend be;
  const HostProblem host(shapes()[3]);
  SolverOptions o;
  const auto s =
      solve<double>(be, host, o, "dia", random_values(host.e.points(), 15), nullptr, -5);  // M + D/2 - 5 K
  EXPECT_EQ(s.report.status, Status::indefinite);
}

TEST(Solve, CallsANotFiniteRightHandSideNotFinite) {
  Backend be;
  const HostProblem host(shapes()[3]);
  std::vector<double> b = random_values(host.e.points(), 16);
  b[17] = std::nan("");
  for (const Method& method : methods()) {
    SolverOptions o;
    o.method = method.name;
    EXPECT_EQ(solve<double>(be, host, o, "stencil", b).report.status, Status::not_finite) << method.name;
  }
}

TEST(Solve, SaysThatAToleranceBelowRoundingStagnates) {
  Backend be;
  const HostProblem host(shapes().back());
  SolverOptions o;
  o.tolerance = 1e-12;
  o.max_iterations = 400;
  const auto s = solve<float>(be, host, o, "stencil", random_values(host.e.points(), 17));
  EXPECT_EQ(s.report.status, Status::stagnated) << word(s.report.status);
}

TEST(Solve, IsJudgedInTheNormAskedFor) {
  Backend be;
  const HostProblem host(shapes().back());
  const std::vector<double> b = random_values(host.e.points(), 18);
  SolverOptions o;
  o.norm = "max";
  o.tolerance = 1e-6;
  const auto s = solve<double>(be, host, o, "stencil", b);
  EXPECT_EQ(s.report.status, Status::converged);
  EXPECT_LE(s.report.final.largest, 1e-6 * s.report.reference.largest);
  EXPECT_GT(s.report.final.largest, 1e-10 * s.report.reference.largest);
}

// What the algorithms in the papers need, counted (a method that applied its operator twice would still
// converge). A GPU takes these solves as they were recorded, and counts the iterations that were wanted; over the stencil it
// takes those of cg in one launch.
TEST(OperationCounts, CgTakesTwoPassesAndOneOperatorOverTheStencilEachIteration) {
  Backend be;
  const HostProblem host(shapes().back());
  SolverOptions o;
  o.tolerance = 1e-9;
  const auto s = solve<double>(be, host, o, "stencil", random_values(host.e.points(), 19));
  const long k = s.report.iterations;
  const bool one_launch = Backend::asynchronous;
  EXPECT_EQ(s.counts.count("all iterations of cg in tiles"), one_launch);
  EXPECT_EQ(s.counts.count("p = z + beta p, <p, A p>"), one_launch ? 0 : k);
  EXPECT_EQ(s.counts.count("x += alpha p, r -= alpha A p, |r|"), one_launch ? 0 : k);
  const long passes = (one_launch ? 1 : 2 * k) + 2;  // and the first residual, and the true one
  EXPECT_EQ(s.counts.passes, passes);
  EXPECT_EQ(s.counts.reductions, passes);
}

TEST(OperationCounts, CgOnAStoredFormatMovesSixteenWordsOnDia) {
  Backend be;
  const HostProblem host({16 * 4 - 1, 20, {Side::fixed, Side::fixed, Side::fixed, Side::fixed}, false});
  SolverOptions o;
  o.tolerance = 1e-9;
  const auto s = solve<double>(be, host, o, "dia", random_values(host.e.points(), 20));
  const long k = s.report.iterations;
  EXPECT_EQ(s.counts.count("q = A p, <p, q>"), k);
  EXPECT_EQ(s.counts.passes, 3 * k + 2);
  // 3 for p = z + beta p, 7 for q = A p, 6 for the update (design, D2); maps run over the padding as well
  const double points = double(host.e.points()), padded = host.e.count();
  const double each = 8 * (9 * padded + 7 * points), rest = 8 * (2 * padded + 7 * points);
  EXPECT_DOUBLE_EQ(s.counts.bytes, each * double(k) + rest);
}

TEST(OperationCounts, PreconditionedCgAddsOnePassAndOneReduction) {
  Backend be;
  const HostProblem host(shapes().back());
  SolverOptions o;
  o.preconditioner.type = "jacobi";
  const auto s = solve<double>(be, host, o, "stencil", random_values(host.e.points(), 21));
  EXPECT_EQ(s.counts.count("z = D^-1 r, <r, z>"), s.report.iterations + 1);
  EXPECT_EQ(s.counts.passes, 3L * s.report.iterations + 3);
}

TEST(OperationCounts, BiCgStabAppliesItsOperatorTwiceAndReducesThreeTimes) {
  Backend be;
  const HostProblem host(shapes().back());
  SolverOptions o;
  o.method = "bicgstab";
  const auto s = solve<double>(be, host, o, "stencil", random_values(host.e.points(), 22));
  const long k = s.report.iterations;
  EXPECT_EQ(s.counts.count("q = A p, <w, q>"), 2 * k);
  EXPECT_EQ(s.counts.reductions, 3 * k + 2);
  EXPECT_EQ(s.counts.passes, 5 * k + 3);
}

TEST(OperationCounts, JacobiTakesOnePassAnIteration) {
  Backend be;
  const HostProblem host(shapes().back());
  SolverOptions o;
  o.method = "jacobi";
  const auto s = solve<double>(be, host, o, "stencil", random_values(host.e.points(), 23));
  const long k = s.report.iterations +
                 (Backend::asynchronous ? s.report.iterations % 2 : 0);  // a GPU takes two at a time
  EXPECT_EQ(s.counts.passes, k + 2);
  EXPECT_EQ(s.counts.reductions, k + 2);
}

}  // namespace
}  // namespace wavesim::test
