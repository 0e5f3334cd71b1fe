// Krylov methods on matrices that are not symmetric, and what tells one from another.
#include <gtest/gtest.h>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "tests/solvers/krylov/krylov_problems.hpp"

namespace wavesim::test {
namespace {

using namespace krylov;

TEST(Krylov, EachMethodForUnsymmetricMatricesReachesItsTrueResidual) {
  Backend be;
  const HostCsr A = unsymmetric();
  const std::vector<double> b = rhs_for(A);
  ASSERT_FALSE(incompatibility(options("cg"), {Structure::any, false}).empty());
  for (const Method* method : methods_for_unsymmetric())
    for (const char* preconditioner : {"none", "jacobi"}) {
      SolverOptions o = options(method->name);
      o.preconditioner.type = preconditioner;
      ASSERT_EQ(incompatibility(o, {Structure::any, false}), "");
      const Solved s = solve(be, A, o, b);
      EXPECT_EQ(s.report.status, Status::converged) << method->name << ": " << word(s.report.status);
      EXPECT_LE(true_residual(A, b, s.x), 1.001e-10) << method->name << " " << preconditioner;
      EXPECT_EQ(s.history.size(), std::size_t(s.report.iterations) + 1);
      o.tolerance = 1e-5;
      const Solved single = solve<float>(be, A, o, b);
      EXPECT_EQ(single.report.status, Status::converged)
          << method->name << ": " << word(single.report.status);
      EXPECT_LE(true_residual(A, b, single.x), 1.1e-5) << method->name << " " << preconditioner;
    }
}

// Full GMRES has the least residual that so many products with A allow (each with one vector of the Krylov
// space), so no method may need fewer, but for the last product of a step that overshoots. The bounds above
// are ours: BiCG-like methods take about as many steps of two products each; a cycle of IDR(4) has five
// products for four steps. Eigen 3.4 takes 59 iterations of BiCGStab, 87 of full GMRES and 202 of GMRES(30).
TEST(Krylov, IterationCountsAreThoseOfTheLiterature) {
  Backend be;
  const HostCsr A = unsymmetric();
  const std::vector<double> b = rhs_for(A);
  const int least = solve(be, A, full_gmres(), b).report.iterations;
  EXPECT_NEAR(least, 87, 1);
  EXPECT_NEAR(solve(be, A, options("gmres"), b).report.iterations, 202, 2);
  EXPECT_NEAR(solve(be, A, options("fgmres"), b).report.iterations, 202, 2);
  for (const char* name : {"bicgstab", "bicg", "qmr", "cgs", "tfqmr"}) {
    const int products = 2 * solve(be, A, options(name), b).report.iterations;
    EXPECT_GE(products, least) << name;
    EXPECT_LE(products, 2.6 * least) << name;
  }
  for (int s : {1, 2, 4, 8}) {
    SolverOptions o = options("idr");
    o.choices.numbers["subspace"] = s;
    const Solved solved = solve(be, A, o, b);
    EXPECT_EQ(solved.report.status, Status::converged) << s;
    EXPECT_GE(solved.report.iterations, least) << s;
    EXPECT_LE(solved.report.iterations, 1.25 * (s + 1) / s * least) << s;
  }
}

TEST(Krylov, SymmetricMethodsReachTheirTrueResidualInAsManyIterationsAsCg) {
  Backend be;
  const HostCsr A = laplace(40);
  const std::vector<double> b = rhs_for(A);
  for (const char* preconditioner : {"none", "jacobi"}) {
    SolverOptions o = options("cg");
    o.preconditioner.type = preconditioner;
    const int expected = solve(be, A, o, b).report.iterations;
    for (const char* name : {"pipelined-cg", "fcg"}) {
      o.method = name;
      const Solved s = solve(be, A, o, b);
      EXPECT_EQ(s.report.status, Status::converged) << name;
      EXPECT_LE(true_residual(A, b, s.x), 1.001e-10) << name;
      EXPECT_NEAR(s.report.iterations, expected, 2) << name;
    }
  }
}

TEST(Krylov, ASolverThatMetNaNSolvesTheNextSystem) {
  Backend be;
  const HostCsr matrix = laplace(12);
  const std::vector<double> b = rhs_for(matrix);
  std::vector<double> bad = b;
  bad[3] = std::nan("");
  for (const char* name : {"pipelined-cg", "fcg", "minres", "bicgstab", "bicg", "qmr", "gmres", "fgmres",
                           "idr", "cgs", "tfqmr", "lsqr", "lsmr"})
    for (const char* preconditioner : {"none", "jacobi"}) {
      SolverOptions o = options(name);
      o.preconditioner.type = preconditioner;
      const auto A = make_operator<Backend, double>("csr", be, matrix);
      const auto M = make_preconditioner<Backend, double>(o.preconditioner, be, *A);
      const auto solver = make_solver<Backend, double>(o, be, *A);
      const Extent e = A->extent();
      const auto padded = [&](std::vector<double> v) {
        v.resize(std::size_t(e.points()), 0);
        return to_field<double>(be, e, v);
      };
      // NaN in the guess is met by every vector of the method, one in b is seen before the first iteration
      Field<Backend, double> x(be, e), y(be, e), guess = padded(bad);
      EXPECT_EQ(solver->solve(*A, M.get(), padded(b), guess, false).status, Status::not_finite) << name;
      EXPECT_EQ(solver->solve(*A, M.get(), padded(bad), x, true).status, Status::not_finite) << name;
      EXPECT_EQ(solver->solve(*A, M.get(), padded(b), y, true).status, Status::converged) << name;
      EXPECT_LE(true_residual(matrix, b, from_field(y)), 1.001e-10) << name;
    }
}

TEST(Krylov, BreaksDownOnAZeroDenominator) {
  Backend be;
  const HostCsr A = from_dense({{0, 1}, {-1, 0}});  // <r, A r> = 0 for every r
  for (const char* name : {"bicgstab", "bicg", "qmr", "cgs", "tfqmr"}) {
    const Solved s = solve(be, A, options(name), {1, 2});
    EXPECT_EQ(s.report.status, Status::breakdown) << name << ": " << word(s.report.status);
    for (double v : s.x) EXPECT_TRUE(std::isfinite(v)) << name;
  }
  for (const char* name : {"gmres", "fgmres", "idr"}) {  // these need not
    const Solved s = solve(be, A, options(name), {1, 2});
    EXPECT_EQ(s.report.status, Status::converged) << name << ": " << word(s.report.status);
    EXPECT_LE(s.report.iterations, 3) << name;
  }
}

TEST(BiCgStab, StartsAgainAfterABreakdown) {
  struct Case {
    std::vector<std::vector<double>> A;
    std::vector<double> b;
    int restarts;
  };
  // <r0, r> becomes zero, in whole numbers or to rounding.
  const std::vector<Case> cases{
      {{{2, -1, 0, -1}, {-1, -1, -1, 1}, {0, 1, 2, 0}, {0, 1, 0, 0}}, {1, 0, 0, 0}, 1},
      {{{2, 0, 1, 0}, {0, 1, 0, 2}, {0, 2, 0, -1}, {1, 2, 0, -1}}, {1, 0, 0, 0}, 1},
      {{{1, 2, -1, 0}, {1, -1, 0, 0}, {2, -1, -1, 2}, {-1, 0, 0, 2}}, {1, 0, 0, 0}, 1},
      {{{1, 0, 1, -1}, {1, 1, 2, -1}, {-1, -1, -1, 0}, {-1, 0, -1, 0}}, {1, 0, 0, 0}, 1},
  };
  Backend be;
  for (const Case& c : cases) {
    const HostCsr A = from_dense(c.A);
    const Solved s = solve(be, A, options("bicgstab"), c.b);
    EXPECT_EQ(s.report.status, Status::converged) << word(s.report.status);
    EXPECT_EQ(s.report.restarts, c.restarts);
    EXPECT_LE(true_residual(A, c.b, s.x), 1.001e-10);
    EXPECT_EQ(s.history.size(), std::size_t(s.report.iterations) + 1);
  }
  const HostCsr A = unsymmetric();
  EXPECT_EQ(solve(be, A, options("bicgstab"), rhs_for(A)).report.restarts, 0);
}

TEST(Krylov, CallsNoSolutionOfASingularSystemConverged) {
  Backend be;
  const HostCsr A = from_dense({{1, 0, 0}, {0, 2, 0}, {0, 0, 0}});
  for (const Method* method : methods_for_unsymmetric()) {
    const Solved s = solve(be, A, options(method->name), {1, 1, 1});
    EXPECT_NE(s.report.status, Status::converged) << method->name;
    EXPECT_LT(s.report.iterations, 500) << method->name << ": " << word(s.report.status);
  }
}

TEST(Krylov, SaysThatAToleranceBelowRoundingStagnates) {
  Backend be;
  const HostCsr symmetric = laplace(16), any = convection_diffusion(16, 40, 25);
  for (const char* name :
       {"pipelined-cg", "fcg", "bicgstab", "bicg", "gmres", "fgmres", "idr", "cgs", "tfqmr"}) {
    const HostCsr& A = find_method(name)->symmetric ? symmetric : any;
    const Solved s = solve<float>(be, A, options(name, 1e-12), rhs_for(A));
    EXPECT_EQ(s.report.status, Status::stagnated) << name << ": " << word(s.report.status);
    EXPECT_LE(s.report.relative_residual(), 1e-5) << name;
    EXPECT_NEAR(s.report.relative_residual(), true_residual(A, rhs_for(A), s.x), 1e-6) << name;
  }
}

TEST(Refinement, OfAnUnsymmetricMatrixSolvesByAMethodThatFits) {
  Backend be;
  const HostCsr A = unsymmetric();
  const Solved s = solve(be, A, options("refinement", 1e-12), rhs_for(A));
  EXPECT_EQ(s.report.status, Status::converged) << word(s.report.status);
  EXPECT_LE(true_residual(A, rhs_for(A), s.x), 1.001e-12);
  SolverOptions named = options("refinement", 1e-12);
  named.choices.words["inner"] = "cg";
  EXPECT_THROW(solve(be, A, named, rhs_for(A)), InputError);
  SolverOptions flexible = options("fgmres", 1e-12);
  flexible.preconditioner.type = "single";
  EXPECT_EQ(solve(be, A, flexible, rhs_for(A)).report.status, Status::converged);
}

TEST(Krylov, CataloguePricesAreThoseCounted) {
  Backend be;
  const HostCsr A = convection_diffusion(128, 40, 25), symmetric = laplace(128);
  for (const char* name : {"pipelined-cg", "fcg", "bicgstab", "bicg", "qmr", "gmres", "fgmres", "idr", "cgs",
                           "tfqmr", "lsqr", "lsmr"}) {
    SolverOptions o = options(name, 1e-30);
    o.max_iterations = 120;
    const Work work = work_of(o);
    const HostCsr& matrix = find_method(name)->symmetric ? symmetric : A;
    // flexible GMRES keeps as many vectors again with a preconditioner
    if (std::string_view(name) == "fgmres") o.preconditioner.type = "jacobi";
    EXPECT_NEAR(vectors_kept(be, matrix, o), work.kept, 0.2) << name;
    o.preconditioner.type = "none";
    const Solved s = counted(be, matrix, o, rhs_for(A));
    ASSERT_EQ(s.report.iterations, 120) << name;
    const double row = (5 * 12.0 + 4) / 8, each = s.counts.bytes / 8 / (128.0 * 128) / 120;
    EXPECT_NEAR(each, work.moved + work.products * row, 0.06 * each) << name;
  }
}

}  // namespace
}  // namespace wavesim::test
