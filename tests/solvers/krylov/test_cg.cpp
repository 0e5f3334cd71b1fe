// Conjugate gradients against iterates by hand, and against what theory says of each of them.
#include <gtest/gtest.h>

#include "kernels/backend/backend.hpp"
#include "tests/solvers/krylov/krylov_problems.hpp"

namespace wavesim::test {
namespace {

using krylov::from_dense;
using krylov::options;
using krylov::Solved;
using Dense = std::vector<std::vector<double>>;
using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i) s += a[i] * b[i];
  return s;
}
Vector minus(Vector a, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}
Vector times(const Dense& A, const Vector& x) {
  Vector y;
  for (const Vector& row : A) y.push_back(dot(row, x));
  return y;
}

/// After at most `most` iterations, from `guess`; without one from zero.
Solved after(int most, const Dense& dense, const Vector& b, const SolverOptions& wanted,
             const Vector* guess = nullptr) {
  Backend be;
  const auto A = make_operator<Backend, double>("csr", be, from_dense(dense));
  SolverOptions o = wanted;
  o.max_iterations = most;
  const auto M = make_preconditioner<Backend, double>(o.preconditioner, be, *A);
  const auto solver = make_solver<Backend, double>(o, be, *A);
  const auto field = [&](Vector v) {
    v.resize(std::size_t(A->extent().points()), 0);
    return to_field<double>(be, A->extent(), v);
  };
  auto x = guess ? field(*guess) : Field<Backend, double>(be, A->extent());
  Solved s;
  s.report = solver->solve(*A, M.get(), field(b), x, guess == nullptr);
  s.x = from_field(x);
  s.x.resize(b.size());
  s.history = solver->history();
  return s;
}

SolverOptions cg(double tolerance = 1e-12, const char* preconditioner = "none") {
  SolverOptions o = options("cg", tolerance);
  o.preconditioner.type = preconditioner;
  return o;
}

void expect_near(const Vector& x, const Vector& expected, double tolerance = 1e-14) {
  ASSERT_EQ(x.size(), expected.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], expected[i], tolerance) << "x[" << i << "]";
}

/// r = (-8, -3), <r, r> = 73, <r, A r> = 331, x = x - 73/331 (8, 3); then the solution.
TEST(Cg, TakesTheIteratesThatAPencilTakes) {
  const Dense A{{4, 1}, {1, 3}};
  const Vector b{1, 2}, guess{2, 1};
  const Solved first = after(1, A, b, cg(), &guess);
  EXPECT_EQ(first.report.status, Status::max_iterations);
  EXPECT_EQ(first.report.iterations, 1);
  expect_near(first.x, {78. / 331, 112. / 331});
  const Vector r = minus(b, times(A, first.x));
  ASSERT_EQ(first.history.size(), 2u);
  EXPECT_NEAR(first.history[0], std::sqrt(73), 1e-13);
  EXPECT_NEAR(first.history[1], std::sqrt(dot(r, r)), 1e-13);
  const Solved second = after(2, A, b, cg(), &guess);
  EXPECT_EQ(second.report.status, Status::converged) << word(second.report.status);
  expect_near(second.x, {1. / 11, 7. / 11});
}

/// D = diag(4, 3). z = (1/4, 2/3), <r, z> = 19/12, <z, A z> = 23/12: x = 19/23 z.
TEST(Cg, TakesThoseOfThePreconditionedMethodToo) {
  const Dense A{{4, 1}, {1, 3}};
  const Vector b{1, 2};
  expect_near(after(1, A, b, cg(1e-12, "jacobi")).x, {19. / 92, 38. / 69});
  const Solved second = after(2, A, b, cg(1e-12, "jacobi"));
  EXPECT_EQ(second.report.status, Status::converged) << word(second.report.status);
  expect_near(second.x, {1. / 11, 7. / 11});
}

/// Symmetric with the eigenvalues given, by reflections.
Dense with_spectrum(const Vector& eigenvalues, unsigned seed) {
  const std::size_t n = eigenvalues.size();
  Dense A(n, Vector(n, 0));
  for (std::size_t i = 0; i < n; ++i) A[i][i] = eigenvalues[i];
  for (unsigned turn = 0; turn < 2; ++turn) {  // A <- H A H, H = I - 2 v v' / <v, v>
    const Vector v = random_values(n, seed + turn);
    const Vector w = times(A, v);
    const double vv = dot(v, v), vw = dot(v, w);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        A[i][j] += -2 / vv * (v[i] * w[j] + w[i] * v[j]) + 4 * vw / vv / vv * v[i] * v[j];
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) A[i][j] = A[j][i];
  return A;
}

TEST(Cg, EndsAfterAsManyIterationsAsTheMatrixHasEigenvalues) {
  const Vector b = random_values(6, 9);
  for (const auto& [spectrum, distinct] : {std::pair<Vector, int>{{3, 3, 3, 3, 3, 3}, 1},
                                           {{1, 1, 1, 5, 5, 5}, 2},
                                           {{1, 2, 2, 2, 9, 9}, 3},
                                           {{1, 2, 3, 4, 5, 6}, 6}}) {
    const Dense A = with_spectrum(spectrum, 3);
    const Solved s = after(20, A, b, cg(1e-11));
    EXPECT_EQ(s.report.status, Status::converged) << word(s.report.status);
    EXPECT_EQ(s.report.iterations, distinct);
    const Vector r = minus(b, times(A, s.x));
    EXPECT_LE(dot(r, r), 1e-22 * dot(b, b));
  }
}

/// The steps x(k+1) - x(k) are along the directions.
TEST(Cg, HasDirectionsThatAreConjugateAndErrorsThatShrinkInTheNormOfEnergy) {
  const int n = 12;
  Vector spectrum;
  for (int i = 1; i <= n; ++i) spectrum.push_back(i * i);
  const Dense A = with_spectrum(spectrum, 5);
  const Vector solution = random_values(n, 6), b = times(A, solution);
  for (const char* preconditioner : {"none", "jacobi", "ssor"}) {
    SCOPED_TRACE(preconditioner);
    std::vector<Vector> steps;
    Vector before(n, 0);
    double energy = dot(solution, b);
    for (int k = 1; k <= 8; ++k) {
      const Solved s = after(k, A, b, cg(1e-14, preconditioner));
      ASSERT_EQ(s.report.iterations, k);
      const Vector error = minus(solution, s.x);
      const double now = dot(error, times(A, error));
      EXPECT_LT(now, energy) << k;
      energy = now;
      steps.push_back(minus(s.x, before));
      before = s.x;
      const Vector Ad = times(A, steps.back());
      for (int j = 0; j + 1 < k; ++j) {
        const Vector& d = steps[std::size_t(j)];
        const double sizes = std::sqrt(dot(d, times(A, d)) * dot(steps.back(), Ad));
        EXPECT_LT(std::abs(dot(d, Ad)), 1e-9 * sizes) << k << " and " << j + 1;
      }
    }
  }
}

/// The least error that a polynomial of Chebyshev warrants, 2 / T_k at most, in the norm of energy.
TEST(Cg, KeepsTheBoundOfChebyshevPolynomials) {
  const int n = 40;
  const HostCsr A = krylov::laplace(n);
  Backend be;
  const Vector b = krylov::rhs_for(A);
  const double c = std::cos(std::numbers::pi / (n + 1)), condition = (1 + c) / (1 - c);
  const double rate = (std::sqrt(condition) - 1) / (std::sqrt(condition) + 1);
  const Solved s = krylov::solve(be, A, options("cg", 1e-8), b);
  ASSERT_EQ(s.report.status, Status::converged);
  // in the 2-norm of residuals sqrt(condition) times as much
  EXPECT_LE(s.report.iterations, std::ceil(std::log(1e-8 / (2 * std::sqrt(condition))) / std::log(rate)));
}

TEST(Cg, NeverTakesMoreIterationsThanItMay) {
  const HostCsr A = krylov::laplace(20);
  const Vector b = krylov::rhs_for(A);
  Backend be;
  const int needed = krylov::solve(be, A, options("cg"), b).report.iterations;
  for (const int most : {1, 2, 7, needed - 1, needed, needed + 1}) {
    SolverOptions o = options("cg");
    o.max_iterations = most;
    const Solved s = krylov::solve(be, A, o, b);
    EXPECT_EQ(s.report.iterations, std::min(most, needed));
    EXPECT_EQ(s.report.status, most < needed ? Status::max_iterations : Status::converged) << most;
    EXPECT_EQ(s.history.size(), std::size_t(std::min(most, needed)) + 1);
    EXPECT_NEAR(s.report.relative_residual(), krylov::true_residual(A, b, s.x), 1e-13);
  }
}

TEST(Cg, SaysWhatStopsIt) {
  const Vector b{1, 2};
  // the first <p, A p> is 9, 0 and -3
  EXPECT_EQ(after(9, {{1, 0}, {0, 2}}, b, cg()).report.status, Status::converged);
  EXPECT_EQ(after(9, {{4, 0}, {0, -1}}, b, cg()).report.status, Status::indefinite);
  EXPECT_EQ(after(9, {{1, 0}, {0, -1}}, b, cg()).report.status, Status::indefinite);
  EXPECT_EQ(after(9, {{1, 0}, {0, 2}}, {1, NAN}, cg()).report.status, Status::not_finite);
  EXPECT_EQ(after(1, {{1, 0}, {0, 2}}, b, cg()).report.status, Status::max_iterations);
  const Solved zero = after(9, {{1, 0}, {0, 2}}, {0, 0}, cg());
  EXPECT_EQ(zero.report.status, Status::converged);
  EXPECT_EQ(zero.report.iterations, 0);
  const Vector solution{1, 1};
  const Solved there = after(9, {{1, 0}, {0, 2}}, b, cg(), &solution);
  EXPECT_EQ(there.report.status, Status::converged);
  EXPECT_EQ(there.report.iterations, 0);
}

TEST(Cg, TakesOneProductAndTwoReductionsAnIterationWhateverTheFormat) {
  Backend be;
  const HostCsr A = krylov::laplace(20);
  for (const double tolerance : {1e-2, 1e-6, 1e-10}) {
    const Solved s = krylov::counted(be, A, options("cg", tolerance), krylov::rhs_for(A));
    const long k = s.report.iterations;
    ASSERT_GT(k, 3);
    EXPECT_EQ(s.counts.count("p = z + beta p"), k);
    EXPECT_EQ(s.counts.count("q = A p, <p, q>"), k);
    EXPECT_EQ(s.counts.count("x += alpha p, r -= alpha q, |r|"), k);
    EXPECT_EQ(s.counts.reductions, 2 * k + 2);  // and the first residual, and the true one
    EXPECT_EQ(s.counts.passes, 3 * k + 2);
  }
  SolverOptions o = cg(1e-10, "ssor");
  const Solved s = krylov::counted(be, A, o, krylov::rhs_for(A));
  EXPECT_EQ(s.counts.count("q = A p, <p, q>"), s.report.iterations);
}

}  // namespace
}  // namespace wavesim::test
