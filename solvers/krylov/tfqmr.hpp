#pragma once
// Transpose-free QMR for any non-singular A (Freund 1993, Algorithm 5.1), right-preconditioned. It smooths
// the residuals of CGS; that of x follows from the smoothing, r_m = s_m^2 r_(m-1) + c_m^2 w_(m+1) (Zhou &
// Walker 1994), which gives both norms where Freund's bound sqrt(m + 1) tau gives one, and not sharply. An
// iteration, Freund's n, is two half-steps m with one product with A each.

#include "solvers/core/solve_loop.hpp"

namespace wavesim {

struct TfqmrScalars {
  double rho, rho_before;  // <r', w>
  double sigma;            // <r', v>
  double tau;              // quasi-residual norm
  double theta;            // |w| / tau
  double alpha, beta;
  double eta;           // x += eta d
  double weight;        // d = y + weight d, theta^2 eta / alpha of the half-step before
  double old_r, old_w;  // r = old_r r + old_w w: s^2 and c^2
  double unused;

  /// Norms of w known: the rotation of this half-step.
  HD void rotate(double ww) {
    theta = tau != 0 ? std::sqrt(ww) / tau : 0;
    const double cc = 1 / (1 + theta * theta);
    old_w = cc;
    old_r = theta * theta * cc;
    tau = tau * theta * std::sqrt(cc);
    eta = cc * alpha;
    weight = theta * theta * cc;  // eta / alpha is c^2; of the next half-step, if it has the same alpha
  }
};
struct TfqmrAlpha {
  TfqmrScalars* c;
  HD void operator()(const Sum<1>& s) const {
    const double before = c->eta;
    c->sigma = s.v[0];
    c->alpha = c->sigma != 0 ? c->rho / c->sigma : 0;
    c->weight = c->alpha != 0 ? c->theta * c->theta * before / c->alpha : 0;
  }
};
struct TfqmrOdd {
  TfqmrScalars* c;
  HD void operator()(const Sum<1>& ww) const { c->rotate(ww.v[0]); }
};
struct TfqmrEven {
  TfqmrScalars* c;
  HD void operator()(const Sum<2>& s) const {
    c->rotate(s.v[0]);
    c->rho_before = c->rho;
    c->rho = s.v[1];
    c->beta = c->rho_before != 0 ? c->rho / c->rho_before : 0;
  }
};
struct TfqmrRecorded {
  Epilogue then;
  TfqmrScalars* c;
  HD void operator()(const Norms& r) const {
    then(r);
    if (then.control->status == Status::running && (c->sigma == 0 || c->rho == 0))
      then.control->status = Status::breakdown;
  }
};

template <class B, class T>
class Tfqmr final : public SolveLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  Tfqmr(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : SolveLoop<B, T>(backend, A.extent(), options),
        r_(backend, A.extent()),
        shadow_(backend, A.extent()),
        w_(backend, A.extent()),
        y_(backend, A.extent()),
        v_(backend, A.extent()),
        a_(backend, A.extent()),
        d_(backend, A.extent()),
        z_(options.preconditioned() ? Vector(backend, A.extent()) : Vector()),
        c_(backend, 1),
        one_(backend, 1),
        two_(backend, 1),
        norms_(backend, 1) {}

  Vector* residual() override { return &r_; }

  void start(const Operator<B, T>&, Preconditioner<B, T>*, Vector&) override {
    TfqmrScalars* c = c_.data();
    const Norms* first = this->first_norms();
    this->be_.map(
        "r' = w = y = r, v = d = 0", this->extent_,
        [] KERNEL(const T& r, T& shadow, T& w, T& y, T& v, T& d) {
          shadow = w = y = r;
          v = d = 0;
        },
        r_.in(), shadow_.out(), w_.out(), y_.out(), v_.out(), d_.out());
    this->be_.once("rho = <r', r>, tau = |r|", [=] KERNEL() {
      c->rho = first->squares;
      c->tau = std::sqrt(first->squares);
      c->theta = c->eta = 0;
    });
  }

  void step(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector&, Vector& x) override {
    TfqmrScalars* c = c_.data();
    const Extent& n = this->extent_;
    B& be = this->be_;

    const Vector& z = preconditioned(M);
    A.apply(z, a_);  // a = A M^-1 y
    be.map_sum(
        "v += a, <r', v>", n, one_.data(),
        [] KERNEL(const T& a, const T& shadow, T& v) {
          v += a;
          return Sum<1>{{double(shadow) * v}};
        },
        TfqmrAlpha{c}, a_.in(), shadow_.in(), v_.inout());
    be.map_sum(
        "d = z + weight d, w -= alpha a, y -= alpha v, |w|", n, one_.data(),
        [=] KERNEL(const T& zi, const T& a, const T& v, T& d, T& w, T& y) {
          const T alpha = T(c->alpha);
          d = std::fma(T(c->weight), d, zi);
          w = std::fma(-alpha, a, w);
          y = std::fma(-alpha, v, y);
          return Sum<1>{{double(w) * w}};
        },
        TfqmrOdd{c}, z.in(), a_.in(), v_.in(), d_.inout(), w_.inout(), y_.inout());

    preconditioned(M);
    A.apply(z, a_);
    be.map_sum(
        "x += eta d, r = s^2 r + c^2 w, d = z + weight d, w -= alpha a, |w|, <r', w>", n, two_.data(),
        [=] KERNEL(const T& zi, const T& a, const T& shadow, T& xi, T& r, T& d, T& w) {
          xi = std::fma(T(c->eta), d, xi);
          r = std::fma(T(c->old_r), r, T(c->old_w) * w);
          d = std::fma(T(c->weight), d, zi);
          w = std::fma(-T(c->alpha), a, w);
          return Sum<2>{{double(w) * w, double(shadow) * w}};
        },
        TfqmrEven{c}, z.in(), a_.in(), shadow_.in(), x.inout(), r_.inout(), d_.inout(), w_.inout());
    be.map_sum(
        "x += eta d, r = s^2 r + c^2 w, y = w + beta y, v = beta (a + beta v), |r|", n, norms_.data(),
        [=] KERNEL(const T& a, const T& d, const T& w, T& xi, T& r, T& y, T& v) {
          const T beta = T(c->beta);
          xi = std::fma(T(c->eta), d, xi);
          r = std::fma(T(c->old_r), r, T(c->old_w) * w);
          y = std::fma(beta, y, w);
          v = beta * std::fma(beta, v, a);
          return Norms::of(r);
        },
        TfqmrRecorded{this->recorded(), c}, a_.in(), d_.in(), w_.in(), x.inout(), r_.inout(), y_.inout(),
        v_.inout());
  }
  int repeats_after() const override { return 1; }

 private:
  /// z = M^-1 y
  const Vector& preconditioned(Preconditioner<B, T>* M) {
    if (!M) return y_;
    M->solve(y_, z_, &c_.data()->unused);
    return z_;
  }

  Vector r_, shadow_, w_, y_, v_, a_, d_, z_;
  Buffer<B, TfqmrScalars> c_;
  Buffer<B, Sum<1>> one_;
  Buffer<B, Sum<2>> two_;
  Buffer<B, Norms> norms_;
};

}  // namespace wavesim
