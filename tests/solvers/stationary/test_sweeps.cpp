// Sweeps in their three orders, and the methods and preconditioners made of them.
#include <gtest/gtest.h>

#include "kernels/backend/backend.hpp"
#include "solvers/stationary/sweep.hpp"
#include "tests/solvers/stationary/sweep_problems.hpp"
#include "tests/solvers/triangular/triangular_problems.hpp"

namespace wavesim::test {
namespace {

using namespace sweeps;

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
    for (const Format& format : formats_of_rows()) {
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

TEST(Ordering, LevelsOfASweepAreFoundWhereTheMatrixIsAsOnTheHost) {
  Backend be;
  for (const Named& m : matrices()) {
    const RowStages expected = levels_of(m.A, Depends::in_place);
    const Csr<Backend, double> A(be, m.A);
    const Levels<Backend> levels = levels_in_place(be, A, m.A.rows);
    const Buffer<Backend, int> order = by_level(be, levels);
    EXPECT_EQ(level_starts(be, levels, order), expected.start) << m.name;
    std::vector<int> rows = order.download();
    rows.resize(expected.row.size());  // without the padding, which comes last
    ASSERT_EQ(rows, expected.row) << m.name;

    const StagedRows<Backend, double> staged(be, A, order, expected.start);
    std::vector<RowPlace> places(std::size_t(staged.rows()));
    be.download(places.data(), staged.view().place, places.size());
    std::size_t elements = 0;
    for (std::size_t k = 0; k < places.size(); ++k) {
      const RowPlace& p = places[k];
      ASSERT_EQ(p.row, expected.row[k]);
      ASSERT_EQ(p.length, m.A.start[std::size_t(p.row) + 1] - m.A.start[p.row]);
      elements += std::size_t(p.length);
    }
    EXPECT_EQ(elements, m.A.column.size());
  }
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
    EXPECT_NEAR(iterations("gauss-seidel", order, 0), jacobi / 2.0, jacobi / 40.0) << order;
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
    EXPECT_EQ(s.counts.count(forward), k);
    EXPECT_EQ(s.counts.count("|b - A x|"), k + 1);  // and the true residual
    EXPECT_EQ(s.counts.reductions, k + 2);          // and |b|
    o.method = "symmetric-gauss-seidel";
    const auto both = solve_matrix(be, laplacian(8), o);
    EXPECT_EQ(both.counts.count(forward), both.report.iterations);
    EXPECT_EQ(both.counts.count(backward), both.report.iterations);
  }
}

TEST(GaussSeidelMethods, ByColoursExtractNothingFromTheStencil) {
  Backend be;
  const HostProblem host({32, 20, {Side::fixed, Side::free, Side::free, Side::fixed}, false});
  const Problem<double> problem(be, host);
  const auto A = make_operator<Backend, double>("stencil", be, host.e, problem.coefficients);
  A->assemble(0.5, 0.75);
  SolverOptions o;
  o.method = "gauss-seidel";
  const auto solver = make_solver<Backend, double>(o, be, *A);
  const auto b = to_field<double>(be, host.e, random_values(host.e.points(), 33));
  Field<Backend, double> x(be, host.e);
  Report report;
  for (int solves = 0; solves < 2; ++solves) {  // a GPU enqueues as many iterations as the last solve took
    EXPECT_EQ(be.counts().count("A to csr"), 0);
    be.zero(x.memory().data(), x.memory().size());
    be.counts().clear();
    report = solver->solve(*A, nullptr, b, x, true);
  }
  EXPECT_EQ(report.status, Status::converged);
  const long k = report.iterations;
  EXPECT_EQ(be.counts().count("x = x + omega D^-1 (b - A x), red"), k);
  EXPECT_EQ(be.counts().count("x = x + omega D^-1 (b - A x), black"), k);
  EXPECT_EQ(be.counts().count("A to csr"), 0);
  EXPECT_EQ(be.counts().passes, 3 * k + 2);  // |b| and the true residual
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
      be.counts().clear();
      Field<Backend, double> x(be, A->extent());
      Buffer<Backend, double> product(be, 1);
      M->apply(r, x, product.data());
      z[k] = from_field(x);
      EXPECT_EQ(be.counts().count("x = triangle^-1 b"), k == 0 ? 2 : 0);
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

}  // namespace
}  // namespace wavesim::test
