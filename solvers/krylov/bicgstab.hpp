#pragma once
// BiCGStab for any non-singular A (van der Vorst 1992), right-preconditioned, so that its residual is the
// true one. Where <r0, r> or omega are nothing but rounding it starts again from the true residual, with that
// as its r0 (Sleijpen & van der Vorst, "Maintaining convergence properties of BiCGstab methods in finite
// precision arithmetic", Numerical Algorithms 10, 1995).

#include <limits>

#include "solvers/core/solve_loop.hpp"

namespace wavesim {

struct BiCgStabScalars {
  double rho, rho_before;  // <r0, r>
  double first;            // <r0, r0>
  double r0v;              // <r0, v>
  double ts, tt;           // <t, s>, <t, t>
  double alpha, omega;
  double unused;
};
/// Norms of r and <r0, r>, in one reduction.
struct NormsAndRho {
  Norms r;
  double rho = 0;
  HD void join(const NormsAndRho& o) {
    r.join(o.r);
    rho += o.rho;
  }
  HD void join(const NormsAndRho& o, NormsAndRho& lost) {
    r.join(o.r, lost.r);
    rho = two_sum(rho, o.rho, lost.rho);
  }
};
struct BiCgStabRecorded {
  Epilogue then;
  BiCgStabScalars* c;
  double rounding;  // of a number of the vectors

  /// |<r0, r>| or |<t, s>| are below the rounding of one of their terms.
  HD bool breaks_down(double squares) const {
    const double negligible = rounding * rounding;
    const double s_squares = squares + c->ts * c->omega;  // r = s - omega t is orthogonal to t
    return !(c->rho * c->rho > negligible * c->first * squares) ||
           !(c->ts * c->ts > negligible * c->tt * s_squares);
  }
  HD void operator()(const NormsAndRho& n) const {
    c->rho_before = c->rho;
    c->rho = n.rho;
    then(n.r);
    if (then.control->status != Status::running || !breaks_down(n.r.squares)) return;
    // Without an iteration that led somewhere another start would be the same again.
    const bool went_on = then.control->steps > 1 || n.r.squares != c->first;
    then.control->status = went_on ? Status::restarting : Status::breakdown;
  }
};
struct BiCgStabBegin {
  BiCgStabScalars* c;
  const Norms* first;
  HD void operator()() const {
    c->rho = c->first = first->squares;
    c->rho_before = c->alpha = c->omega = 0;
  }
};

template <class B, class T>
class BiCgStab final : public SolveLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  BiCgStab(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : SolveLoop<B, T>(backend, A.extent(), options),
        r_(backend, A.extent()),
        shadow_(backend, A.extent()),
        p_(backend, A.extent()),
        v_(backend, A.extent()),
        s_(backend, A.extent()),
        t_(backend, A.extent()),
        mp_(options.preconditioned() ? Vector(backend, A.extent()) : Vector()),
        ms_(options.preconditioned() ? Vector(backend, A.extent()) : Vector()),
        c_(backend, 1) {}

  Vector* residual() override { return &r_; }

  void start(const Operator<B, T>&, Preconditioner<B, T>*, Vector&) override {
    this->be_.map(
        "r0 = r, p = 0, v = 0", this->extent_,
        [] KERNEL(const T& r, T& r0, T& p, T& v) {
          r0 = r;
          p = 0;
          v = 0;
        },
        r_.in(), shadow_.out(), p_.out(), v_.out());
    this->be_.once("rho = <r0, r>", BiCgStabBegin{c_.data(), this->first_norms()});
  }

  void step(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector&, Vector& x) override {
    BiCgStabScalars* c = c_.data();
    const Extent& n = this->extent_;
    B& be = this->be_;

    be.map(
        "p = r + beta (p - omega v)", n,
        [c] KERNEL(const T& r, const T& v, T& p) {
          // beta = rho / rho_before * alpha / omega; 0 in the first step
          const double beta =
              c->rho_before != 0 && c->omega != 0 ? c->rho / c->rho_before * (c->alpha / c->omega) : 0;
          p = std::fma(T(beta), std::fma(T(-c->omega), v, p), r);
        },
        r_.in(), v_.in(), p_.inout());
    const Vector& mp = preconditioned(M, p_, mp_);
    A.apply(mp, v_, {shadow_.data(), &c->r0v, nullptr});  // v = A M^-1 p, <r0, v>
    be.map(
        "s = r - alpha v", n,
        [c] KERNEL(const T& r, const T& v, T& s) {
          const double alpha = c->r0v != 0 ? c->rho / c->r0v : 0;
          s = std::fma(T(-alpha), v, r);
        },
        r_.in(), v_.in(), s_.out());
    const Vector& ms = preconditioned(M, s_, ms_);
    A.apply(ms, t_, {s_.data(), &c->ts, &c->tt});  // t = A M^-1 s, <s, t>, <t, t>
    be.once("alpha, omega", [c] KERNEL() {
      c->alpha = c->r0v != 0 ? c->rho / c->r0v : 0;
      c->omega = c->tt != 0 ? c->ts / c->tt : 0;
    });
    be.map_sum(
        "x += alpha p + omega s, r = s - omega t, |r|, <r0, r>", n, sum(),
        [c] KERNEL(const T& p, const T& s_hat, const T& s, const T& t, const T& r0, T& xi, T& r) {
          const T alpha = T(c->alpha), omega = T(c->omega);
          xi = std::fma(alpha, p, std::fma(omega, s_hat, xi));
          r = std::fma(-omega, t, s);
          return NormsAndRho{Norms::of(r), double(r0) * r};
        },
        BiCgStabRecorded{this->recorded(), c, std::numeric_limits<T>::epsilon()}, mp.in(), ms.in(), s_.in(),
        t_.in(), shadow_.in(), x.inout(), r_.out());
  }
  int repeats_after() const override { return 1; }

 private:
  const Vector& preconditioned(Preconditioner<B, T>* M, const Vector& r, Vector& z) {
    if (!M) return r;
    M->apply(r, z, &c_.data()->unused);
    return z;
  }
  NormsAndRho* sum() { return sum_.data(); }

  Vector r_, shadow_, p_, v_, s_, t_, mp_, ms_;
  Buffer<B, BiCgStabScalars> c_;
  Buffer<B, NormsAndRho> sum_{this->be_, 1};
};

}  // namespace wavesim
