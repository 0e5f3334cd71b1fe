// Bounds of the spectrum for Chebyshev's iteration, as a method and as a preconditioner.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/stationary/chebyshev.hpp"
#include "tests/solvers/core/list_fields.hpp"
#include "tests/solvers/matrices/matrix_problems.hpp"

namespace wavesim::test {
namespace {

SolverOptions chebyshev(const char* bounds, double tolerance = 1e-8) {
  SolverOptions o;
  o.method = "chebyshev";
  o.choices.words["bounds"] = bounds;
  o.norm = "relative-2";
  o.tolerance = tolerance;
  o.max_iterations = 20000;
  return o;
}

SolverOptions cg(const char* preconditioner) {
  SolverOptions o;
  o.preconditioner.type = preconditioner;
  if (o.preconditioner.type == "polynomial") o.preconditioner.choices.words["bounds"] = "lanczos";
  o.norm = "relative-2";
  o.tolerance = 1e-8;
  o.max_iterations = 20000;
  return o;
}

/// The second difference: the eigenvalues of D^-1 A are 1 - cos(k pi / (n + 1)).
HostCsr second_difference(int n) {
  HostCsr A;
  A.rows = n;
  for (int i = 0; i < n; ++i) {
    for (int j = std::max(0, i - 1); j < std::min(n, i + 2); ++j) {
      A.column.push_back(j);
      A.value.push_back(j == i ? 2 : -1);
    }
    A.start.push_back(int(A.column.size()));
  }
  return A;
}

std::string refusal(const HostCsr& A, const SolverOptions& o) {
  try {
    solve_system(A, o);
    return "was taken";
  } catch (const InputError& e) {
    return e.what();
  }
}

TEST(Spectrum, OfATridiagonalMatrixIsFoundByBisection) {
  const int n = 25;
  const Bounds b = tridiagonal_bounds(std::vector<double>(n, 2), std::vector<double>(n - 1, -1));
  const double angle = std::numbers::pi / (n + 1);
  EXPECT_NEAR(b.least, 2 - 2 * std::cos(angle), 1e-14);
  EXPECT_NEAR(b.largest, 2 + 2 * std::cos(angle), 1e-14);
}

TEST(Spectrum, OfLanczosHoldsTheLargestEigenvalueAndComesNearTheLeast) {
  Backend be;
  for (int n : {1, 2, 40, 400}) {
    const auto A = make_operator<Backend, double>("csr", be, second_difference(n));
    const Bounds b = Lanczos<Backend, double>(be, A->extent()).bounds(*A, "test");
    const double end = std::cos(std::numbers::pi / (n + 1));
    EXPECT_GE(b.largest, 1 + end) << n;
    EXPECT_LE(b.largest, std::max(1.0, 1 + end) * 1.06) << n;
    EXPECT_GE(b.least, 0.89 * (1 - end)) << n;
    if (n <= 40) {  // of 400 rows, 50 steps see it from above
      EXPECT_LE(b.least, 1 - end) << n;
    }
  }
}

TEST(Spectrum, OfLanczosIsTheSameEachTime) {
  Backend be;
  const auto A = make_operator<Backend, double>("csr", be, beam(50));
  const Bounds once = Lanczos<Backend, double>(be, A->extent()).bounds(*A, "test"),
               again = Lanczos<Backend, double>(be, A->extent()).bounds(*A, "test");
  EXPECT_EQ(once.least, again.least);
  EXPECT_EQ(once.largest, again.largest);
}

TEST(Spectrum, OfLanczosLetsChebyshevSolveWhatIsNotDiagonallyDominant) {
  const HostCsr A = beam(16);
  EXPECT_NE(refusal(A, chebyshev("gershgorin")).find("bounds: lanczos"), std::string::npos);
  const SystemResult r = solve_system(A, chebyshev("lanczos"));
  EXPECT_EQ(r.report.status, Status::converged) << word(r.report.status);
  EXPECT_LE(r.relative_2(), 1e-8);
  EXPECT_LE(r.report.iterations, 1500);
  EXPECT_NE(r.set_up.find("after Lanczos"), std::string::npos) << r.set_up;
  EXPECT_EQ(solve_system(A, chebyshev("lanczos", 1e-3), true).report.status, Status::converged);
}

TEST(Spectrum, OfLanczosLetsAPolynomialPreconditionWhatIsNotDiagonallyDominant) {
  const HostCsr A = beam(60);
  SolverOptions o = cg("polynomial");
  const SystemResult r = solve_system(A, o);
  EXPECT_EQ(r.report.status, Status::converged);
  EXPECT_LE(1.5 * r.report.iterations, solve_system(A, cg("jacobi")).report.iterations);
  o.preconditioner.choices.words.clear();
  EXPECT_NE(refusal(A, o).find("bounds: lanczos"), std::string::npos) << refusal(A, o);
}

TEST(Spectrum, OfADiagonallyDominantMatrixIsThatOfGershgorinUnlessLanczosIsAskedFor) {
  HostCsr A = second_difference(100);
  for (int i = 0; i < A.rows; ++i)
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
      if (A.column[k] == i) A.value[k] = 2.5;
  for (const char* bounds : {"gershgorin", "lanczos"}) {
    const SystemResult r = solve_system(A, chebyshev(bounds));
    EXPECT_EQ(r.report.status, Status::converged);
    EXPECT_LE(r.report.iterations, 40) << bounds;  // sqrt(1.8 / 0.2) / 2 ln(2e8) = 29
  }
  SolverOptions usual = chebyshev("lanczos");
  usual.choices = {};
  EXPECT_NE(solve_system(A, usual).set_up.find("after Gershgorin"), std::string::npos);
}

TEST(Spectrum, ThatHoldsZeroIsRefused) {
  HostCsr A = second_difference(30);
  for (double& v : A.value)
    if (v == 2) v = 1;  // eigenvalues from -1 to 3
  EXPECT_NE(refusal(A, chebyshev("lanczos")).find("not positive definite"), std::string::npos);
  A.value.front() = -1;
  EXPECT_NE(refusal(A, chebyshev("lanczos")).find("row 0"), std::string::npos);
}

/// Takes the spectrum for smaller than it is.
class Misled final : public Chebyshev<Backend, double> {
 public:
  using Chebyshev<Backend, double>::Chebyshev;

 protected:
  void set_up(const Operator<Backend, double>&) override { use({{0.1, 1.2}, "a guess"}); }
};

TEST(Spectrum, GuessedTooSmallEndsInNoSuccess) {
  Backend be;
  const auto A = make_operator<Backend, double>("csr", be, second_difference(100));
  const auto b = to_list<double>(be, A->extent(), random_values(100, 3));
  Field<Backend, double> x(be, A->extent());
  for (int limit : {200, 20000}) {
    SolverOptions o = chebyshev("gershgorin");
    o.max_iterations = limit;
    Misled solver(be, *A, o);
    be.zero(x.memory().data(), x.memory().size());
    const Report r = solver.solve(*A, nullptr, b, x, true);
    EXPECT_EQ(r.status, limit == 200 ? Status::max_iterations : Status::not_finite) << word(r.status);
    EXPECT_FALSE(r.relative_residual() < 1);
  }
}

TEST(Spectrum, OfLanczosServesRealMatrices) {
  int found = 0;
  for (const char* name : {"nos4", "bcsstk01", "494_bus", "wathen100"}) {
    const auto file = real_matrix(name);
    if (file.empty()) continue;
    ++found;
    const HostCsr A = read_matrix_market(file);
    EXPECT_NE(refusal(A, chebyshev("gershgorin")).find("bounds: lanczos"), std::string::npos) << name;
    const SystemResult r = solve_system(A, cg("polynomial")), plain = solve_system(A, cg("jacobi"));
    EXPECT_EQ(r.report.status, Status::converged) << name << ": " << word(r.report.status);
    EXPECT_LT(r.report.iterations, plain.report.iterations) << name;
    const SystemResult own = solve_system(A, chebyshev("lanczos"));
    EXPECT_EQ(own.report.status, Status::converged) << name << ": " << word(own.report.status);
    EXPECT_LE(own.relative_2(), 1e-8) << name;
  }
  if (found == 0)
    GTEST_SKIP() << "needs the matrices of ../shared/matrices, or of the folder that WAVESIM_MATRICES names";
}

}  // namespace
}  // namespace wavesim::test
