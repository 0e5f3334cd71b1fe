#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "kernels/errors.hpp"
#include "solvers/catalogue.hpp"
#include "solvers/incomplete.hpp"
#include "solvers/option_list.hpp"
#include "solvers/registry.hpp"
#include "solvers/sweep.hpp"
#include "solvers/triangular.hpp"
#include "tests/solvers/problems.hpp"

namespace wavesim::test {
namespace {

/// Unsymmetric in values and pattern, diagonally dominant; entries of a row are in no order.
HostCsr random_matrix(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  HostCsr A;
  A.rows = n;
  for (int i = 0; i < n; ++i) {
    std::vector<int> columns{i};
    const int others = int(random() % 7);
    for (int k = 0; k < others; ++k)
      if (const int j = int(random() % n); std::find(columns.begin(), columns.end(), j) == columns.end())
        columns.push_back(j);
    std::shuffle(columns.begin(), columns.end(), random);
    for (int j : columns) {
      A.column.push_back(j);
      A.value.push_back(j == i ? 8 + uniform(random) : uniform(random));
    }
    A.start.push_back(int(A.column.size()));
  }
  return A;
}

/// One after the other, in the order given. x over the linear index.
template <class T>
void serial_sweep(const HostCsr& A, const std::vector<int>& order, const std::vector<T>& b, std::vector<T>& x,
                  double omega) {
  for (int i : order) {
    T sum = 0, d = 0;
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) {
      sum = std::fma(T(A.value[k]), x[A.column[k]], sum);
      if (A.column[k] == i) d = T(A.value[k]);
    }
    if (A.start[i] < A.start[std::size_t(i) + 1]) x[i] = std::fma(T(omega), (b[i] - sum) / d, x[i]);
  }
}

template <class T>
std::vector<T> linear(const Field<Backend, T>& f) {
  const std::vector<T> all = f.memory().download();
  return {all.begin() + f.extent().pitch, all.end() - f.extent().pitch};
}

/// Three sweeps there and back on the backend, and the same one row after the other.
template <class T>
void compare_with_serial(Backend& be, const Operator<Backend, T>& A, const char* order,
                         const std::vector<int>& rows, const std::string& what) {
  const Extent e = A.extent();
  const double omega = 1.25;
  const auto b = to_field<T>(be, e, random_values(e.points(), 31));
  auto x = to_field<T>(be, e, random_values(e.points(), 32));
  std::vector<T> expected = linear(x);
  const std::vector<T> rhs = linear(b);
  const HostCsr host = A.csr().download();
  const std::vector<int> backward(rows.rbegin(), rows.rend());

  Sweep<Backend, T> sweep(be, order);
  sweep.set_up(A, "a test");
  for (int k = 0; k < 3; ++k) {
    sweep.run(A, b, x, omega, true);
    sweep.run(A, b, x, omega, false);
    serial_sweep(host, rows, rhs, expected, omega);
    serial_sweep(host, backward, rhs, expected, omega);
  }
  EXPECT_EQ(linear(x), expected) << order << " " << what;
}

std::vector<int> by_index(int n) {
  std::vector<int> rows(n);
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

template <class T>
class Sweeps : public testing::Test {};
using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(Sweeps, Precisions);

TYPED_TEST(Sweeps, InNaturalOrderAndByLevelsEqualTheSerialSweepToTheBit) {
  using T = TypeParam;
  Backend be;
  for (const int n : {1, 63, 700, 20000}) {
    const auto A = make_operator<Backend, T>("csr", be, random_matrix(n, unsigned(n)));
    for (const char* order : {"natural", "levels"})
      compare_with_serial<T>(be, *A, order, by_index(A->extent().count()), std::to_string(n) + " rows");
  }
  for (const Shape& shape : shapes()) {
    const HostProblem host(shape);
    const Problem<T> problem(be, host);
    for (const char* format : {"stencil", "dia", "csr"}) {
      const auto A = make_operator<Backend, T>(format, be, host.e, problem.coefficients);
      A->assemble(0.5, 0.75);
      for (const char* order : {"natural", "levels"})
        compare_with_serial<T>(be, *A, order, by_index(host.e.count()), format);
    }
  }
}

TYPED_TEST(Sweeps, ByColoursEqualASerialSweepOverOneColourAfterTheOtherToTheBit) {
  using T = TypeParam;
  Backend be;
  for (const int n : {1, 63, 700, 20000}) {
    const auto A = make_operator<Backend, T>("csr", be, random_matrix(n, unsigned(n)));
    compare_with_serial<T>(be, *A, "colours", colours_of(A->csr().download()).row, "any matrix");
  }
  int checked = 0;
  for (const Shape& shape : shapes()) {
    const HostProblem host(shape);
    const Problem<T> problem(be, host);
    std::vector<int> rows;  // red, then black
    for (int colour : {0, 1})
      for (int row = 0; row < shape.ny; ++row)
        for (int col = 0; col < shape.nx; ++col)
          if ((col + row) % 2 == colour) rows.push_back(row * host.e.pitch + col);
    for (const Format& format : solver_formats()) {
      const auto A = make_operator<Backend, T>(std::string(format.name), be, host.e, problem.coefficients);
      A->assemble(0.5, 0.75);
      const bool parity = red_black(host.topology);
      checked += parity;
      compare_with_serial<T>(be, *A, "colours", parity ? rows : colours_of(A->csr().download()).row,
                             std::string(format.name));
    }
  }
  EXPECT_GT(checked, 0);
}

TEST(Ordering, RedAndBlackDoNotColourAnOddPeriodicAxis) {
  EXPECT_TRUE(red_black({5, 7, 0, 0}));
  EXPECT_TRUE(red_black({6, 7, 6, 0}));
  EXPECT_FALSE(red_black({5, 8, 5, 0}));
  EXPECT_FALSE(red_black({6, 7, 0, 7 * 16}));
}

TEST(Ordering, ColoursAndLevelsPartTheRowsSoThatNoStageCouplesTwo) {
  const HostCsr A = random_matrix(500, 3);
  for (const RowStages& s : {colours_of(A), levels_of(A, Depends::in_place)}) {
    std::vector<int> stage(A.rows, -1);
    for (int g = 0; g < s.count(); ++g)
      for (int k = s.start[g]; k < s.start[std::size_t(g) + 1]; ++k) stage[s.row[k]] = g;
    for (int i = 0; i < A.rows; ++i) {
      EXPECT_GE(stage[i], 0);
      for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
        EXPECT_TRUE(A.column[k] == i || stage[i] != stage[A.column[k]]);
    }
  }
  EXPECT_LE(colours_of(A).count(), 12);
}

TEST(Ordering, LevelsOfTheFivePointSystemAreItsAntidiagonals) {
  Backend be;
  const HostProblem host({9, 6, {Side::fixed, Side::fixed, Side::free, Side::free}, false});
  const Problem<double> problem(be, host);
  const auto A = make_operator<Backend, double>("dia", be, host.e, problem.coefficients);
  A->assemble(0.5, 0.75);
  const RowStages levels = levels_of(A->csr().download(), Depends::in_place);
  EXPECT_EQ(levels.count(), 9 + 6 - 1);
  EXPECT_EQ(levels.row.size(), 54u);  // none of the padding
}

struct SolvedMatrix {
  Report report;
  Tally tally;
};

SolvedMatrix solve_matrix(Backend& be, const HostCsr& matrix, const SolverOptions& o) {
  const auto A = make_operator<Backend, double>("csr", be, matrix);
  const auto M = make_preconditioner<Backend, double>(o.preconditioner, be, *A);
  const auto solver = make_solver<Backend, double>(o, be, *A);
  std::vector<double> ones(A->extent().points(), 0);
  std::fill_n(ones.begin(), matrix.rows, 1.0);
  const auto b = to_field<double>(be, A->extent(), ones);
  Field<Backend, double> x(be, A->extent());
  if (M) M->prepare(*A);
  be.tally().clear();
  SolvedMatrix s;
  s.report = solver->solve(*A, M.get(), b, x, true);
  s.tally = be.tally();
  return s;
}

/// -u'' on a square of n x n points: 4 and -1, in its natural order.
HostCsr laplacian(int n) {
  HostCsr A;
  A.rows = n * n;
  for (int i = 0; i < A.rows; ++i) {
    const int col = i % n, row = i / n;
    const auto push = [&](bool there, int j, double v) {
      if (!there) return;
      A.column.push_back(j);
      A.value.push_back(v);
    };
    push(row > 0, i - n, -1);
    push(col > 0, i - 1, -1);
    push(true, i, 4);
    push(col < n - 1, i + 1, -1);
    push(row < n - 1, i + n, -1);
    A.start.push_back(int(A.column.size()));
  }
  return A;
}

// Theory for consistently ordered matrices (Young): the convergence factor of Gauss-Seidel is the square of
// Jacobi's, that of SOR with the best weight is that weight less 1.
TEST(GaussSeidelMethods, ConvergeAsFastAsYoungSays) {
  Backend be;
  const int n = 20;
  const double pi = std::acos(-1.0), rho = std::cos(pi / (n + 1));
  SolverOptions o;
  o.norm = "relative-2";
  o.tolerance = 1e-6;
  o.max_iterations = 5000;
  const auto iterations = [&](const char* method, const char* order, double weight) {
    o.method = method;
    o.choices = {};
    if (weight != 0) o.choices.numbers["relaxation"] = weight;
    if (*order) o.choices.words["order"] = order;
    const auto s = solve_matrix(be, laplacian(n), o);
    EXPECT_EQ(s.report.status, Status::converged) << method;
    return s.report.iterations;
  };
  const int jacobi = iterations("jacobi", "", 0);
  const double best = 2 / (1 + std::sqrt(1 - rho * rho));
  for (const char* order : {"natural", "levels", "colours"}) {
    EXPECT_NEAR(iterations("gauss-seidel", order, 0), jacobi / 2, jacobi / 40.0) << order;
    // back over the black points, and then again over the red ones, changes nothing
    EXPECT_LE(iterations("symmetric-gauss-seidel", order, 0), *order == 'c' ? 0.52 * jacobi : 0.35 * jacobi);
    EXPECT_EQ(iterations("sor", order, 1), iterations("gauss-seidel", order, 0));
    EXPECT_LT(iterations("sor", order, best), jacobi / 8) << order;
  }
  EXPECT_EQ(iterations("gauss-seidel", "natural", 0), iterations("gauss-seidel", "levels", 0));
  EXPECT_LT(iterations("ssor", "natural", 1.7), iterations("ssor", "natural", 1) / 3);
}

TEST(GaussSeidelMethods, TakeOneSweepAndOneResidualAnIteration) {
  Backend be;
  if (Backend::asynchronous) GTEST_SKIP() << "a GPU enqueues iterations that may do nothing";
  SolverOptions o;
  o.norm = "relative-2";
  o.tolerance = 1e-4;
  for (const char* order : {"natural", "levels", "colours"}) {
    o.choices.words["order"] = order;
    const char* forward = *order == 'n' ? "sweep in order" : "sweep by stages";
    const char* backward = *order == 'n' ? "sweep in order, backward" : "sweep by stages, backward";
    o.method = "gauss-seidel";
    const auto s = solve_matrix(be, laplacian(8), o);
    const long k = s.report.iterations;
    EXPECT_EQ(s.tally.count(forward), k);
    EXPECT_EQ(s.tally.count("|b - A x|"), k + 1);  // and the true residual
    EXPECT_EQ(s.tally.reductions - s.tally.count("first row without a diagonal"), k + 2);  // and |b|
    o.method = "symmetric-gauss-seidel";
    const auto both = solve_matrix(be, laplacian(8), o);
    EXPECT_EQ(both.tally.count(forward), both.report.iterations);
    EXPECT_EQ(both.tally.count(backward), both.report.iterations);
  }
}

TEST(GaussSeidelMethods, ByColoursExtractNothingFromTheStencil) {
  Backend be;
  if (Backend::asynchronous) GTEST_SKIP() << "a GPU enqueues iterations that may do nothing";
  const HostProblem host({32, 20, {Side::fixed, Side::free, Side::free, Side::fixed}, false});
  const Problem<double> problem(be, host);
  const auto A = make_operator<Backend, double>("stencil", be, host.e, problem.coefficients);
  A->assemble(0.5, 0.75);
  SolverOptions o;
  o.method = "gauss-seidel";
  const auto solver = make_solver<Backend, double>(o, be, *A);
  const auto b = to_field<double>(be, host.e, random_values(host.e.points(), 33));
  Field<Backend, double> x(be, host.e);
  be.tally().clear();
  const Report report = solver->solve(*A, nullptr, b, x, true);
  EXPECT_EQ(report.status, Status::converged);
  const long k = report.iterations;
  EXPECT_EQ(be.tally().count("x = x + omega D^-1 (b - A x), red"), k);
  EXPECT_EQ(be.tally().count("x = x + omega D^-1 (b - A x), black"), k);
  EXPECT_EQ(be.tally().count("A to csr"), 0);
  EXPECT_EQ(be.tally().passes, 3 * k + 4);  // |b|, the true residual, and two for the check of the diagonal
}

TEST(GaussSeidelMethods, RefuseAZeroDiagonalAndNameTheRow) {
  Backend be;
  HostCsr A = laplacian(6);
  A.value[std::find(A.column.begin() + A.start[17], A.column.end(), 17) - A.column.begin()] = 0;
  SolverOptions o;
  for (const char* method : {"gauss-seidel", "symmetric-gauss-seidel", "sor", "ssor"})
    for (const char* order : {"natural", "levels", "colours"}) {
      o.method = method;
      o.choices.words["order"] = order;
      try {
        solve_matrix(be, A, o);
        ADD_FAILURE() << method << " took it";
      } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("row 17"), std::string::npos) << e.what();
      }
    }
}

TEST(GaussSeidelMethods, RefuseAWeightOfTwo) {
  Backend be;
  SolverOptions o;
  for (const char* method : {"sor", "ssor"}) {
    o.method = method;
    o.choices.numbers["relaxation"] = 2;
    EXPECT_THROW(solve_matrix(be, laplacian(4), o), InputError);
  }
  o = {};
  o.preconditioner.type = "ssor";
  o.preconditioner.choices.numbers["relaxation"] = 2;
  EXPECT_THROW(solve_matrix(be, laplacian(4), o), InputError);
}

TEST(SweepPreconditioners, AsFactorsAreWhatASweepThereAndBackIs) {
  Backend be;
  const HostCsr matrix = random_matrix(400, 12);
  const auto A = make_operator<Backend, double>("csr", be, matrix);
  const auto r = to_field<double>(be, A->extent(), random_values(A->extent().points(), 43));
  std::vector<double> z[2];
  for (const double weight : {0.7, 1.0, 1.6}) {
    for (const int k : {0, 1}) {
      PreconditionerOptions o{"ssor", {}};
      o.choices.numbers["relaxation"] = weight;
      o.choices.words["order"] = k == 0 ? "levels" : "natural";
      const auto M = make_preconditioner<Backend, double>(o, be, *A);
      M->prepare(*A);
      be.tally().clear();
      Field<Backend, double> x(be, A->extent());
      Buffer<Backend, double> product(be, 1);
      M->apply(r, x, product.data());
      z[k] = from_field(x);
      EXPECT_EQ(be.tally().count("x = triangle^-1 b"), k == 0 ? 2 : 0);
    }
    for (std::size_t i = 0; i < z[0].size(); ++i) ASSERT_NEAR(z[0][i], z[1][i], 1e-14);
  }
}

TEST(SweepPreconditioners, SaveConjugateGradientsIterations) {
  Backend be;
  const HostCsr A = laplacian(40);
  SolverOptions o;
  o.norm = "relative-2";
  o.tolerance = 1e-8;
  const auto iterations = [&](const char* type, const char* order, double weight, double sweeps) {
    o.preconditioner = {type, {}};
    if (*order) o.preconditioner.choices.words["order"] = order;
    if (weight != 0) o.preconditioner.choices.numbers["relaxation"] = weight;
    if (sweeps != 0) o.preconditioner.choices.numbers["sweeps"] = sweeps;
    const auto s = solve_matrix(be, A, o);
    EXPECT_EQ(s.report.status, Status::converged) << type;
    RecordProperty(std::string(type) + "_" + order + "_" + std::to_string(int(10 * weight)) + "_" +
                       std::to_string(int(sweeps)),
                   s.report.iterations);
    return s.report.iterations;
  };
  const int none = iterations("none", "", 0, 0);
  for (const char* order : {"natural", "colours"}) {
    const int one = iterations("ssor", order, 1, 0);
    EXPECT_LE(one, 0.6 * none) << order;  // 40 and 38 for 74
    EXPECT_EQ(iterations("symmetric-gauss-seidel", order, 0, 1), one);
    EXPECT_LE(iterations("symmetric-gauss-seidel", order, 0, 3), 0.7 * one) << order;  // 23
  }
  EXPECT_EQ(iterations("ssor", "natural", 1, 0), iterations("ssor", "levels", 1, 0));
  EXPECT_LE(iterations("ssor", "natural", 1.7, 0), 0.35 * none);  // 25
}

/// A as dense rows.
std::vector<std::vector<double>> dense(const HostCsr& A) {
  std::vector<std::vector<double>> d(A.rows, std::vector<double>(A.rows, 0));
  for (int i = 0; i < A.rows; ++i)
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) d[i][A.column[k]] = A.value[k];
  return d;
}

TYPED_TEST(Sweeps, TriangularSolvesUndoTheProductWithTheDenseTriangle) {
  using T = TypeParam;
  Backend be;
  const int n = 300, count = 3, stride = 320;
  const HostCsr A = random_matrix(n, 5);
  const auto D = dense(A);
  for (const Triangle side : {Triangle::lower, Triangle::upper})
    for (const bool unit : {false, true}) {
      const Triangular<Backend, T> solver(be, A, side, unit);
      EXPECT_GT(solver.levels(), 3);
      EXPECT_LT(solver.levels(), n / 4);
      const std::vector<double> x = random_values(std::size_t(count) * stride, 6);
      std::vector<T> b(x.size(), T(0));
      for (int s = 0; s < count; ++s)
        for (int i = 0; i < n; ++i) {
          double sum = (unit ? 1 : D[i][i]) * x[std::size_t(s) * stride + i];
          for (int j = 0; j < n; ++j)
            if (side == Triangle::lower ? j < i : j > i) sum += D[i][j] * x[std::size_t(s) * stride + j];
          b[std::size_t(s) * stride + i] = T(sum);
        }
      Buffer<Backend, T> from(be, b.size()), to(be, b.size());
      from.upload(b);
      be.tally().clear();
      solver.solve(from.data(), to.data(), count, stride);
      EXPECT_EQ(be.tally().count("x = triangle^-1 b"), 1);
      EXPECT_LE(be.tally().passes, 2);  // a GPU marks what is not there yet
      const std::vector<T> apart = to.download();
      // with ones for 8 on the diagonal the solution grows along a chain of rows, and errors with it
      const double tolerance = (unit ? 1e4 : 50) * std::numeric_limits<T>::epsilon();
      for (int s = 0; s < count; ++s)
        for (int i = 0; i < n; ++i) {
          const std::size_t at = std::size_t(s) * stride + i;
          ASSERT_NEAR(apart[at], x[at], tolerance) << "row " << i;
        }
      solver.solve(from.data(), from.data(), count, stride);
      EXPECT_EQ(std::vector<T>(from.download()), apart);  // in place
    }
}

TEST(TriangularSolves, RefuseAZeroDiagonalAndNameTheRow) {
  Backend be;
  HostCsr A = laplacian(5);
  A.value[std::find(A.column.begin() + A.start[7], A.column.end(), 7) - A.column.begin()] = 0;
  try {
    const Triangular<Backend, double> solver(be, A, Triangle::lower, false);
    ADD_FAILURE() << "it took it";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("row 7"), std::string::npos) << e.what();
  }
  EXPECT_EQ((Triangular<Backend, double>(be, A, Triangle::lower, true).levels()), 9);
}

/// Unsymmetric and tridiagonal: its factors fill nothing in.
HostCsr tridiagonal(int n, bool symmetric) {
  const std::vector<double> v = random_values(std::size_t(n) * 3, 41);
  HostCsr A;
  A.rows = n;
  for (int i = 0; i < n; ++i) {
    for (int j : {i + 1, i - 1, i}) {  // not in ascending order
      if (j < 0 || j >= n) continue;
      A.column.push_back(j);
      A.value.push_back(j == i ? 3 + v[i] : symmetric ? v[n + std::max(i, j)] : v[n + 2 * i + (j > i)]);
    }
    A.start.push_back(int(A.column.size()));
  }
  return A;
}

TEST(IncompleteFactorisations, OfATridiagonalMatrixAreExact) {
  Backend be;
  const int n = 200;
  for (const char* type : {"ilu0", "ic0"}) {
    const HostCsr matrix = tridiagonal(n, type == std::string("ic0"));
    const auto A = make_operator<Backend, double>("csr", be, matrix);
    const auto M = make_preconditioner<Backend, double>({type, {}}, be, *A);
    M->prepare(*A);
    const auto b = to_field<double>(be, A->extent(), random_values(A->extent().points(), 42));
    Field<Backend, double> x(be, A->extent()), r(be, A->extent());
    Buffer<Backend, double> product(be, 1);
    Buffer<Backend, Norms> norms(be, 1);
    M->apply(b, x, product.data());
    A->residual(b, x, &r, norms.data());
    Norms error;
    be.download(&error, norms.data(), 1);
    EXPECT_LE(error.largest, 1e-14) << type;
    double expected = 0;
    const auto bs = from_field(b), xs = from_field(x);
    for (std::size_t i = 0; i < bs.size(); ++i) expected += bs[i] * xs[i];
    EXPECT_NEAR(product.download()[0], expected, 1e-12) << type;
  }
}

TEST(IncompleteFactorisations, MultiplyToTheMatrixOnItsPattern) {
  const HostCsr A = laplacian(9), R = random_matrix(120, 8);
  const auto a = dense(A), l = dense(ic0(A)), r = dense(R), f = dense(ilu0(R));
  int elsewhere = 0;  // products that fall outside the pattern: it would be no incomplete factorisation
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.rows; ++j) {
      double sum = 0;
      for (int k = 0; k < A.rows; ++k) sum += l[i][k] * l[j][k];
      if (a[i][j] != 0)
        EXPECT_NEAR(sum, a[i][j], 1e-13) << i << " " << j;
      else
        elsewhere += sum != 0;
      EXPECT_TRUE(j <= i || l[i][j] == 0);
    }
  EXPECT_GT(elsewhere, 0);
  for (int i = 0; i < R.rows; ++i)
    for (int j = 0; j < R.rows; ++j) {
      if (r[i][j] == 0) continue;
      double sum = 0;
      for (int k = 0; k <= std::min(i, j); ++k) sum += (k == i ? 1 : f[i][k]) * f[k][j];
      EXPECT_NEAR(sum, r[i][j], 1e-13) << i << " " << j;
    }
}

TEST(ApproximateInverses, TimesTheirTriangleAreOneOnItsPattern) {
  const HostCsr R = random_matrix(150, 9);
  for (const bool lower : {true, false}) {
    const HostCsr L = triangle_of(R, lower, false);
    const auto l = dense(L), w = dense(isai(L, lower, 1));
    int elsewhere = 0;
    for (int i = 0; i < R.rows; ++i)
      for (int j = 0; j < R.rows; ++j) {
        double sum = 0;
        for (int k = 0; k < R.rows; ++k) sum += w[i][k] * l[k][j];
        if (l[i][j] != 0)
          EXPECT_NEAR(sum, i == j, 1e-14) << i << " " << j;
        else
          elsewhere += sum != 0;
        EXPECT_TRUE(l[i][j] != 0 || w[i][j] == 0);
      }
    EXPECT_GT(elsewhere, 0);
  }
}

TEST(ApproximateInverses, OfAllPowersThatMatterAreExact) {
  const int n = 8;  // a bidiagonal triangle of 8 rows has a dense inverse, the 7th power of its pattern
  const HostCsr L = triangle_of(tridiagonal(n, false), true, false);
  const auto l = dense(L), w = dense(isai(L, true, n - 1));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += w[i][k] * l[k][j];
      EXPECT_NEAR(sum, i == j, 1e-14) << i << " " << j;
    }
}

TEST(ApproximateInverses, AreAppliedByTwoProducts) {
  Backend be;
  if (Backend::asynchronous) GTEST_SKIP() << "a GPU enqueues iterations that may do nothing";
  SolverOptions o;
  o.preconditioner.type = "isai";
  const auto s = solve_matrix(be, laplacian(12), o);
  EXPECT_EQ(s.tally.count("y = W r"), s.report.iterations + 1);
  EXPECT_EQ(s.tally.count("z = V y, <r, z>"), s.report.iterations + 1);
  EXPECT_EQ(s.tally.passes, 5L * s.report.iterations + 4);
}

TEST(IncompleteFactorisations, SaveIterations) {
  Backend be;
  SolverOptions o;
  o.norm = "relative-2";
  o.tolerance = 1e-8;
  const auto iterations = [&](const char* method, const char* type, double power = 0) {
    o.method = method;
    o.preconditioner = {type, {}};
    if (power != 0) o.preconditioner.choices.numbers["power"] = power;
    const auto s = solve_matrix(be, laplacian(40), o);
    EXPECT_EQ(s.report.status, Status::converged) << type;
    RecordProperty(std::string(method) + "_" + type + "_" + std::to_string(int(power)), s.report.iterations);
    return s.report.iterations;
  };
  const int none = iterations("cg", "none"), factors = iterations("cg", "ic0");  // 74, 35
  EXPECT_LE(factors, 0.5 * none);
  EXPECT_LE(iterations("cg", "isai"), 0.8 * none);     // 56
  EXPECT_LE(iterations("cg", "isai", 3), 0.6 * none);  // 37
  EXPECT_GE(iterations("cg", "isai", 3), factors);
  const int plain = iterations("bicgstab", "none");        // 54
  EXPECT_LE(iterations("bicgstab", "ilu0"), 0.5 * plain);  // 26
  EXPECT_LE(iterations("bicgstab", "isai", 2), 0.7 * plain);
}

TEST(IncompleteFactorisations, TakeTwoTriangularSolvesAnApplication) {
  Backend be;
  if (Backend::asynchronous) GTEST_SKIP() << "a GPU enqueues iterations that may do nothing";
  SolverOptions o;
  o.preconditioner.type = "ic0";
  const auto s = solve_matrix(be, laplacian(12), o);
  EXPECT_EQ(s.tally.count("x = triangle^-1 b"), 2 * (s.report.iterations + 1));
  EXPECT_EQ(s.tally.count("<r, z>"), s.report.iterations + 1);
}

TEST(IncompleteFactorisations, RefuseWhatHasNoFactorsAndNameTheRow) {
  Backend be;
  const auto complains = [&](const char* type, const HostCsr& A, const std::string& words) {
    SolverOptions o;
    o.method = "bicgstab";
    o.preconditioner.type = type;
    try {
      solve_matrix(be, A, o);
      ADD_FAILURE() << type << " took it";
    } catch (const std::runtime_error& e) {
      EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
    }
  };
  HostCsr negative = laplacian(4);
  negative.value[std::find(negative.column.begin() + negative.start[6], negative.column.end(), 6) -
                 negative.column.begin()] = -1;
  complains("ic0", negative, "row 6");
  complains("ic0", random_matrix(30, 2), "symmetric");
  // [1 1; 1 1]: the second pivot is zero
  complains("ilu0", {2, {0, 2, 4}, {0, 1, 0, 1}, {1, 1, 1, 1}}, "row 1");
  complains("ic0", {2, {0, 2, 4}, {0, 1, 0, 1}, {1, 1, 1, 1}}, "row 1");
  // [0 1; 1 0] without its zeros
  complains("ilu0", {2, {0, 1, 2}, {1, 0}, {1, 1}}, "row 0");
  complains("ic0", {2, {0, 1, 2}, {1, 0}, {1, 1}}, "row 0");
  SolverOptions o;
  o.preconditioner.type = "ilu0";
  EXPECT_NE(misfit(o).find("symmetric"), std::string::npos);  // with cg
}

}  // namespace
}  // namespace wavesim::test
