// Krylov methods on matrices that are not symmetric, and what tells one from another.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "solvers/catalogue.hpp"
#include "solvers/registry.hpp"
#include "tests/solvers/problems.hpp"

namespace wavesim::test {
namespace {

/// Upwind differences of -laplace u + wind . grad u on n x n points of the unit square, u = 0 on its rim.
HostCsr convection_diffusion(int n, double wind_x, double wind_y) {
  HostCsr A;
  const double h = 1.0 / (n + 1);
  for (int row = 0; row < n; ++row)
    for (int col = 0; col < n; ++col) {
      const auto push = [&](int c, int r, double v) {
        if (c < 0 || r < 0 || c >= n || r >= n) return;
        A.column.push_back(r * n + c);
        A.value.push_back(v);
      };
      push(col, row - 1, -1 - h * wind_y);
      push(col - 1, row, -1 - h * wind_x);
      push(col, row, 4 + h * (wind_x + wind_y));
      push(col + 1, row, -1);
      push(col, row + 1, -1);
      A.start.push_back(int(A.column.size()));
      ++A.rows;
    }
  return A;
}
HostCsr unsymmetric() { return convection_diffusion(32, 40, 25); }
HostCsr laplace(int n) { return convection_diffusion(n, 0, 0); }

HostCsr from_dense(const std::vector<std::vector<double>>& dense) {
  HostCsr A;
  for (const auto& row : dense) {
    for (std::size_t j = 0; j < row.size(); ++j)
      if (row[j] != 0) {
        A.column.push_back(int(j));
        A.value.push_back(row[j]);
      }
    A.start.push_back(int(A.column.size()));
    ++A.rows;
  }
  return A;
}

struct Solved {
  Report report;
  std::vector<double> x, history;
  Tally tally;
};

SolverOptions options(std::string_view method, double tolerance = 1e-10) {
  SolverOptions o;
  o.method = method;
  o.tolerance = tolerance;
  o.norm = "relative-2";
  return o;
}

std::vector<double> rhs_for(const HostCsr& A, unsigned seed = 7) { return random_values(A.rows, seed); }

template <class T = double>
Solved solve(Backend& be, const HostCsr& matrix, const SolverOptions& o, std::vector<double> b) {
  const auto A = make_operator<Backend, T>("csr", be, matrix);
  const auto M = make_preconditioner<Backend, T>(o.preconditioner, be, *A);
  const auto solver = make_solver<Backend, T>(o, be, *A);
  b.resize(std::size_t(A->extent().points()), 0);
  const auto rhs = to_field<T>(be, A->extent(), b);
  Field<Backend, T> x(be, A->extent());
  if (M) M->prepare(*A);
  be.tally().clear();
  Solved s;
  s.report = solver->solve(*A, M.get(), rhs, x, true);
  s.tally = be.tally();
  s.x = from_field(x);
  s.history = solver->history();
  return s;
}

double true_residual(const HostCsr& A, const std::vector<double>& b, const std::vector<double>& x) {
  double rr = 0, bb = 0;
  for (int i = 0; i < A.rows; ++i) {
    double r = b[i];
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) r -= A.value[k] * x[A.column[k]];
    rr += r * r;
    bb += b[i] * b[i];
  }
  return std::sqrt(rr / bb);
}

/// Methods for any non-singular matrix, but for the stationary ones.
std::vector<const Method*> methods_for_unsymmetric() {
  std::vector<const Method*> methods;
  for (const char* name : {"bicgstab", "bicg", "gmres", "fgmres", "idr", "cgs", "tfqmr"})
    methods.push_back(find_method(name));
  return methods;
}

/// GMRES without restart.
SolverOptions full_gmres(double tolerance = 1e-10) {
  SolverOptions o = options("gmres", tolerance);
  o.choices.numbers["restart"] = 200;
  return o;
}

TEST(Krylov, EachMethodForUnsymmetricMatricesReachesItsTrueResidual) {
  Backend be;
  const HostCsr A = unsymmetric();
  const std::vector<double> b = rhs_for(A);
  ASSERT_FALSE(misfit(options("cg"), {Structure::any, false}).empty());
  for (const Method* method : methods_for_unsymmetric())
    for (const char* preconditioner : {"none", "jacobi"}) {
      SolverOptions o = options(method->name);
      o.preconditioner.type = preconditioner;
      ASSERT_EQ(misfit(o, {Structure::any, false}), "");
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
  for (const char* name : {"bicgstab", "bicg", "cgs", "tfqmr"}) {
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
  for (const char* name :
       {"pipelined-cg", "fcg", "bicgstab", "bicg", "gmres", "fgmres", "idr", "cgs", "tfqmr"})
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
  for (const char* name : {"bicgstab", "bicg", "cgs", "tfqmr"}) {
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

/// Vectors that a solver keeps beside its scalars.
double vectors_kept(Backend& be, const HostCsr& matrix, const SolverOptions& o) {
  const auto A = make_operator<Backend, double>("csr", be, matrix);
  const Extent e = A->extent();
  const double before = be.tally().allocated;
  const auto solver = make_solver<Backend, double>(o, be, *A);
  return (be.tally().allocated - before) / (8.0 * double(e.pitch) * (e.ny + 2));
}

TEST(Krylov, CataloguePricesAreThoseCounted) {
  Backend be;
  const HostCsr A = convection_diffusion(128, 40, 25), symmetric = laplace(128);
  for (const char* name :
       {"pipelined-cg", "fcg", "bicgstab", "bicg", "gmres", "fgmres", "idr", "cgs", "tfqmr"}) {
    SolverOptions o = options(name, 1e-30);
    o.max_iterations = 120;
    const Price price = price_of(o);
    const HostCsr& matrix = find_method(name)->symmetric ? symmetric : A;
    // flexible GMRES keeps as many vectors again with a preconditioner
    if (std::string_view(name) == "fgmres") o.preconditioner.type = "jacobi";
    EXPECT_NEAR(vectors_kept(be, matrix, o), price.kept, 0.2) << name;
    o.preconditioner.type = "none";
    if (Backend::asynchronous) continue;  // a GPU enqueues iterations that may do nothing
    const Solved s = solve(be, matrix, o, rhs_for(A));
    ASSERT_EQ(s.report.iterations, 120) << name;
    const double row = (5 * 12.0 + 4) / 8, each = s.tally.bytes / 8 / (128.0 * 128) / 120;
    EXPECT_NEAR(each, price.moved + price.products * row, 0.06 * each) << name;
  }
}

TEST(PipelinedCg, AgreesWithCgWithinTwoIterations) {
  Backend be;
  const HostCsr A = laplace(40);
  const std::vector<double> b = rhs_for(A);
  for (const char* preconditioner : {"none", "jacobi"}) {
    SolverOptions cg = options("cg"), pipelined = options("pipelined-cg");
    cg.preconditioner.type = pipelined.preconditioner.type = preconditioner;
    const Solved expected = solve(be, A, cg, b), s = solve(be, A, pipelined, b);
    ASSERT_EQ(s.report.status, Status::converged);
    EXPECT_NEAR(s.report.iterations, expected.report.iterations, 2);
    for (int k = 0; k <= 30; ++k)
      EXPECT_NEAR(s.history[k], expected.history[k], 1e-8 * expected.history[k]) << k;
  }
}

TEST(PipelinedCg, ReducesOnceAnIteration) {
  Backend be;
  if (Backend::asynchronous) GTEST_SKIP() << "a GPU enqueues iterations that may do nothing";
  const HostCsr A = laplace(20);
  SolverOptions o = options("pipelined-cg");
  const Solved s = solve(be, A, o, rhs_for(A));
  const long k = s.report.iterations;
  ASSERT_GT(k, 51);
  ASSERT_LT(k, 100);
  // and <w, u> before the first, the first and the true residual; r, w, s, z and <u, s>, <p, s> anew in the
  // 51st
  EXPECT_EQ(s.tally.reductions, k + 3 + 3);
  EXPECT_EQ(s.tally.passes, 2 * k + 3 + 5);
  o.preconditioner.type = "jacobi";
  const Solved p = solve(be, A, o, rhs_for(A));
  const long m = p.report.iterations;
  ASSERT_GT(m, 51);
  ASSERT_LT(m, 100);
  EXPECT_EQ(p.tally.reductions, m + 4 + 4);  // and <r, u>
  EXPECT_EQ(p.tally.passes, 3 * m + 4 + 7);
}

TEST(PipelinedCg, CallsAnIndefiniteMatrixIndefinite) {
  Backend be;
  HostCsr A = laplace(10);
  for (double& v : A.value) v = v > 0 ? v - 4.5 : v;  // eigenvalues on both sides of zero
  for (const char* preconditioner : {"none"}) {
    SolverOptions o = options("pipelined-cg");
    o.preconditioner.type = preconditioner;
    EXPECT_EQ(solve(be, A, o, rhs_for(A)).report.status, Status::indefinite);
  }
}

TEST(BiCg, IsCgOnASymmetricMatrix) {
  Backend be;
  const HostCsr A = laplace(40);
  const std::vector<double> b = rhs_for(A);
  for (const char* preconditioner : {"none", "jacobi"}) {
    SolverOptions cg = options("cg"), bicg = options("bicg");
    cg.preconditioner.type = bicg.preconditioner.type = preconditioner;
    const Solved expected = solve(be, A, cg, b), s = solve(be, A, bicg, b);
    ASSERT_EQ(s.report.iterations, expected.report.iterations);
    for (std::size_t k = 0; k < s.history.size(); ++k)
      EXPECT_NEAR(s.history[k], expected.history[k], 1e-9 * expected.history[k]) << k;
  }
}

TEST(BiCg, TakesAPreconditionerWithoutATransposeOnlyWhereThatIsSymmetric) {
  Backend be;
  SolverOptions o = options("bicg");
  o.preconditioner.type = "ic0";
  EXPECT_NE(misfit(o, {Structure::any, false}).find("needs the transpose"), std::string::npos);
  o.preconditioner.type = "ilu0";
  EXPECT_NE(misfit(o, {Structure::any, true}).find("needs the transpose"), std::string::npos);
  const HostCsr A = laplace(20);
  for (const char* preconditioner : {"ic0", "ssor"}) {
    SolverOptions cg = options("cg");
    cg.preconditioner.type = o.preconditioner.type = preconditioner;
    const Solved expected = solve(be, A, cg, rhs_for(A)), s = solve(be, A, o, rhs_for(A));
    EXPECT_EQ(s.report.status, Status::converged);
    EXPECT_NEAR(s.report.iterations, expected.report.iterations, 1) << preconditioner;
  }
}

TEST(BiCg, TakesOneProductWithEachOfAAndItsTransposeAnIteration) {
  Backend be;
  if (Backend::asynchronous) GTEST_SKIP() << "a GPU enqueues iterations that may do nothing";
  const HostCsr A = unsymmetric();
  const Solved s = solve(be, A, options("bicg"), rhs_for(A));
  const long k = s.report.iterations;
  EXPECT_EQ(s.tally.count("q = A p, <w, q>"), k);
  EXPECT_EQ(s.tally.count("q = A' p"), k);
  EXPECT_EQ(s.tally.passes, 4 * k + 3);
  EXPECT_EQ(s.tally.reductions, 2 * k + 2);
}

TEST(Cgs, TakesTwoProductsAndTwoReductionsAnIteration) {
  Backend be;
  if (Backend::asynchronous) GTEST_SKIP() << "a GPU enqueues iterations that may do nothing";
  const HostCsr A = unsymmetric();
  const Solved s = solve(be, A, options("cgs"), rhs_for(A));
  const long k = s.report.iterations;
  EXPECT_EQ(s.tally.count("q = A p, <w, q>"), k);
  EXPECT_EQ(s.tally.count("q = A p"), k);
  EXPECT_EQ(s.tally.passes, 5 * k + 3);
  EXPECT_EQ(s.tally.reductions, 2 * k + 2);
}

TEST(Tfqmr, TakesTwoProductsAnIteration) {
  Backend be;
  if (Backend::asynchronous) GTEST_SKIP() << "a GPU enqueues iterations that may do nothing";
  const HostCsr A = unsymmetric();
  const Solved s = solve(be, A, options("tfqmr"), rhs_for(A));
  const long k = s.report.iterations;
  EXPECT_EQ(s.tally.count("q = A p"), 2 * k);
  EXPECT_EQ(s.tally.passes, 6 * k + 3);
  EXPECT_EQ(s.tally.reductions, 4 * k + 2);
}

double largest_rise(const std::vector<double>& history) {
  double most = 0;
  for (std::size_t k = 1; k < history.size(); ++k) most = std::max(most, history[k] / history[k - 1]);
  return most;
}

TEST(Tfqmr, IsSmootherThanCgsAndAboutAsFast) {
  Backend be;
  const HostCsr A = unsymmetric();
  const std::vector<double> b = rhs_for(A);
  const Solved rough = solve(be, A, options("cgs"), b), smooth = solve(be, A, options("tfqmr"), b);
  EXPECT_GT(largest_rise(rough.history), 2);
  EXPECT_LT(largest_rise(smooth.history), 1.5);
  EXPECT_NEAR(smooth.report.iterations, rough.report.iterations, 0.1 * rough.report.iterations);
}

/// A matrix of 30 rows without any structure.
HostCsr dense_matrix() {
  const int n = 30;
  const std::vector<double> values = random_values(n * n, 3);
  std::vector<std::vector<double>> A(n, std::vector<double>(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A[i][j] = values[std::size_t(i) * n + j] + (i == j ? 2 : 0);
  return from_dense(A);
}

TEST(Gmres, WithoutRestartIsMonotoneAndEndsWithinAsManyIterationsAsRows) {
  Backend be;
  const HostCsr A = dense_matrix();
  const std::vector<double> b = rhs_for(A);
  for (const char* name : {"gmres", "fgmres"}) {
    SolverOptions o = full_gmres(1e-12);
    o.method = name;
    const Solved s = solve(be, A, o, b);
    EXPECT_EQ(s.report.status, Status::converged);
    EXPECT_LE(s.report.iterations, A.rows);
    EXPECT_GT(s.report.iterations, A.rows / 2);
    for (std::size_t k = 1; k < s.history.size(); ++k) EXPECT_LE(s.history[k], s.history[k - 1]);
    EXPECT_LE(true_residual(A, b, s.x), 1.01e-12);
  }
}

TEST(Gmres, ItsEstimateIsTheTrueResidualWhereverItStops) {
  Backend be;
  const HostCsr A = unsymmetric();
  const std::vector<double> b = rhs_for(A);
  for (const char* name : {"gmres", "fgmres"})
    for (const char* preconditioner : {"none", "jacobi"})
      for (int k : {1, 7, 10, 11, 23}) {  // within a cycle and at its ends
        SolverOptions o = options(name);
        o.choices.numbers["restart"] = 10;
        o.preconditioner.type = preconditioner;
        o.max_iterations = k;
        const Solved s = solve(be, A, o, b);
        EXPECT_EQ(s.report.status, Status::max_iterations);
        const double first = s.history[0];
        EXPECT_NEAR(s.history[k] / first, true_residual(A, b, s.x), 1e-12) << name << " " << k;
        EXPECT_NEAR(s.report.relative_residual(), true_residual(A, b, s.x), 1e-12);
      }
}

TEST(Gmres, SaysThatItStagnatesWhereARestartLosesAll) {
  Backend be;
  const int n = 16;
  std::vector<std::vector<double>> shift(n, std::vector<double>(n, 0));
  for (int i = 0; i < n; ++i) shift[i][(i + 1) % n] = 1;
  const HostCsr A = from_dense(shift);
  std::vector<double> b(n, 0);
  b[0] = 1;  // the residual stays 1 until the n-th column
  for (const char* name : {"gmres", "fgmres"}) {
    SolverOptions o = options(name);
    o.choices.numbers["restart"] = n - 1;
    EXPECT_EQ(solve(be, A, o, b).report.status, Status::stagnated);
    o.choices.numbers["restart"] = n;
    const Solved s = solve(be, A, o, b);
    EXPECT_EQ(s.report.status, Status::converged);
    EXPECT_EQ(s.report.iterations, n);
  }
}

TEST(Gmres, KeepsAsManyVectorsAsItRestartsAfterBesideItsResidual) {
  Backend be;
  const HostCsr A = convection_diffusion(128, 40, 25);
  for (int restart : {1, 10, 50}) {
    SolverOptions o = options("gmres");
    o.choices.numbers["restart"] = restart;
    EXPECT_NEAR(vectors_kept(be, A, o), 1 + restart, 0.3);  // scalars are the rest
    o.preconditioner.type = "jacobi";
    EXPECT_NEAR(vectors_kept(be, A, o), 2 + restart, 0.3);
    o.method = "fgmres";
    EXPECT_NEAR(vectors_kept(be, A, o), 1 + 2 * restart, 0.3);
  }
}

TEST(Gmres, TakesEightInnerProductsInEachReductionTwiceAndOneForTheNorm) {
  Backend be;
  if (Backend::asynchronous) GTEST_SKIP() << "a GPU enqueues iterations that may do nothing";
  const HostCsr A = unsymmetric();
  SolverOptions o = full_gmres();
  const Solved s = solve(be, A, o, rhs_for(A));
  const long k = s.report.iterations;
  long products = 0;
  for (long column = 1; column <= k; ++column) products += 2 * ((column + 7) / 8);
  EXPECT_EQ(s.tally.count("h = V' w"), products);
  EXPECT_EQ(s.tally.reductions, products + k + 2);
  EXPECT_EQ(s.tally.passes, products + 4 * k + 4);  // A v, w -= V h twice, v = w / |w|; first v, x += V y
}

TEST(Idr, TakesOneProductAnIterationAndTwoReductions) {
  Backend be;
  if (Backend::asynchronous) GTEST_SKIP() << "a GPU enqueues iterations that may do nothing";
  const HostCsr A = unsymmetric();
  SolverOptions o = options("idr", 1e-30);
  o.max_iterations = 100;  // twenty cycles
  const Solved s = solve(be, A, o, rhs_for(A));
  ASSERT_EQ(s.report.iterations, 100);
  EXPECT_EQ(s.tally.count("q = A p"), 80);
  EXPECT_EQ(s.tally.count("q = A p, <w, q>"), 20);
  EXPECT_EQ(s.tally.reductions, 2 * 100 + 20 + 2);  // f = P' r in each cycle
  EXPECT_EQ(s.tally.passes, 80 * 4 + 20 * 3 + 4 + 2);
}

TEST(Idr, OnSmallSystemsEndsAsTheoryHasIt) {
  Backend be;
  const HostCsr A = dense_matrix();
  for (int s : {2, 4, 8}) {
    SolverOptions o = options("idr", 1e-9);
    o.choices.numbers["subspace"] = s;
    const Solved solved = solve(be, A, o, rhs_for(A));
    EXPECT_EQ(solved.report.status, Status::converged) << s;
    EXPECT_LE(solved.report.iterations, A.rows + (A.rows + s - 1) / s + 2 * (s + 1)) << s;  // n + n / s
  }
}

TEST(Fcg, TakesOneProductAndThreeReductionsAnIteration) {
  Backend be;
  if (Backend::asynchronous) GTEST_SKIP() << "a GPU enqueues iterations that may do nothing";
  const HostCsr A = laplace(20);
  SolverOptions o = options("fcg");
  const Solved s = solve(be, A, o, rhs_for(A));
  const long k = s.report.iterations;
  EXPECT_EQ(s.tally.count("q = A p, <w, q>"), k);
  EXPECT_EQ(s.tally.count("<z, A p>"), k - 1);
  EXPECT_EQ(s.tally.reductions, 3 * k + 1);
  EXPECT_EQ(s.tally.passes, 4 * k + 1);
  o.preconditioner.type = "jacobi";
  const Solved p = solve(be, A, o, rhs_for(A));
  EXPECT_EQ(p.tally.passes, 5L * p.report.iterations + 2);  // and z = M^-1 r
}

struct Product {
  HD Sum<1> operator()(const double& a, const double& b) const { return {{a * b}}; }
};

/// An inner solve to a part of its residual: never twice the same map.
class InnerSolve final : public Preconditioner<Backend, double> {
 public:
  InnerSolve(Backend& be, const Operator<Backend, double>& A, const char* method, double part)
      : be_(be), A_(A) {
    const SolverOptions o = options(method, part);
    solver_ = make_solver<Backend, double>(o, be, A);
  }
  void apply(const Vector& r, Vector& z, double* rz, Quotient) const override {
    be_.zero(z.data(), std::size_t(z.extent().count()));
    solver_->solve(A_, nullptr, r, z, true);
    be_.map_sum("<r, z>", z.extent().count(), reinterpret_cast<Sum<1>*>(rz), Product{}, NoTail{}, r.in(),
                z.in());
  }

 protected:
  void set_up(const Operator<Backend, double>&) override {}

 private:
  Backend& be_;
  const Operator<Backend, double>& A_;
  std::unique_ptr<Solver<Backend, double>> solver_;
};

int outer_iterations(Backend& be, const HostCsr& matrix, const char* outer, const char* inner, double part) {
  const auto A = make_operator<Backend, double>("csr", be, matrix);
  InnerSolve M(be, *A, inner, part);
  SolverOptions o = options(outer);
  o.preconditioner.type = "jacobi";  // the one above, in fact
  const auto solver = make_solver<Backend, double>(o, be, *A);
  std::vector<double> b = rhs_for(matrix);
  b.resize(std::size_t(A->extent().points()), 0);
  Field<Backend, double> x(be, A->extent());
  const Report report = solver->solve(*A, &M, to_field<double>(be, A->extent(), b), x, true);
  EXPECT_EQ(report.status, Status::converged) << outer << ": " << word(report.status);
  EXPECT_LE(true_residual(matrix, b, from_field(x)), 1.001e-10);
  return report.iterations;
}

TEST(FlexibleMethods, BearAnInnerIterationAsTheOthersDoNot) {
  if (Backend::asynchronous)
    GTEST_SKIP() << "an inner solve looks at its status, which a guard does not allow";
  Backend be;
  // An inner solve leaves a tenth: ten iterations would do without the outer method.
  EXPECT_LE(outer_iterations(be, unsymmetric(), "fgmres", "bicgstab", 0.1), 10);
  // Rough inner solves of a method that is far from linear: CG loses its orthogonality.
  EXPECT_LE(1.5 * outer_iterations(be, laplace(40), "fcg", "gmres", 0.7),
            outer_iterations(be, laplace(40), "cg", "gmres", 0.7));
}

struct Scaled {
  HD Sum<1> operator()(const double& d, const double& r, double& z) const {
    z = d * r;
    return {{r * z}};
  }
};

/// One diagonal and another in turn.
class InTurn final : public Preconditioner<Backend, double> {
 public:
  InTurn(Backend& be, Extent e) : be_(be) {
    const std::vector<double> v = random_values(std::size_t(e.points()), 5);
    for (double exponent : {2.0, -2.0}) {
      std::vector<double> d(v);
      for (double& x : d) x = std::exp(exponent * x);
      d_.push_back(to_field<double>(be, e, d));
    }
  }
  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    be_.map_sum("z = D r, <r, z>", z.extent().count(), reinterpret_cast<Sum<1>*>(rz), Scaled{}, NoTail{},
                d_[turn_ ^= 1].in(), r.in(), z.out());
    be_.once("after", after);
  }

 protected:
  void set_up(const Operator<Backend, double>&) override {}

 private:
  Backend& be_;
  std::vector<Vector> d_;
  mutable int turn_ = 0;
};

TEST(FlexibleMethods, BearPreconditionersThatTakeTurnsAsOthersDoNot) {
  Backend be;
  const auto report = [&](const char* method, const HostCsr& matrix) {
    const auto A = make_operator<Backend, double>("csr", be, matrix);
    InTurn M(be, A->extent());
    SolverOptions o = options(method, 1e-8);
    o.preconditioner.type = "jacobi";  // the one above, in fact
    const auto solver = make_solver<Backend, double>(o, be, *A);
    std::vector<double> b = rhs_for(matrix);
    b.resize(std::size_t(A->extent().points()), 0);
    Field<Backend, double> x(be, A->extent());
    const Report r = solver->solve(*A, &M, to_field<double>(be, A->extent(), b), x, true);
    EXPECT_EQ(r.status == Status::converged, true_residual(matrix, b, from_field(x)) <= 1e-8) << method;
    return r;
  };
  const HostCsr any = convection_diffusion(20, 40, 25);
  EXPECT_EQ(report("fcg", laplace(20)).status, Status::converged);
  EXPECT_EQ(report("fgmres", any).status, Status::converged);
  EXPECT_NE(report("gmres", any).status, Status::converged);
}

}  // namespace
}  // namespace wavesim::test
