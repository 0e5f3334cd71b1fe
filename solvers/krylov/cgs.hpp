#pragma once
// Conjugate gradients squared for any non-singular A (Sonneveld 1989; Barrett et al. 1994, section 2.3.8),
// right-preconditioned, so that its residual is the true one. It squares the polynomial of BiCG and needs no
// transpose. The residual may grow by orders of magnitude before it falls. An iteration has two products
// with A.

#include "solvers/core/solve_loop.hpp"

namespace wavesim {

struct CgsScalars {
  double rho;  // <r', r>
  double r0v;  // <r', A M^-1 p>
  double alpha, beta;
  double unused;
};
/// Norms of r and <r', r>, in one reduction.
struct CgsSums {
  Norms r;
  double rho = 0;
  HD void join(const CgsSums& o) {
    r.join(o.r);
    rho += o.rho;
  }
  HD void join(const CgsSums& o, CgsSums& lost) {
    r.join(o.r, lost.r);
    rho = two_sum(rho, o.rho, lost.rho);
  }
};
struct CgsRecorded {
  Epilogue then;
  CgsScalars* c;
  HD void operator()(const CgsSums& n) const {
    then(n.r);
    if (then.control->status == Status::running && (c->r0v == 0 || n.rho == 0))
      then.control->status = Status::breakdown;
    c->beta = c->rho != 0 ? n.rho / c->rho : 0;
    c->rho = n.rho;
  }
};

template <class B, class T>
class Cgs final : public SolveLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  Cgs(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : SolveLoop<B, T>(backend, A.extent(), options),
        r_(backend, A.extent()),
        shadow_(backend, A.extent()),
        u_(backend, A.extent()),
        p_(backend, A.extent()),
        q_(backend, A.extent()),
        v_(backend, A.extent()),
        z_(options.preconditioned() ? Vector(backend, A.extent()) : Vector()),
        c_(backend, 1),
        sums_(backend, 1) {}

  Vector* residual() override { return &r_; }

  void start(const Operator<B, T>&, Preconditioner<B, T>*, Vector&) override {
    CgsScalars* c = c_.data();
    const Norms* first = this->first_norms();
    this->be_.map(
        "r' = r, p = q = 0", this->extent_,
        [] KERNEL(const T& r, T& shadow, T& p, T& q) {
          shadow = r;
          p = q = 0;
        },
        r_.in(), shadow_.out(), p_.out(), q_.out());
    this->be_.once("rho = <r', r>", [=] KERNEL() {
      c->rho = first->squares;
      c->beta = 0;
    });
  }

  void step(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector&, Vector& x) override {
    CgsScalars* c = c_.data();
    const Extent& n = this->extent_;
    B& be = this->be_;
    be.map(
        "u = r + beta q, p = u + beta (q + beta p)", n,
        [=] KERNEL(const T& r, const T& q, T& u, T& p) {
          const T beta = T(c->beta);
          u = std::fma(beta, q, r);
          p = std::fma(beta, std::fma(beta, p, q), u);
        },
        r_.in(), q_.in(), u_.out(), p_.inout());
    A.apply(preconditioned(M, p_), v_, {shadow_.data(), &c->r0v, nullptr});  // v = A M^-1 p, <r', v>
    be.once("alpha", [=] KERNEL() { Quotient{&c->rho, &c->r0v, &c->alpha}(); });
    be.map(
        "q = u - alpha v, u += q", n,
        [=] KERNEL(const T& v, T& u, T& q) {
          q = std::fma(T(-c->alpha), v, u);
          u += q;
        },
        v_.in(), u_.inout(), q_.out());
    const Vector& z = preconditioned(M, u_);
    A.apply(z, v_);  // A M^-1 (u + q)
    be.map_sum(
        "x += alpha z, r -= alpha A z, |r|, <r', r>", n, sums_.data(),
        [=] KERNEL(const T& z, const T& v, const T& shadow, T& xi, T& r) {
          const T alpha = T(c->alpha);
          xi = std::fma(alpha, z, xi);
          r = std::fma(-alpha, v, r);
          return CgsSums{Norms::of(r), double(shadow) * r};
        },
        CgsRecorded{this->recorded(), c}, z.in(), v_.in(), shadow_.in(), x.inout(), r_.inout());
  }
  int repeats_after() const override { return 1; }

 private:
  const Vector& preconditioned(Preconditioner<B, T>* M, const Vector& p) {
    if (!M) return p;
    M->solve(p, z_, &c_.data()->unused);
    return z_;
  }

  Vector r_, shadow_, u_, p_, q_, v_, z_;
  Buffer<B, CgsScalars> c_;
  Buffer<B, CgsSums> sums_;
};

}  // namespace wavesim
