#pragma once
// min |b - A x| for any A, of m rows and n columns or square and singular: what lsqr and lsmr share. Golub & Kahan's
// bidiagonalisation (Paige & Saunders 1982, section 3): beta u = A M^-1 v - alpha u, alpha v = (A M^-1)' u - beta v. The
// preconditioner M is on the right, so that the residual is that of b - A x.
//
// A solve ends where |r| meets the tolerance, as b lies in the range of A, or where |A' r| <= tolerance |A| |r|, as x is the
// least squares solution. |A| is the Frobenius norm itself, which the papers estimate. The wave system is not
// singular: there |r| alone decides.
//
// u and v lie in memory as they come out of their passes, times beta and alpha: a product costs no pass that
// scales. The largest component of the residual is not known: it is taken to be as large as the norm, which it
// cannot exceed.

#include <cmath>

#include "solvers/core/solve_loop.hpp"

namespace wavesim {

/// alpha and beta, and what the passes take from them.
struct Bidiagonal {
  double alpha, beta;
  double by_alpha, by_beta;  // 0 for 1 / 0: the vector is zero, and ends the process
  double u_keep, v_keep;     // u = A v + u_keep u, v = A' u + v_keep v, in memory
  double length;             // |M' v| alpha

  HD static double inverse(double a) { return a > 0 ? 1 / a : 0; }
  HD void have_u(double squares) {
    beta = std::sqrt(squares);
    by_beta = inverse(beta);
    v_keep = -beta * by_alpha;
  }
  HD void have_v(double squares, double squares_of_t) {
    alpha = std::sqrt(squares);
    by_alpha = inverse(alpha);
    u_keep = -alpha * by_beta;
    length = std::sqrt(squares_of_t);
  }
};

template <class Recurrence>
struct LeastSquaresScalars {
  Bidiagonal b;
  Recurrence recurrence;
  double unused;
};
/// The next u or v, of the product q with A or A'.
template <class Recurrence>
struct NextU {
  const LeastSquaresScalars<Recurrence>* c;
  template <class T>
  HD Sum<2> operator()(const T& q, T& u) const {
    u = std::fma(T(c->b.by_alpha), q, T(c->b.u_keep) * u);
    return Sum<2>{{double(u) * u, 0}};
  }
};
template <class Recurrence>
struct NextV {
  const LeastSquaresScalars<Recurrence>* c;
  template <class T>
  HD Sum<2> operator()(const T& q, T& v) const {
    v = std::fma(T(c->b.by_beta), q, T(c->b.v_keep) * v);
    return Sum<2>{{double(v) * v, double(v) * v}};
  }
};
template <class Recurrence>
struct HaveU {
  LeastSquaresScalars<Recurrence>* c;
  HD void operator()(const Sum<2>& s) const { c->b.have_u(s.v[0]); }
};
template <class Recurrence>
struct HaveV {
  LeastSquaresScalars<Recurrence>* c;
  bool rotates;
  HD void operator()(const Sum<2>& s) const {
    c->b.have_v(s.v[0], s.v[1]);
    if (rotates) c->recurrence.rotate(c->b);
  }
};
/// The end of a step. `of_g`: A' r is a multiple of g, whose squares were summed.
template <class Recurrence>
struct LeastSquaresRecorded {
  Epilogue then;
  const LeastSquaresScalars<Recurrence>* c;
  bool of_g;
  HD void operator()(const Sum<2>& squares) const {
    const Recurrence& w = c->recurrence;
    const double r = w.residual();
    then(Norms{r * r, r});
    then.control->look_at(of_g ? w.of_g() * std::sqrt(squares.v[0]) : w.gradient(c->b));
    if (then.control->status == Status::running && w.broken) then.control->status = Status::breakdown;
  }
};

/// `Recurrence` is of scalars: begin(Bidiagonal) with u and v of the first step, rotate(Bidiagonal) with those of the
/// next one, residual() = |r|, gradient(Bidiagonal) = |A' r| for M = I, x += step h (or h_bar), h = v + keep h. Where it is
/// `minimal` in |A' r|, x goes along h_bar = h + bar_keep h_bar instead, and A' r along g = gradient_keep g + gradient_add M' v.
template <class B, class T, class Recurrence>
class LeastSquares final : public SolveLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  using Scalars = LeastSquaresScalars<Recurrence>;
  static constexpr bool minimal = Recurrence::minimal;

  LeastSquares(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : SolveLoop<B, T>(backend, A.extent(), options),
        tolerance_(options.tolerance),
        u_(backend, A.extent()),
        v_(backend, A.extent()),
        q_(backend, A.extent()),
        h_(backend, A.extent()),
        bar_(minimal ? Vector(backend, A.extent()) : Vector()),
        z_(options.preconditioned() ? Vector(backend, A.extent()) : Vector()),
        t_(options.preconditioned() ? Vector(backend, A.extent()) : Vector()),
        g_(minimal && options.preconditioned() ? Vector(backend, A.extent()) : Vector()),
        c_(backend, 1),
        sums_(backend, 1),
        norms_(backend, 1),
        gradient_(backend, 1) {}

  Vector* residual() override { return &u_; }

  void start(const Operator<B, T>& A, Preconditioner<B, T>* M, Vector&) override {
    Scalars* c = c_.data();
    const Norms* first = this->first_norms();
    B& be = this->be_;
    be.once("beta = |r|", [=] KERNEL() {
      c->b = {};
      c->b.have_u(first->squares);
    });
    this->be_.map(
        "v = 0", this->extent_, [] KERNEL(T & v) { v = 0; }, (M ? t_ : v_).out());
    next_v(A, M, false);
    IterationState* control = this->control_.data();
    be.once("the first rotation", [=] KERNEL() {
      c->recurrence.begin(c->b);
      control->look_at(c->b.beta * c->b.length);
    });
    const Extent n = this->extent_;
    if constexpr (minimal) {
      be.map(
          "h = v, h_bar = 0", n,
          [=] KERNEL(const T& v, T& h, T& bar) {
            h = v * T(c->b.by_alpha);
            bar = 0;
          },
          (M ? z_ : v_).in(), h_.out(), bar_.out());
      if (M)
        be.map(
            "g = M' v", n, [=] KERNEL(const T& t, T& g) { g = t * T(c->b.by_alpha); }, t_.in(), g_.out());
    } else {
      be.map(
          "h = v", n, [=] KERNEL(const T& v, T& h) { h = v * T(c->b.by_alpha); }, (M ? z_ : v_).in(),
          h_.out());
    }
  }

  void step(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector&, Vector& x) override {
    Scalars* c = c_.data();
    A.apply(M ? z_ : v_, q_);
    this->be_.map_sum("u = A v - alpha u, |u|", this->extent_, sums_.data(), NextU<Recurrence>{c},
                      HaveU<Recurrence>{c}, q_.in(), u_.inout());
    next_v(A, M, true);
    move(M, x);
  }

  // Public for nvcc, which takes kernels from public members only.
  /// v = (A M^-1)' u - beta v and alpha; with M t = M' v and z = M^-1 v as well. Then the rotation, if wanted.
  void next_v(const Operator<B, T>& A, Preconditioner<B, T>* M, bool rotates) {
    Scalars* c = c_.data();
    const Extent n = this->extent_;
    A.apply_transposed(u_, q_);
    const HaveV<Recurrence> then{c, rotates};
    const NextV<Recurrence> next{c};  // in place of what the vector holds: zeros at the start
    if (!M) {
      this->be_.map_sum("v = A' u - beta v, |v|", n, sums_.data(), next, then, q_.in(), v_.inout());
      return;
    }
    this->be_.map(
        "t = A' u - beta t", n, [=] KERNEL(const T& q, T& t) { next(q, t); }, q_.in(), t_.inout());
    M->apply_transposed(t_, v_, &c->unused, {});
    this->be_.map_sum(
        "|v|, |t|", n, sums_.data(),
        [] KERNEL(const T& v, const T& t) {
          return Sum<2>{{double(v) * v, double(t) * t}};
        },
        then, v_.in(), t_.in());
    M->solve(v_, z_, &c->unused);
  }
  /// The step of x and the next h; then the norms of the residual are recorded.
  void move(Preconditioner<B, T>* M, Vector& x) {
    const Scalars* c = c_.data();
    const Recurrence* w = &c_.data()->recurrence;
    const Extent n = this->extent_;
    B& be = this->be_;
    const Vector& z = M ? z_ : v_;
    if constexpr (minimal) {
      be.map(
          "h_bar = h + keep h_bar, x += step h_bar, h = v + keep h", n,
          [=] KERNEL(const T& z, T& h, T& bar, T& xi) {
            bar = std::fma(T(w->bar_keep), bar, h);
            xi = std::fma(T(w->step), bar, xi);
            h = std::fma(T(w->keep), h, z * T(c->b.by_alpha));
          },
          z.in(), h_.inout(), bar_.inout(), x.inout());
      if (M) {
        be.map_sum(
            "g = keep g + add M' v, |g|", n, sums_.data(),
            [=] KERNEL(const T& t, T& g) {
              g = std::fma(T(w->gradient_keep), g, t * T(w->gradient_add * c->b.by_alpha));
              return Sum<2>{{double(g) * g, 0}};
            },
            LeastSquaresRecorded<Recurrence>{this->recorded(), c, true}, t_.in(), g_.inout());
        return;
      }
    } else {
      be.map(
          "x += step h, h = v + keep h", n,
          [=] KERNEL(const T& z, T& h, T& xi) {
            xi = std::fma(T(w->step), h, xi);
            h = std::fma(T(w->keep), h, z * T(c->b.by_alpha));
          },
          z.in(), h_.inout(), x.inout());
    }
    const LeastSquaresRecorded<Recurrence> then{this->recorded(), c, false};
    be.once("|r|, |A' r|", [=] KERNEL() { then(Sum<2>{{1, 0}}); });
  }

  void set_up(const Operator<B, T>& A) override {
    IterationState* control = this->control_.data();
    if (A.facts().structure != Structure::any) return;
    A.column_squares(q_);
    const double tolerance = tolerance_;
    this->be_.map_sum(
        "|A|", this->extent_, sums_.data(),
        [] KERNEL(const T& s) {
          return Sum<2>{{double(s), 0}};
        },
        [=] KERNEL(const Sum<2>& s) { control->gradient_goal = tolerance * std::sqrt(s.v[0]); }, q_.in());
  }
  /// u and q are free then: a start makes them anew.
  void verify(const Operator<B, T>& A, const Vector& b, const Vector& x) override {
    IterationState* control = this->control_.data();
    const Norms* norms = norms_.data();
    const double* squares = gradient_.data();
    A.residual(b, x, &u_, norms_.data());
    A.apply_transposed(u_, q_, {nullptr, nullptr, gradient_.data()});
    this->be_.once("the true residual", [=] KERNEL() { control->verify(*norms, std::sqrt(*squares)); });
  }

 private:
  double tolerance_;
  Vector u_, v_, q_, h_, bar_, z_, t_, g_;
  Buffer<B, Scalars> c_;
  Buffer<B, Sum<2>> sums_;
  Buffer<B, Norms> norms_;
  Buffer<B, double> gradient_;
};

}  // namespace wavesim
