#pragma once
// Quasi-minimal residuals for any non-singular A (Freund & Nachtigal 1991; coupled two-term recurrences without look-ahead,
// Freund & Nachtigal 1994; Barrett et al. 1994, Figure 2.8), right-preconditioned: M1 = I, M2 = M there. The two sides of
// the Lanczos process have a product with A and one with its transpose in each iteration, as in BiCG; x has the least
// coefficients of the residual in the basis v, which falls where that of BiCG jumps.

#include "solvers/core/solve_loop.hpp"

namespace wavesim {

/// <v, v>, <z, z>, <z, v> with z = M'^-1 w
using QmrSums = Sum<3>;

struct QmrScalars {
  double epsilon;         // <q, A p>
  double rho, xi, delta;  // |v|, |z|, <z, v> / (rho xi)
  double beta, gamma, theta, eta;
  double p_keep, q_keep;  // p = y / rho + p_keep p, q = z / xi + q_keep q
  double v_keep, w_keep;  // v = A p + v_keep v, w = A' q + w_keep w
  double d_keep;          // d = eta p + d_keep d
  int broken;
  double unused;

  HD void lanczos(const QmrSums& s) {
    rho = std::sqrt(s.v[0]), xi = std::sqrt(s.v[1]);
    delta = rho * xi != 0 ? s.v[2] / (rho * xi) : 0;
  }
  HD void begin(const QmrSums& s) {
    lanczos(s);
    p_keep = q_keep = theta = 0;
    gamma = 1, eta = -1;
    broken = delta == 0;
  }
  HD void product() {
    beta = delta != 0 ? epsilon / delta : 0;
    v_keep = rho != 0 ? -beta / rho : 0;
    w_keep = xi != 0 ? -beta / xi : 0;
  }
  HD void rotate(const QmrSums& s) {
    const double rho_before = rho, theta_before = theta, gamma_before = gamma;
    lanczos(s);
    broken = beta == 0;
    if (broken) {  // x and r stay
      eta = d_keep = p_keep = q_keep = 0;
      return;
    }
    theta = rho / (gamma_before * std::fabs(beta));
    gamma = 1 / std::sqrt(1 + theta * theta);
    eta *= -rho_before * gamma * gamma / (beta * gamma_before * gamma_before);
    d_keep = theta_before * gamma * theta_before * gamma;
    p_keep = -xi * delta / epsilon;
    q_keep = -rho * delta / epsilon;
    broken = delta == 0;
  }
};
/// The next v and w.
struct QmrNext {
  const QmrScalars* c;
  template <class T>
  HD QmrSums operator()(const T& Ap, const T& Aq, T& v, T& w) const {
    v = std::fma(T(c->v_keep), v, Ap);
    w = std::fma(T(c->w_keep), w, Aq);
    return QmrSums{{double(v) * v, double(w) * w, double(w) * v}};
  }
};
struct QmrBegin {
  QmrScalars* c;
  HD void operator()(const QmrSums& s) const { c->begin(s); }
};
struct QmrRotate {
  QmrScalars* c;
  HD void operator()(const QmrSums& s) const { c->rotate(s); }
};
struct QmrRecorded {
  Epilogue then;
  const QmrScalars* c;
  HD void operator()(const Norms& r) const {
    then(r);
    if (then.control->status == Status::running && c->broken) then.control->status = Status::breakdown;
  }
};

template <class B, class T>
class Qmr final : public SolveLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  Qmr(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : SolveLoop<B, T>(backend, A.extent(), options),
        r_(backend, A.extent()),
        v_(backend, A.extent()),
        w_(backend, A.extent()),
        p_(backend, A.extent()),
        q_(backend, A.extent()),
        Ap_(backend, A.extent()),
        Aq_(backend, A.extent()),
        d_(backend, A.extent()),
        s_(backend, A.extent()),
        y_(options.preconditioned() ? Vector(backend, A.extent()) : Vector()),
        z_(options.preconditioned() ? Vector(backend, A.extent()) : Vector()),
        c_(backend, 1),
        sums_(backend, 1),
        norms_(backend, 1) {}

  Vector* residual() override { return &r_; }

  void start(const Operator<B, T>&, Preconditioner<B, T>* M, Vector&) override {
    QmrScalars* c = c_.data();
    this->be_.map(
        "v = w = r, p = q = d = s = 0", this->extent_,
        [] KERNEL(const T& r, T& v, T& w, T& p, T& q, T& d, T& s) {
          v = w = r;
          p = q = d = s = 0;
        },
        r_.in(), v_.out(), w_.out(), p_.out(), q_.out(), d_.out(), s_.out());
    if (M) {
      precondition(*M);
      lanczos_sums(QmrBegin{c});
      return;
    }
    const Norms* first = this->first_norms();
    this->be_.once("rho, xi, delta", [=] KERNEL() {
      c->begin({{first->squares, first->squares, first->squares}});
    });
  }

  void step(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector&, Vector& x) override {
    QmrScalars* c = c_.data();
    const Extent& n = this->extent_;
    B& be = this->be_;
    be.map(
        "p = y / rho + p_keep p, q = z / xi + q_keep q", n,
        [=] KERNEL(const T& y, const T& z, T& p, T& q) {
          p = std::fma(T(c->p_keep), p, y * T(1 / c->rho));
          q = std::fma(T(c->q_keep), q, z * T(1 / c->xi));
        },
        (M ? y_ : v_).in(), (M ? z_ : w_).in(), p_.inout(), q_.inout());
    A.apply(p_, Ap_, {q_.data(), &c->epsilon, nullptr});
    A.apply_transposed(q_, Aq_);
    be.once("beta = epsilon / delta", [=] KERNEL() { c->product(); });
    const QmrNext next{c};
    if (M) {
      be.map(
          "v = A p - beta v / rho, w = A' q - beta w / xi", n,
          [=] KERNEL(const T& Ap, const T& Aq, T& v, T& w) { next(Ap, Aq, v, w); }, Ap_.in(), Aq_.in(),
          v_.inout(), w_.inout());
      precondition(*M);
      lanczos_sums(QmrRotate{c});
    } else {
      be.map_sum("v = A p - beta v / rho, w = A' q - beta w / xi, <v, v>, <w, w>, <w, v>", n, sums_.data(),
                 next, QmrRotate{c}, Ap_.in(), Aq_.in(), v_.inout(), w_.inout());
    }
    be.map_sum(
        "d = eta p + d_keep d, s = eta A p + d_keep s, x += d, r -= s, |r|", n, norms_.data(),
        [=] KERNEL(const T& p, const T& Ap, T& d, T& s, T& xi, T& r) {
          const T eta = T(c->eta), keep = T(c->d_keep);
          d = std::fma(keep, d, eta * p);
          s = std::fma(keep, s, eta * Ap);
          xi += d;
          r -= s;
          return Norms::of(r);
        },
        QmrRecorded{this->recorded(), c}, p_.in(), Ap_.in(), d_.inout(), s_.inout(), x.inout(), r_.inout());
  }

  // Public for nvcc, which takes kernels from public members only.
  /// y = M^-1 v, z = M'^-1 w
  void precondition(Preconditioner<B, T>& M) {
    M.solve(v_, y_, &c_.data()->unused);
    M.apply_transposed(w_, z_, &c_.data()->unused, {});
  }
  template <class Epilogue>
  void lanczos_sums(Epilogue then) {
    this->be_.map_sum(
        "<v, v>, <z, z>, <z, v>", this->extent_, sums_.data(),
        [] KERNEL(const T& v, const T& z) {
          return QmrSums{{double(v) * v, double(z) * z, double(z) * v}};
        },
        then, v_.in(), z_.in());
  }

 private:
  Vector r_, v_, w_, p_, q_, Ap_, Aq_, d_, s_, y_, z_;
  Buffer<B, QmrScalars> c_;
  Buffer<B, QmrSums> sums_;
  Buffer<B, Norms> norms_;
};

}  // namespace wavesim
