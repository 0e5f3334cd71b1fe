// A few steps of a method as a preconditioner.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "kernels/formats/five_point_csr.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/catalogue/option_list.hpp"
#include "tests/solvers/core/list_fields.hpp"
#include "tests/solvers/matrices/matrix_problems.hpp"

namespace wavesim::test {
namespace {

PreconditionerOptions steps_of(std::string_view method, int steps) {
  PreconditionerOptions o{"steps", {}};
  o.choices.words["method"] = method;
  o.choices.numbers["steps"] = steps;
  return o;
}

SolverOptions with(const char* method, const PreconditionerOptions& M) {
  SolverOptions o;
  o.method = method;
  o.preconditioner = M;
  o.norm = "relative-2";
  o.tolerance = 1e-9;
  return o;
}

/// -laplace u + u on n x n points; the wind makes it unsymmetric.
HostCsr five_point(int n, double wind = 0) {
  return five_point_matrix(n, {-1, -1 - wind, 4.1 + wind, -1, -1});
}

using Vector = Field<Backend, double>;

Vector random_vector(Backend& be, const Operator<Backend, double>& A, int rows, unsigned seed) {
  return to_list<double>(be, A.extent(), random_values(std::size_t(rows), seed));
}

std::vector<double> applied(Backend& be, const Operator<Backend, double>& A, const PreconditionerOptions& o,
                            const Vector& r, double* rz = nullptr) {
  const auto M = make_preconditioner<Backend, double>(o, be, A);
  M->prepare(A);
  Vector z(be, A.extent());
  Buffer<Backend, double> product(be, 1);
  M->apply(r, z, product.data());
  if (rz) *rz = product.download()[0];
  return z.memory().download();
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

TEST(Steps, AreWhatTheMethodMakesOfZeroInSoManyIterations) {
  Backend be;
  const HostCsr matrix = five_point(12, 0.3), symmetric = five_point(12);
  for (std::string_view method : option::steps_of.words) {
    if (!find_method(method)->repeatable) continue;
    const auto A =
        make_operator<Backend, double>("csr", be, find_method(method)->symmetric ? symmetric : matrix);
    const Vector r = random_vector(be, *A, matrix.rows, 4);
    SolverOptions o;
    o.method = method;
    o.tolerance = 1e-14;
    o.max_iterations = 4;
    Vector x(be, A->extent());
    make_solver<Backend, double>(o, be, *A)->solve(*A, nullptr, r, x, true);
    const std::vector<double> after = x.memory().download();
    double rz = 0;
    const std::vector<double> z = applied(be, *A, steps_of(method, 4), r, &rz);
    for (std::size_t i = 0; i < z.size(); ++i) EXPECT_NEAR(z[i], after[i], 1e-14) << method << " " << i;
    EXPECT_NEAR(rz, dot(z, r.memory().download()), 1e-11) << method;
  }
}

TEST(Steps, OfMethodsThatTheCatalogueCallsLinearAndSymmetricAreSo) {
  Backend be;
  const HostCsr matrix = five_point(10);
  const auto A = make_operator<Backend, double>("csr", be, matrix);
  const Vector r = random_vector(be, *A, matrix.rows, 5), s = random_vector(be, *A, matrix.rows, 6);
  int symmetric = 0;
  for (std::string_view method : option::steps_of.words)
    for (int steps : {1, 2, 5}) {
      const PreconditionerOptions o = steps_of(method, steps);
      const PreconditionerEntry entry = entry_of(o);
      if (!entry.fixed || !entry.symmetric) continue;
      ++symmetric;
      const auto Mr = applied(be, *A, o, r), Ms = applied(be, *A, o, s);
      EXPECT_NEAR(dot(Mr, s.memory().download()), dot(r.memory().download(), Ms), 1e-12) << method;
      EXPECT_GT(dot(Mr, r.memory().download()), 0) << method;
    }
  EXPECT_EQ(symmetric, 4 * 3);  // jacobi, chebyshev, symmetric-gauss-seidel, ssor
}

TEST(Steps, SaveTheMethodsThatTakeThemIterations) {
  const HostCsr symmetric = five_point(20), unsymmetric = five_point(20, 0.5);
  const auto iterations = [](const HostCsr& A, const SolverOptions& o) {
    const SystemResult r = solve_system(A, o);
    EXPECT_EQ(r.report.status, Status::converged) << o.method << ": " << word(r.report.status);
    EXPECT_LE(r.relative_2(), 2e-9);
    return r.report.iterations;
  };
  const int cg = iterations(symmetric, with("cg", {})), gmres = iterations(unsymmetric, with("gmres", {}));
  for (std::string_view method : option::steps_of.words) {
    const PreconditionerOptions M = steps_of(method, 4);
    const PreconditionerEntry e = entry_of(M);
    if (e.symmetric) {
      EXPECT_LE(1.8 * iterations(symmetric, with(e.fixed ? "cg" : "fcg", M)), cg) << method;
    }
    if (!e.symmetric_only) {
      EXPECT_LE(1.5 * iterations(unsymmetric, with(e.fixed ? "gmres" : "fgmres", M)), gmres) << method;
    }
  }
}

TEST(Steps, AreRefusedWhereTheyDoNotFitWithTheNamesThatDo) {
  const auto why = [](const char* method, const PreconditionerOptions& M, bool symmetric = true) {
    return incompatibility(with(method, M), {Structure::any, symmetric});
  };
  EXPECT_EQ(why("cg", steps_of("jacobi", 3)), "");
  EXPECT_EQ(why("fcg", steps_of("cg", 3)), "");
  EXPECT_EQ(why("bicgstab", steps_of("sor", 3), false), "");
  const std::string gmres = why("gmres", steps_of("gmres", 3), false);
  EXPECT_NE(gmres.find("steps of gmres changes from one application to the next"), std::string::npos)
      << gmres;
  EXPECT_NE(gmres.find("fgmres"), std::string::npos) << gmres;
  EXPECT_NE(why("cg", steps_of("cg", 3)).find("fcg"), std::string::npos);
  EXPECT_NE(why("cg", steps_of("gauss-seidel", 3)).find("symmetric positive definite preconditioner"),
            std::string::npos);
  EXPECT_NE(why("fgmres", steps_of("cg", 3), false).find("needs a symmetric matrix"), std::string::npos);
  PreconditionerOptions M = steps_of("jacobi", 3);
  M.choices.numbers["restart"] = 5;
  EXPECT_NE(why("cg", M).find("'restart' is no option of method: jacobi"), std::string::npos) << why("cg", M);
}

TEST(Steps, OfJacobiInAnOddNumberServeWhatIsNotDiagonallyDominant) {
  const HostCsr A = beam(60);
  EXPECT_EQ(solve_system(A, with("cg", steps_of("jacobi", 3))).report.status, Status::converged);
  try {
    solve_system(A, with("cg", steps_of("jacobi", 4)));
    FAIL() << "was taken";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("write an odd number of steps"), std::string::npos) << e.what();
  }
}

TEST(Steps, SayWhatTheirMethodFound) {
  const SystemResult r = solve_system(five_point(8), with("cg", steps_of("chebyshev", 3)));
  EXPECT_EQ(r.set_up.find("3 steps of chebyshev: eigenvalues of D^-1 A between"), 0u) << r.set_up;
}

}  // namespace
}  // namespace wavesim::test
