#pragma once
// Pipelined conjugate gradients for symmetric positive definite A, with or without a preconditioner (Ghysels &
// Vanroose 2014, Algorithms 3 and 4): one reduction an iteration, fused with every update of a vector. It
// keeps w = A u, s = A p and z = A q by recurrences, so rounding parts the recurrence from the true residual
// earlier than in CG. Its iterations are those of CG: one product with A each.

#include "solvers/solver.hpp"

namespace wavesim {

struct PipelinedCgScalars {
  double gamma;      // <r, u>
  double delta;      // <w, u>
  double curvature;  // <p, A p> = delta - beta gamma / alpha
  double alpha, beta;
  double unused;
};
/// All that an iteration sums up.
struct PipelinedCgSums {
  Norms r;
  double gamma = 0, delta = 0;
  HD void join(const PipelinedCgSums& o) {
    r.join(o.r);
    gamma += o.gamma;
    delta += o.delta;
  }
};
struct PipelinedCgFirst {
  PipelinedCgScalars* c;
  const Norms* r;  // where u is r
  HD void operator()() const {
    if (r) c->gamma = r->squares;
    c->curvature = c->delta;
    c->alpha = c->curvature != 0 ? c->gamma / c->curvature : 0;
    c->beta = 0;
  }
};
struct PipelinedCgNext {
  Then then;
  PipelinedCgScalars* c;
  HD void operator()(const PipelinedCgSums& n) const {
    then(n.r);  // with the curvature of the step that was taken
    c->beta = c->gamma != 0 ? n.gamma / c->gamma : 0;
    c->gamma = n.gamma;
    c->curvature = c->alpha != 0 ? n.delta - c->beta * n.gamma / c->alpha : 0;
    c->alpha = c->curvature != 0 ? c->gamma / c->curvature : 0;
  }
};

template <class B, class T>
class PipelinedCg final : public Solver<B, T> {
 public:
  using Vector = Field<B, T>;
  PipelinedCg(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : Solver<B, T>(backend, A.extent(), options),
        r_(backend, A.extent()),
        w_(backend, A.extent()),
        n_(backend, A.extent()),
        z_(backend, A.extent()),
        s_(backend, A.extent()),
        p_(backend, A.extent()),
        u_(options.preconditioned() ? Vector(backend, A.extent()) : Vector()),
        m_(options.preconditioned() ? Vector(backend, A.extent()) : Vector()),
        q_(options.preconditioned() ? Vector(backend, A.extent()) : Vector()),
        c_(backend, 1),
        sums_(backend, 1) {}

  Vector* residual() override { return &r_; }

  void start(const Operator<B, T>& A, Preconditioner<B, T>* M, Vector&) override {
    PipelinedCgScalars* c = c_.data();
    if (M) M->apply(r_, u_, &c->gamma);  // u = M^-1 r
    const Vector& u = M ? u_ : r_;
    A.apply(u, w_, {u.data(), &c->delta, nullptr});  // w = A u
    this->be_.once("alpha", PipelinedCgFirst{c, M ? nullptr : this->first_norms()});
    first_ = true;
  }

  void step(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector&, Vector& x) override {
    PipelinedCgScalars* c = c_.data();
    const bool first = first_;
    first_ = false;
    const PipelinedCgNext next{this->recorded(&c->curvature), c};
    if (!M) {  // u is r, q is s, m is w
      A.apply(w_, n_);
      this->be_.map_sum(
          "all updates, |r|, <w, r>", this->extent_.count(), sums_.data(),
          [=] HD(const T& n, T& z, T& s, T& p, T& xi, T& r, T& w) {
            const T alpha = T(c->alpha), beta = T(c->beta);
            z = first ? n : std::fma(beta, z, n);
            s = first ? w : std::fma(beta, s, w);
            p = first ? r : std::fma(beta, p, r);
            xi = std::fma(alpha, p, xi);
            r = std::fma(-alpha, s, r);
            w = std::fma(-alpha, z, w);
            return PipelinedCgSums{Norms::of(r), double(r) * r, double(w) * r};
          },
          next, n_.in(), z_.inout(), s_.inout(), p_.inout(), x.inout(), r_.inout(), w_.inout());
      return;
    }
    M->solve(w_, m_, &c->unused);  // m = M^-1 w
    A.apply(m_, n_);               // n = A m
    this->be_.map_sum(
        "all updates, |r|, <r, u>, <w, u>", this->extent_.count(), sums_.data(),
        [=] HD(const T& n, const T& m, T& z, T& q, T& s, T& p, T& xi, T& r, T& u, T& w) {
          const T alpha = T(c->alpha), beta = T(c->beta);
          z = first ? n : std::fma(beta, z, n);
          q = first ? m : std::fma(beta, q, m);
          s = first ? w : std::fma(beta, s, w);
          p = first ? u : std::fma(beta, p, u);
          xi = std::fma(alpha, p, xi);
          r = std::fma(-alpha, s, r);
          u = std::fma(-alpha, q, u);
          w = std::fma(-alpha, z, w);
          return PipelinedCgSums{Norms::of(r), double(r) * u, double(w) * u};
        },
        next, n_.in(), m_.in(), z_.inout(), q_.inout(), s_.inout(), p_.inout(), x.inout(), r_.inout(),
        u_.inout(), w_.inout());
  }

 private:
  Vector r_, w_, n_, z_, s_, p_, u_, m_, q_;
  Buffer<B, PipelinedCgScalars> c_;
  Buffer<B, PipelinedCgSums> sums_;
  bool first_ = true;
};

}  // namespace wavesim
