// lsqr and lsmr: least squares, and systems that are square. The reference for solutions is dense, in long doubles.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "solvers/solve_system.hpp"
#include "tests/solvers/core/list_fields.hpp"
#include "tests/solvers/core/solve_csr.hpp"
#include "tests/solvers/krylov/krylov_problems.hpp"

namespace wavesim::test {
namespace {

using krylov::options;
using Dense = std::vector<std::vector<long double>>;
using Vector = std::vector<long double>;

constexpr const char* methods[]{"lsqr", "lsmr"};

/// Of the computations by SciPy, too: whole numbers and quotients, with the same bits everywhere.
Dense rectangle(int m, int n) {
  Dense A(m, Vector(n));
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      A[i][j] = double((7 * i + 13 * j) % 11 - 5) / (1 + std::abs(i - j)) + (i == j ? 3 : 0);
  return A;
}
std::vector<double> right_side(int m, int length) {
  std::vector<double> b(length, 0.0);
  for (int i = 0; i < m; ++i) b[i] = (5 * i) % 7 - 3;
  return b;
}

Dense transposed(const Dense& A) {
  Dense t(A[0].size(), Vector(A.size()));
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = 0; j < A[0].size(); ++j) t[j][i] = A[i][j];
  return t;
}
Dense product(const Dense& A, const Dense& B) {
  Dense C(A.size(), Vector(B[0].size(), 0));
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t k = 0; k < B.size(); ++k)
      for (std::size_t j = 0; j < B[0].size(); ++j) C[i][j] += A[i][k] * B[k][j];
  return C;
}
/// A^-1 b by Gaussian elimination; A is symmetric and positive definite.
Vector solved(Dense A, Vector b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = k + 1; i < n; ++i) {
      const long double factor = A[i][k] / A[k][k];
      for (std::size_t j = k; j < n; ++j) A[i][j] -= factor * A[k][j];
      b[i] -= factor * b[k];
    }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= A[k][j] * b[j];
    b[k] /= A[k][k];
  }
  return b;
}
Vector times(const Dense& A, const Vector& x) {
  Vector y(A.size(), 0);
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += A[i][j] * x[j];
  return y;
}

/// A = F G, both of full rank: then the shortest of the least squares solutions is G' (G G')^-1 (F' F)^-1 F' b.
struct Factored {
  const char* name;
  Dense F, G;
  Dense matrix() const { return product(F, G); }
  Vector solution(const Vector& b) const {
    const Dense Ft = transposed(F), Gt = transposed(G);
    return times(Gt, solved(product(G, Gt), solved(product(Ft, F), times(Ft, b))));
  }
};
Dense identity(int n) {
  Dense I(n, Vector(n, 0));
  for (int i = 0; i < n; ++i) I[i][i] = 1;
  return I;
}
std::vector<Factored> problems() {
  return {{"more rows", rectangle(60, 40), identity(40)},
          {"more columns", identity(40), rectangle(40, 60)},
          {"deficient, more rows", rectangle(50, 12), rectangle(12, 30)},
          {"deficient, more columns", rectangle(30, 12), rectangle(12, 50)},
          {"square", rectangle(30, 30), identity(30)},
          {"square and singular", rectangle(30, 12), rectangle(12, 30)}};
}

HostCsr padded(const Dense& A) {
  std::vector<std::vector<double>> rows;
  for (const Vector& row : A) rows.emplace_back(row.begin(), row.end());
  HostCsr csr = krylov::from_dense(rows);
  for (; csr.rows < int(A[0].size()); ++csr.rows) csr.start.push_back(csr.start.back());
  csr.square = A.size() == A[0].size();
  return csr;
}

using csr::solve;

/// |A' (b - A x)| / (|A| |b - A x|)
double gradient(const Dense& A, const std::vector<double>& b, const std::vector<double>& x) {
  Vector r = times(A, Vector(x.begin(), x.begin() + std::ptrdiff_t(A[0].size())));
  for (std::size_t i = 0; i < A.size(); ++i) r[i] = b[i] - r[i];
  const auto squares = [](const Vector& v) {
    long double sum = 0;
    for (long double a : v) sum += a * a;
    return sum;
  };
  long double of_A = 0;
  for (const Vector& row : A) of_A += squares(row);
  return double(std::sqrt(squares(times(transposed(A), r)) / (of_A * squares(r))));
}

void expect_near(const std::vector<double>& x, const Vector& expected, double error) {
  long double size = 0;
  for (long double v : expected) size = std::max(size, std::abs(v));
  for (std::size_t j = 0; j < expected.size(); ++j)
    EXPECT_NEAR(x[j], double(expected[j]), error * double(size)) << j;
  for (std::size_t j = expected.size(); j < x.size(); ++j) EXPECT_EQ(x[j], 0);
}

TEST(LeastSquares, GivesTheShortestOfTheSolutionsWhateverShapeAndRank) {
  for (const Factored& problem : problems()) {
    const Dense A = problem.matrix();
    const HostCsr csr = padded(A);
    const std::vector<double> b = right_side(int(A.size()), csr.rows);
    const Vector expected = problem.solution(Vector(b.begin(), b.begin() + std::ptrdiff_t(A.size())));
    for (const char* method : methods) {
      SCOPED_TRACE(std::string(method) + ", " + problem.name);
      const SystemResult r = solve(csr, b, options(method, 1e-12));
      EXPECT_EQ(r.report.status, Status::converged) << word(r.report.status);
      expect_near(r.x, expected, 1e-9);
    }
  }
}

TEST(LeastSquares, SaysWhetherTheResidualOrItsGradientMetTheTolerance) {
  for (const Factored& problem : problems()) {
    const Dense A = problem.matrix();
    const HostCsr csr = padded(A);
    std::vector<double> ones(csr.rows, 0.0);
    std::fill_n(ones.begin(), A[0].size(), 1.0);
    const std::vector<double> consistent = multiply(csr, ones),
                              inconsistent = right_side(int(A.size()), csr.rows);
    const bool full_rank_in_rows = A.size() == problem.F[0].size();
    for (const char* method : methods)
      for (const char* M : {"none", "column-scaling"}) {
        SCOPED_TRACE(std::string(method) + ", " + problem.name + ", " + M);
        SolverOptions o = options(method, 1e-6);
        o.preconditioner.type = M;
        const SystemResult exact = solve(csr, consistent, o);
        EXPECT_TRUE(exact.report.converged());
        EXPECT_FALSE(exact.least_squares);
        EXPECT_LE(exact.relative_2(), 1.01e-6);
        const SystemResult least = solve(csr, inconsistent, o);
        EXPECT_TRUE(least.report.converged());
        EXPECT_EQ(least.least_squares, !full_rank_in_rows);
        EXPECT_NEAR(least.gradient, gradient(A, inconsistent, least.x), 1e-9);
        if (least.least_squares) {
          EXPECT_LE(least.gradient, 1.01e-6);
          EXPECT_GT(least.relative_2(), 0.01);
        }
      }
  }
}

/// |r| / |b| of scipy.sparse.linalg.lsqr and lsmr 1.17 after 1, 5, 10 and 20 iterations.
TEST(LeastSquares, HasTheResidualsOfScipy) {
  struct Expected {
    int rows, columns;
    const char* method;
    double residual[4];
  };
  const Expected all[]{
      {60, 40, "lsqr", {0.7927466749403855, 0.6259405077550932, 0.5933717988039098, 0.5730181640349128}},
      {60, 40, "lsmr", {0.8110675899807613, 0.6307519185479349, 0.5987544718599123, 0.5771459610201534}},
      {40, 60, "lsqr", {0.636744635312993, 0.29518170011998457, 0.1930347337988277, 0.12250006342285018}},
      {40, 60, "lsmr", {0.6627752627858559, 0.3092159661592949, 0.2089455389997946, 0.14181635977964718}}};
  for (const Expected& e : all) {
    SCOPED_TRACE(std::string(e.method) + ", " + std::to_string(e.rows) + " rows");
    const HostCsr A = padded(rectangle(e.rows, e.columns));
    const std::vector<double> b = right_side(e.rows, A.rows);
    const SystemResult r = solve(A, b, options(e.method, 1e-14));
    const std::vector<double>& h = r.report.history;
    for (int k = 0; k < 4; ++k)
      EXPECT_NEAR(h[std::size_t(k == 0 ? 1 : 5 << (k - 1))] / h[0], e.residual[k], 1e-9);
  }
}

/// SciPy's lsqr and lsmr both need 52 to 1e-8, with an estimate of |A|.
TEST(LeastSquares, EndsWhereTheGradientMeetsTheTolerance) {
  const HostCsr A = padded(rectangle(60, 40));
  const std::vector<double> b = right_side(60, 60);
  const int of_lsqr = solve(A, b, options("lsqr", 1e-8)).report.iterations,
            of_lsmr = solve(A, b, options("lsmr", 1e-8)).report.iterations;
  EXPECT_NEAR(of_lsqr, 52, 3);
  EXPECT_NEAR(of_lsmr, 52, 3);
  EXPECT_LE(of_lsmr, of_lsqr);
}

TEST(LeastSquares, ResidualsOfTheRecurrencesAreTheTrueOnes) {
  for (const Factored& problem : problems()) {
    const Dense A = problem.matrix();
    const HostCsr csr = padded(A);
    const std::vector<double> b = right_side(int(A.size()), csr.rows);
    for (const char* method : methods)
      for (const char* M : {"none", "column-scaling"})
        for (int k : {1, 2, 3, 7}) {
          SCOPED_TRACE(std::string(method) + ", " + problem.name + ", " + M + ", " + std::to_string(k));
          SolverOptions o = options(method, 1e-14);
          o.preconditioner.type = M;
          o.max_iterations = k;
          const SystemResult r = solve(csr, b, o);
          EXPECT_EQ(r.report.iterations, k);
          EXPECT_NEAR(r.report.relative_recurrence(), r.relative_2(), 1e-12);
        }
  }
}

TEST(LeastSquares, ScaledColumnsHelpWhereTheirLengthsDiffer) {
  Dense A = rectangle(60, 40);
  for (Vector& row : A)
    for (std::size_t j = 0; j < row.size(); ++j) row[j] *= std::pow(10.0L, int(j % 7) - 3);
  const HostCsr csr = padded(A);
  const std::vector<double> b = right_side(60, 60);
  const Vector expected = Factored{"", A, identity(40)}.solution(Vector(b.begin(), b.end()));
  for (const char* method : methods) {
    SCOPED_TRACE(method);
    SolverOptions o = options(method, 1e-13);
    o.preconditioner.type = "column-scaling";
    const SystemResult r = solve(csr, b, o);
    EXPECT_TRUE(r.report.converged()) << word(r.report.status);
    EXPECT_LE(r.report.iterations, 120);
    for (std::size_t j = 0; j < expected.size(); ++j)
      EXPECT_NEAR(r.x[j], double(expected[j]), 1e-4 * std::abs(double(expected[j])) + 1e-9) << j;
    o.preconditioner.type = "none";
    EXPECT_GT(solve(csr, b, o).report.iterations, 2 * r.report.iterations);
  }
}

TEST(LeastSquares, InSinglePrecisionEndsWhereDoublesConfirmIt) {
  const Dense A = rectangle(60, 40);
  const HostCsr csr = padded(A);
  const std::vector<double> b = right_side(60, 60);
  for (const char* method : methods) {
    const SystemResult r = solve(csr, b, options(method, 1e-5), true);
    EXPECT_TRUE(r.report.converged()) << method << ": " << word(r.report.status);
    EXPECT_LE(gradient(A, b, r.x), 2e-5) << method;
    const SystemResult beyond = solve(csr, b, options(method, 1e-10), true);
    EXPECT_FALSE(beyond.report.converged()) << method;  // no rounding claims what is not so
  }
}

TEST(LeastSquares, OfASystemOrthogonalToTheColumnsIsZeroAtOnce) {
  const HostCsr A = padded({{1, 2}, {-1, -2}, {0, 0}});
  for (const char* method : methods) {
    const SystemResult r = solve(A, {1, 1, 1}, options(method));
    EXPECT_TRUE(r.report.converged()) << method << ": " << word(r.report.status);
    EXPECT_EQ(r.report.iterations, 0);
    EXPECT_TRUE(r.least_squares);
    EXPECT_EQ(r.x, (std::vector<double>{0, 0, 0}));
  }
}

TEST(LeastSquares, IsWhatAMatrixThatIsNotSquareIsFor) {
  MatrixFacts facts;
  facts.symmetric = facts.square = false;
  for (const char* method : methods) {
    EXPECT_EQ(incompatibility(options(method), facts), "");
    SolverOptions o = options(method);
    o.preconditioner.type = "column-scaling";
    EXPECT_EQ(incompatibility(o, facts), "");
    o.preconditioner.type = "block-jacobi";
    EXPECT_NE(incompatibility(o, facts).find("none, or column-scaling"), std::string::npos);
  }
  EXPECT_NE(incompatibility(options("gmres"), facts).find("methods for least squares: lsqr, lsmr"),
            std::string::npos);
  SolverOptions mixed = options("lsqr");
  mixed.mixed = true;
  EXPECT_NE(incompatibility(mixed, facts).find("write precision: double"), std::string::npos);
}

/// The time steps of a wave want the residual, however small the gradient is beside |A|.
TEST(LeastSquares, OfTheWaveSystemAsksForTheResidualAlone) {
  Backend be;
  UniformCoefficients<double> c;
  c.topology = {48, 48, 0, 0};
  c.mass = c.face_x = c.face_y = 1;
  for (double& edge : c.edge) edge = -1;
  const auto A = make_operator<Backend, double>("stencil", be, make_extent(48, 48), c);
  A->assemble(1e-4, 1);
  const auto b = to_field<double>(be, A->extent(), random_values(48 * 48, 3));
  for (const char* method : methods) {
    const SolverOptions o = options(method, 1e-2);
    Field<Backend, double> x(be, A->extent());
    const Report r = make_solver<Backend, double>(o, be, *A)->solve(*A, nullptr, b, x, true);
    EXPECT_TRUE(r.converged());
    EXPECT_LE(r.relative_residual(), 1e-2) << method;
  }
}

template <class T>
class ColumnSquares : public testing::Test {};
using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(ColumnSquares, Precisions);

TYPED_TEST(ColumnSquares, AreThoseOfTheMatrixAndZeroInPadding) {
  using T = TypeParam;
  Backend be;
  const HostCsr A = padded({{1, 2, 0}, {0, -3, 0.5L}, {4, 0, 0}});
  for (const Format& format : formats_of_rows()) {
    if (!format.any_matrix) continue;
    const auto op = make_operator<Backend, T>(std::string(format.name), be, A);
    Field<Backend, T> squares(be, op->extent());
    op->column_squares(squares);
    std::vector<double> expected(std::size_t(op->extent().count()), 0.0);
    expected[0] = 17, expected[1] = 13, expected[2] = 0.25;
    EXPECT_EQ(from_list(squares, op->extent().count()), expected) << format.name;
  }
}

}  // namespace
}  // namespace wavesim::test
