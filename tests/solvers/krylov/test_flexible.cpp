// Methods that bear a preconditioner that changes.
#include <gtest/gtest.h>

#include "kernels/backend/backend.hpp"
#include "tests/solvers/krylov/krylov_problems.hpp"

namespace wavesim::test {
namespace {

using namespace krylov;

TEST(Fcg, TakesOneProductAndThreeReductionsAnIteration) {
  Backend be;
  const HostCsr A = laplace(20);
  SolverOptions o = options("fcg");
  const Solved s = counted(be, A, o, rhs_for(A));
  const long k = s.report.iterations;
  EXPECT_EQ(s.counts.count("q = A p, <w, q>"), k);
  EXPECT_EQ(s.counts.count("<z, A p>"), k - 1);
  EXPECT_EQ(s.counts.reductions, 3 * k + 1);
  EXPECT_EQ(s.counts.passes, 4 * k + 1);
  o.preconditioner.type = "jacobi";
  const Solved p = counted(be, A, o, rhs_for(A));
  EXPECT_EQ(p.counts.passes, 5L * p.report.iterations + 2);  // and z = M^-1 r
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
    be_.map_sum("<r, z>", z.extent(), reinterpret_cast<Sum<1>*>(rz), Product{}, NoEpilogue{}, r.in(), z.in());
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
    be_.map_sum("z = D r, <r, z>", z.extent(), reinterpret_cast<Sum<1>*>(rz), Scaled{}, NoEpilogue{},
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
    Report r = solver->solve(*A, &M, to_field<double>(be, A->extent(), b), x, true);
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
