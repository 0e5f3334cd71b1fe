// Incomplete factorisations and approximate inverses.
#include <gtest/gtest.h>

#include "solvers/incomplete.hpp"
#include "solvers/triangular.hpp"
#include "tests/solvers/sweep_problems.hpp"

namespace wavesim::test {
namespace {

using namespace sweeps;

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
