#pragma once
// MINRES for symmetric A, which may be indefinite (Paige & Saunders 1975; with a preconditioner: Elman, Silvester &
// Wathen 2014, Algorithm 4.1): the least residual over the Krylov space, from the Lanczos vectors v_j and
// z_j = M^-1 v_j, gamma_j^2 = <z_j, v_j>, by Givens rotations (c, s) of their tridiagonal matrix. The residual itself follows
// as r_j = s^2 r_(j-1) + c eta v_(j+1) / gamma_(j+1), with eta that of the next iteration (Choi 2006, section 2.2.2).

#include <limits>

#include "solvers/core/solve_loop.hpp"

namespace wavesim {

struct MinresScalars {
  double zv;                   // <z, v> of the newest Lanczos vector
  double zAz;                  // <z, A z>
  double gamma, gamma_before;  // of v, and of the one before it
  double c, s, c_before, s_before;
  double eta;
  double now, before;             // v_new = A z / gamma - now v - before v_before
  double scale, w_now, w_before;  // w_new = scale z - w_now w - w_before w_before
  double step, keep, add;         // x += step w_new, r = keep r + add v_new
  int broken;                     // a denominator is zero, or M is not positive definite

  HD void begin() {
    gamma = zv > 0 ? std::sqrt(zv) : 0;
    gamma_before = s = s_before = 0;
    c = c_before = 1;
    eta = gamma;
    broken = !(zv > 0);
  }
  /// <z, A z> is known.
  HD void orthogonalise() {
    const double delta = zAz / (gamma * gamma);
    now = delta / gamma;
    before = gamma_before != 0 ? gamma / gamma_before : 0;
  }
  /// <z, v> of the next vector is known: the next rotation. A vector that is all `rounding` is none: the space has no more.
  HD void rotate(double rounding) {
    const double delta = now * gamma, least = rounding * (std::fabs(delta) + gamma);
    const double next = zv > least * least ? std::sqrt(zv) : 0;
    const double first = c * delta - c_before * s * gamma;  // on the diagonal
    const double diagonal = std::sqrt(first * first + next * next);
    const double above = s * delta + c_before * c * gamma, above_that = s_before * gamma;
    broken = zv < 0 || !(diagonal > least);
    if (broken) {  // x and r stay
      scale = w_now = w_before = step = add = 0;
      keep = 1;
      return;
    }
    const double over = 1 / diagonal;
    scale = over / gamma, w_now = above * over, w_before = above_that * over;
    c_before = c, s_before = s;
    c = first * over, s = next * over;
    step = c * eta;
    eta = -s * eta;
    keep = s * s;
    add = next > 0 ? c * eta / next : 0;
    gamma_before = gamma, gamma = next;
  }
};
/// <v, v> of a new vector, which is <z, v> without a preconditioner.
struct MinresLanczos {
  MinresScalars* c;
  HD void operator()(const Sum<1>& s) const { c->zv = s.v[0]; }
};
struct MinresRecorded {
  Epilogue then;
  const MinresScalars* c;
  HD void operator()(const Norms& r) const {
    then(r);
    if (then.control->status == Status::running && (c->broken || c->gamma == 0))
      then.control->status = Status::breakdown;
  }
};

template <class B, class T>
class Minres final : public SolveLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  Minres(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : SolveLoop<B, T>(backend, A.extent(), options),
        r_(backend, A.extent()),
        a_(backend, A.extent()),
        v_{Vector(backend, A.extent()), Vector(backend, A.extent())},
        w_{Vector(backend, A.extent()), Vector(backend, A.extent())},
        z_{options.preconditioned() ? Vector(backend, A.extent()) : Vector(),
           options.preconditioned() ? Vector(backend, A.extent()) : Vector()},
        c_(backend, 1),
        one_(backend, 1) {}

  Vector* residual() override { return &r_; }

  void start(const Operator<B, T>&, Preconditioner<B, T>* M, Vector&) override {
    k_ = 0;
    MinresScalars* c = c_.data();
    const Norms* first = this->first_norms();
    this->be_.map(
        "v = r, v_before = w = w_before = 0", this->extent_,
        [] KERNEL(const T& r, T& v, T& v_before, T& w, T& w_before) {
          v = r;
          v_before = w = w_before = 0;
        },
        r_.in(), v_[0].out(), v_[1].out(), w_[0].out(), w_[1].out());
    if (M) M->apply(v_[0], z_[0], &c->zv);  // z = M^-1 v, <z, v>
    const bool preconditioned = M;
    this->be_.once("gamma = eta = sqrt <z, v>", [=] KERNEL() {
      if (!preconditioned) c->zv = first->squares;
      c->begin();
    });
  }

  void step(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector&, Vector& x) override {
    MinresScalars* c = c_.data();
    const Extent& n = this->extent_;
    const int now = k_ & 1, next = now ^ 1;
    B& be = this->be_;
    Vector &v = v_[now], &v_new = v_[next], &w = w_[now],
           &w_new = w_[next];  // the new ones take the place of the last but one
    const Vector& z = M ? z_[now] : v;

    A.apply(z, a_, {z.data(), &c->zAz, nullptr});
    be.once("delta", [=] KERNEL() { c->orthogonalise(); });
    be.map_sum(
        "v_new = A z / gamma - delta / gamma v - gamma / gamma_before v_before, <v_new, v_new>", n,
        one_.data(),
        [=] KERNEL(const T& a, const T& v, T& to) {
          to = std::fma(T(-c->now), v, std::fma(T(-c->before), to, a * T(1 / c->gamma)));
          return Sum<1>{{double(to) * to}};
        },
        MinresLanczos{c}, a_.in(), v.in(), v_new.inout());
    if (M) M->apply(v_new, z_[next], &c->zv);  // z_new = M^-1 v_new, <z_new, v_new>
    be.once("the next rotation", [=] KERNEL() { c->rotate(4 * double(std::numeric_limits<T>::epsilon())); });
    be.map_sum(
        "w_new = (z / gamma - alpha2 w - alpha3 w_before) / alpha1, x += c eta w_new, r, |r|", n, sum(),
        [=] KERNEL(const T& z, const T& w, const T& v_new, T& w_new, T& xi, T& r) {
          w_new = std::fma(T(c->scale), z, std::fma(T(-c->w_now), w, T(-c->w_before) * w_new));
          xi = std::fma(T(c->step), w_new, xi);
          r = std::fma(T(c->keep), r, T(c->add) * v_new);
          return Norms::of(r);
        },
        MinresRecorded{this->recorded(), c}, z.in(), w.in(), v_new.in(), w_new.inout(), x.inout(),
        r_.inout());
    ++k_;
  }
  int repeats_after() const override { return 2; }  // vectors take turns

 private:
  Norms* sum() { return norms_.data(); }

  Vector r_, a_, v_[2], w_[2], z_[2];
  Buffer<B, MinresScalars> c_;
  Buffer<B, Sum<1>> one_;
  Buffer<B, Norms> norms_{this->be_, 1};
  int k_ = 0;
};

}  // namespace wavesim
