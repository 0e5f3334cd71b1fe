#pragma once
// Pipelined conjugate gradients for symmetric positive definite A, with or without a preconditioner (Ghysels
// & Vanroose 2014, Algorithms 3 and 4): one reduction an iteration, fused with every update of a vector. It
// keeps w = A u, s = A p, q = M^-1 s and z = A q by recurrences, so rounding makes the recurrence
// deviate from the true residual earlier than in CG; therefore they are computed anew every 50th iteration, as
// there in section 5. As in CG, an iteration has one product with A.

#include "solvers/core/solve_loop.hpp"

namespace wavesim {

struct PipelinedCgScalars {
  double gamma, gamma_before;  // <r, u>
  double delta;                // <w, u>
  double curvature;            // <p, A p> = delta - beta gamma / alpha, before p is known
  double ps;                   // and after
  double alpha, alpha_before, beta;
  double doubted_at;  // <r, r> when the recurrences were last given up
  double unused;

  HD void next() {
    beta = gamma_before != 0 ? gamma / gamma_before : 0;
    curvature = alpha_before != 0 ? delta - beta * gamma / alpha_before : delta;
    alpha = curvature != 0 ? gamma / curvature : 0;
  }
};
/// The sums of an iteration.
struct PipelinedCgSums {
  Norms r;
  double gamma = 0, delta = 0, ps = 0;
  HD void join(const PipelinedCgSums& o) {
    r.join(o.r);
    gamma += o.gamma;
    delta += o.delta;
    ps += o.ps;
  }
  HD void join(const PipelinedCgSums& o, PipelinedCgSums& lost) {
    r.join(o.r, lost.r);
    gamma = two_sum(gamma, o.gamma, lost.gamma);
    delta = two_sum(delta, o.delta, lost.delta);
    ps = two_sum(ps, o.ps, lost.ps);
  }
};
struct PipelinedCgFirst {
  PipelinedCgScalars* c;
  const IterationState* control;
  const Norms* r;  // where u is r
  HD void operator()() const {
    if (r) c->gamma = r->squares;
    if (control->iteration == 0) c->doubted_at = 0;
    c->gamma_before = c->alpha_before = 0;
    c->next();
  }
};
/// After the replacement, beta = -<u, s> / <p, s>: the last direction and the new residual no longer
/// satisfy the relation by gamma and alpha.
struct PipelinedCgReplaced {
  PipelinedCgScalars* c;
  const Norms* r;  // where u is r
  HD void operator()(const Sum<2>& sums) const {
    if (r) c->gamma = r->squares;
    const double us = sums.v[0], ps = sums.v[1];
    c->beta = ps != 0 ? -us / ps : 0;
    c->curvature = c->delta + c->beta * us;
    if (!(c->curvature > 0)) {
      c->beta = 0;
      c->curvature = c->delta;
    }
    c->alpha = c->curvature != 0 ? c->gamma / c->curvature : 0;
  }
};
struct PipelinedCgNext {
  Epilogue then;
  PipelinedCgScalars* c;
  HD void operator()(const PipelinedCgSums& n) const {
    const bool doubtful = !(c->curvature > 0);  // of the step that was taken
    c->ps = n.ps;
    then(n.r);
    c->gamma_before = c->gamma;
    c->alpha_before = c->alpha;
    c->gamma = n.gamma;
    c->delta = n.delta;
    c->next();
    // A curvature that is not positive comes from the matrix or from rounding in the recurrences. The
    // recurrences start again from the true residual. If the residual has not fallen since the last restart,
    // the step is taken, and <p, s> decides.
    Status& status = then.control->status;
    if (status != Status::running) return;
    if (doubtful) {
      status = Status::stagnated;
    } else if (!(c->curvature > 0) && (c->doubted_at == 0 || n.r.squares < 0.25 * c->doubted_at)) {
      c->doubted_at = n.r.squares;
      status = Status::drifted;
    }
  }
};

template <class B, class T>
class PipelinedCg final : public SolveLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  PipelinedCg(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : SolveLoop<B, T>(backend, A.extent(), options),
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
        norms_(backend, 1),
        products_(backend, 1),
        sums_(backend, 1) {}

  Vector* residual() override { return &r_; }

  void start(const Operator<B, T>& A, Preconditioner<B, T>* M, Vector&) override {
    times_r(A, M);
    this->be_.once("alpha",
                   PipelinedCgFirst{c_.data(), this->control_.data(), M ? nullptr : this->first_norms()});
    k_ = 0;
  }

  void step(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector& b, Vector& x) override {
    PipelinedCgScalars* c = c_.data();
    const bool first = k_ == 0;
    if (!first && k_ % 50 == 0) replace(A, M, b, x);
    ++k_;
    const PipelinedCgNext next{this->recorded(&c->ps), c};
    if (!M) {  // u is r, q is s, m is w
      A.apply(w_, n_);
      this->be_.map_sum(
          "all updates, |r|, <w, r>, <p, s>", this->extent_, sums_.data(),
          [=] KERNEL(const T& n, T& z, T& s, T& p, T& xi, T& r, T& w) {
            const T alpha = T(c->alpha), beta = T(c->beta);
            z = first ? n : std::fma(beta, z, n);
            s = first ? w : std::fma(beta, s, w);
            p = first ? r : std::fma(beta, p, r);
            xi = std::fma(alpha, p, xi);
            r = std::fma(-alpha, s, r);
            w = std::fma(-alpha, z, w);
            return PipelinedCgSums{Norms::of(r), double(r) * r, double(w) * r, double(p) * s};
          },
          next, n_.in(), z_.inout(), s_.inout(), p_.inout(), x.inout(), r_.inout(), w_.inout());
      return;
    }
    M->solve(w_, m_, &c->unused);  // m = M^-1 w
    A.apply(m_, n_);               // n = A m
    this->be_.map_sum(
        "all updates, |r|, <r, u>, <w, u>, <p, s>", this->extent_, sums_.data(),
        [=] KERNEL(const T& n, const T& m, T& z, T& q, T& s, T& p, T& xi, T& r, T& u, T& w) {
          const T alpha = T(c->alpha), beta = T(c->beta);
          z = first ? n : std::fma(beta, z, n);
          q = first ? m : std::fma(beta, q, m);
          s = first ? w : std::fma(beta, s, w);
          p = first ? u : std::fma(beta, p, u);
          xi = std::fma(alpha, p, xi);
          r = std::fma(-alpha, s, r);
          u = std::fma(-alpha, q, u);
          w = std::fma(-alpha, z, w);
          return PipelinedCgSums{Norms::of(r), double(r) * u, double(w) * u, double(p) * s};
        },
        next, n_.in(), m_.in(), z_.inout(), q_.inout(), s_.inout(), p_.inout(), x.inout(), r_.inout(),
        u_.inout(), w_.inout());
  }

  /// Residual replacement: computes the vectors of recurrences from x and p. Public, as nvcc requires it.
  void replace(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector& b, const Vector& x) {
    A.residual(b, x, &r_, norms_.data());
    times_r(A, M);
    A.apply(p_, s_);
    if (M) M->solve(s_, q_, &c_.data()->unused);
    A.apply(M ? q_ : s_, z_);
    this->be_.map_sum(
        "<u, s>, <p, s>", this->extent_, products_.data(),
        [] KERNEL(const T& u, const T& p, const T& s) {
          return Sum<2>{{double(u) * s, double(p) * s}};
        },
        PipelinedCgReplaced{c_.data(), M ? nullptr : norms_.data()}, (M ? u_ : r_).in(), p_.in(), s_.in());
  }

 private:
  /// u = M^-1 r, w = A u, with their products.
  void times_r(const Operator<B, T>& A, Preconditioner<B, T>* M) {
    PipelinedCgScalars* c = c_.data();
    if (M) M->apply(r_, u_, &c->gamma);
    const Vector& u = M ? u_ : r_;
    A.apply(u, w_, {u.data(), &c->delta, nullptr});
  }
  Vector r_, w_, n_, z_, s_, p_, u_, m_, q_;
  Buffer<B, PipelinedCgScalars> c_;
  Buffer<B, Norms> norms_;
  Buffer<B, Sum<2>> products_;
  Buffer<B, PipelinedCgSums> sums_;
  int k_ = 0;
};

}  // namespace wavesim
