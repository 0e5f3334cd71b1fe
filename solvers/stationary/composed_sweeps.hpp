#pragma once
// Blocked sweeps of nine points in a varying medium (kernels/temporal/nine_point_medium.hpp) taken one by one, each a pass
// over memory: for backends that have no front for them. The same arithmetic point by point, and so the same bits.

#include <span>

#include "kernels/memory/field.hpp"
#include "kernels/temporal/nine_points_at.hpp"
#include "kernels/temporal/recurrence.hpp"
#include "solvers/core/operator.hpp"

namespace wavesim {

/// What a step's residual is relative to A times, computed where it is read.
template <class T>
struct Referred {
  const T *u, *p;
  T whole;
  HD T operator[](int i) const { return std::fma(whole, u[i], p[i]); }
};

template <class B, class T>
class ComposedSweeps {
 public:
  using Vector = Field<B, T>;
  ComposedSweeps() = default;
  ComposedSweeps(B& backend, Extent e) : be_(&backend), extent_(e), b_(backend, e) {
    for (Vector& v : x_) v = Vector(backend, e);
  }

  template <int K>
  void solve(const NinePointMedium<T>& medium, const BlockedSolve<T>& fields,
             const SweepCoefficients<T, K>& steps, Norms* norms, Epilogue then) {
    const T *before = fields.before, *x = fields.x;
    for (int s = 1; s <= K; ++s) {
      fetch_ghosts(x);
      T* to = s == K ? fields.x_to : s == K - 1 && fields.before_to ? fields.before_to : x_[s % 2].data();
      sweep(medium, fields.b, before, x, to, coefficients(steps, s), false);
      before = x, x = to;
    }
    fetch_ghosts(x);
    const T *const b = fields.b, *const last = x;
    const NinePointMedium<T> m = medium;
    be_->template rows_sum<Matrix::read>(
        "|b - A x|", Rows{extent_}, (3 + m.words(5, 1)) * sizeof(T), norms,
        [=] KERNEL(Row r) { return Norms::of(residual(m, r, b, last)); }, then);
  }

  template <int K>
  void step(const NinePointMedium<T>& medium, const BlockedThreeLevelStep<T>& fields,
            const SweepCoefficients<T, K>& steps, StepNorms* norms, Epilogue then) {
    static_assert(K % 2 == 0);
    const bool first = fields.from_zero();
    right_hand_side(medium, fields);
    const T *before = nullptr, *x = nullptr;
    if (!first) x = start(fields);
    for (int s = 1; s <= K; ++s) {
      fetch_ghosts(x);
      T* to = x_[s % 2].data();
      sweep(medium, b_.data(), before, x, to, coefficients(steps, s), first && medium.by_mass && s <= 2);
      before = x, x = to;
    }
    fetch_ghosts(x);
    conclude(medium, fields, x, norms, then);
  }

  // Public for nvcc, which takes kernels from public members only.
  struct Coefficients {
    T keep, momentum, weight, most;
  };
  void right_hand_side(const NinePointMedium<T>& m, const BlockedThreeLevelStep<T>& fields) {
    const NinePointMedium<T> medium = m;
    const NinePointMatrix<T> D = m.damping;
    const Topology t = m.topology();
    const T *const u = fields.u, *const p = fields.p, *const force = fields.force;
    const T delta = fields.delta, damping = fields.damping;
    be_->rows(
        "b = -delta K u - damping D p + force", Rows{extent_},
        (1 + m.words(5, 0) + (force != nullptr) + 6 * (damping != 0)) * sizeof(T),
        [=] KERNEL(Row r, T & b) {
          const T off = row_of_K(medium, r, u);
          b = std::fma(-delta, row_times(diagonal_of_K(medium, r), u[r.i], off), force ? force[r.i] : T(0));
          if (damping == 0 || constant_at(medium, r)) return;
          const StencilRow<T, NinePoint> d = D.row(r);
          b = std::fma(
              -damping,
              std::fma(d[NinePoint::centre], p[r.i], off_diagonal_of(d, neighbours<NinePoint>(t, r), p)), b);
        },
        b_.out());
  }
  /// The first iterate of a pass that goes on.
  const T* start(const BlockedThreeLevelStep<T>& fields) {
    const T *const tried = fields.tried, *const u = fields.u, *const p = fields.p;
    be_->rows(
        "x = tried - (u + p)", Rows{extent_}, 3 * sizeof(T),
        [=] KERNEL(Row r, T & x) { x = tried[r.i] - (u[r.i] + p[r.i]); }, x_[2].out());
    return x_[2].data();
  }
  /// `before` may be where it goes to. x null: zero.
  void sweep(const NinePointMedium<T>& m, const T* b, const T* before, const T* x, T* to,
             const Coefficients& c, bool by_mass) {
    const NinePointMedium<T> medium = m;
    const T *const inverse = m.inverse, *const weight = m.weight;
    be_->rows(
        "x = keep x + m x_before + w D^-1 (b - (A - D) x)", Rows{extent_},
        (2 + m.words(5, 1) * (x != nullptr) + (x != nullptr) + (before != nullptr) + by_mass) * sizeof(T),
        [=] KERNEL(Row r, T & next) {
          const T g = b[r.i] * inverse[r.i], w = by_mass ? weight_at_most(weight[r.i], c.most) : c.weight;
          if (!x) {
            next = w * g;
            return;
          }
          const T y = coupled_to_nine(g, inverse[r.i], row_of_A(medium, r, x)),
                  old = before ? before[r.i] : T(0);
          if (by_mass)
            next = swept((T(1) - w) * x[r.i], w, y);
          else if (c.keep == 0)
            next = swept(c.momentum * old, w, y);
          else
            next = swept(kept(c.keep, x[r.i], c.momentum, old), w, y);
        },
        Out<T>{to});
  }
  void conclude(const NinePointMedium<T>& m, const BlockedThreeLevelStep<T>& fields, const T* e,
                StepNorms* norms, Epilogue then) {
    const BlockedThreeLevelStep<T> f = fields;
    const NinePointMedium<T> medium = m;
    const T* const b = b_.data();
    const Referred<T> referred{f.u, f.p, f.whole ? T(1) : T(0)};
    be_->template rows_sum<Matrix::read>(
        "p += e, u += p, |b - A e|", Rows{extent_}, (5 + m.words(5, 1)) * sizeof(T), norms,
        [=] KERNEL(Row r, T & u_to, T & p_to) {
          T u = f.u[r.i], p = f.p[r.i];
          f.advance(e[r.i], u, p);
          u_to = u, p_to = p;
          StepNorms both{Norms::of(residual(medium, r, b, e)), {}};
          if (!f.tried)
            both.reference = Norms::of(
                b[r.i] + row_times(diagonal_of_A(medium, r), referred[r.i], row_of_A(medium, r, referred)));
          return both;
        },
        then, Out<T>{f.u_to}, Out<T>{f.p_to});
  }
  HD static T residual(const NinePointMedium<T>& m, Row r, const T* b, const T* x) {
    const T inverse = m.inverse[r.i];
    return (coupled_to_nine(b[r.i] * inverse, inverse, row_of_A(m, r, x)) - x[r.i]) * diagonal_of_A(m, r);
  }

 private:
  template <int K>
  static Coefficients coefficients(const SweepCoefficients<T, K>& s, int k) {
    return {s.keep[k - 1], s.momentum[k - 1], s.weight[k - 1], s.weight[0]};
  }

  /// Each sweep gathers from the row beside. x null: zero.
  void fetch_ghosts(const T* x) {
    if (x) be_->template fetch_ghosts_at<T>(1, extent_, std::span(&x, 1));
  }

  B* be_ = nullptr;
  Extent extent_;
  Vector b_, x_[3];
};

}  // namespace wavesim
