#pragma once
// Biconjugate gradients for any non-singular A (Fletcher 1976; Barrett et al. 1994, section 2.3.5), with or
// without a preconditioner. The residual of x is orthogonal to those of a shadow system with A', so an
// iteration has a product with A and one with its transpose. With a symmetric A it is CG.

#include "solvers/core/solve_loop.hpp"

namespace wavesim {

struct BiCgScalars {
  double rho, rho_before;  // <r', M^-1 r>
  double pq;               // <p', A p>
  double alpha, beta;
  double unused;
};
/// Norms of r and <r', r>, in one reduction.
struct BiCgSums {
  Norms r;
  double rho = 0;
  HD void join(const BiCgSums& o) {
    r.join(o.r);
    rho += o.rho;
  }
  HD void join(const BiCgSums& o, BiCgSums& lost) {
    r.join(o.r, lost.r);
    rho = two_sum(rho, o.rho, lost.rho);
  }
};
struct BiCgRho {
  BiCgScalars* c;
  HD void operator()(const Sum<1>& s) const {
    c->rho_before = c->rho;
    c->rho = s.v[0];
    c->beta = c->rho_before != 0 ? c->rho / c->rho_before : 0;
  }
};
struct BiCgRecorded {
  Epilogue then;
  BiCgScalars* c;
  bool rho_known;
  HD void operator()(const BiCgSums& n) const {
    then(n.r);
    if (then.control->status == Status::running && (c->rho == 0 || c->pq == 0))
      then.control->status = Status::breakdown;
    if (rho_known) BiCgRho{c}(Sum<1>{{n.rho}});
  }
};

template <class B, class T>
class BiCg final : public SolveLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  BiCg(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : SolveLoop<B, T>(backend, A.extent(), options),
        r_(backend, A.extent()),
        p_(backend, A.extent()),
        q_(backend, A.extent()),
        shadow_r_(backend, A.extent()),
        shadow_p_(backend, A.extent()),
        shadow_q_(backend, A.extent()),
        z_(options.preconditioned() ? Vector(backend, A.extent()) : Vector()),
        shadow_z_(options.preconditioned() ? Vector(backend, A.extent()) : Vector()),
        c_(backend, 1),
        sums_(backend, 1),
        rho_(backend, 1) {}

  Vector* residual() override { return &r_; }

  void start(const Operator<B, T>&, Preconditioner<B, T>*, Vector&) override {
    BiCgScalars* c = c_.data();
    const Norms* first = this->first_norms();
    this->be_.map(
        "r' = r, p = p' = 0", this->extent_,
        [] KERNEL(const T& r, T& shadow_r, T& p, T& shadow_p) {
          shadow_r = r;
          p = shadow_p = 0;
        },
        r_.in(), shadow_r_.out(), p_.out(), shadow_p_.out());
    this->be_.once("rho = <r', r>", [=] KERNEL() {
      c->rho = first->squares;
      c->beta = 0;
    });
  }

  void step(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector&, Vector& x) override {
    BiCgScalars* c = c_.data();
    const Extent& n = this->extent_;
    if (M) {
      M->solve(r_, z_, &c->unused);                               // z = M^-1 r
      M->apply_transposed(shadow_r_, shadow_z_, &c->unused, {});  // z' = M'^-1 r'
      this->be_.map_sum(
          "<r', z>", n, rho_.data(),
          [] KERNEL(const T& shadow_r, const T& z) { return Sum<1>{{double(shadow_r) * z}}; }, BiCgRho{c},
          shadow_r_.in(), z_.in());
    }
    this->be_.map(
        "p = z + beta p, p' = z' + beta p'", n,
        [=] KERNEL(const T& z, const T& shadow_z, T& p, T& shadow_p) {
          const T beta = T(c->beta);
          p = std::fma(beta, p, z);
          shadow_p = std::fma(beta, shadow_p, shadow_z);
        },
        (M ? z_ : r_).in(), (M ? shadow_z_ : shadow_r_).in(), p_.inout(), shadow_p_.inout());
    A.apply(p_, q_, {shadow_p_.data(), &c->pq, nullptr});  // q = A p, <p', q>
    A.apply_transposed(shadow_p_, shadow_q_);              // q' = A' p'
    this->be_.once("alpha", [=] KERNEL() { Quotient{&c->rho, &c->pq, &c->alpha}(); });
    this->be_.map_sum(
        "x += alpha p, r -= alpha q, r' -= alpha q', |r|, <r', r>", n, sums_.data(),
        [=] KERNEL(const T& p, const T& q, const T& shadow_q, T& xi, T& r, T& shadow_r) {
          const T alpha = T(c->alpha);
          xi = std::fma(alpha, p, xi);
          r = std::fma(-alpha, q, r);
          shadow_r = std::fma(-alpha, shadow_q, shadow_r);
          return BiCgSums{Norms::of(r), double(shadow_r) * r};
        },
        BiCgRecorded{this->recorded(), c, !M}, p_.in(), q_.in(), shadow_q_.in(), x.inout(), r_.inout(),
        shadow_r_.inout());
  }

 private:
  Vector r_, p_, q_, shadow_r_, shadow_p_, shadow_q_, z_, shadow_z_;
  Buffer<B, BiCgScalars> c_;
  Buffer<B, BiCgSums> sums_;
  Buffer<B, Sum<1>> rho_;
};

}  // namespace wavesim
