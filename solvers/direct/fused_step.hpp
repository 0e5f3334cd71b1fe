#pragma once
// The fused step of the direct method in a constant medium (sine_transform_solver.hpp): it starts from the
// fields themselves, without a stored right-hand side.

#include "kernels/grid/stiffness.hpp"
#include "kernels/transform/row_pairs.hpp"
#include "solvers/core/operator.hpp"

namespace wavesim {

/// M p + ratio (M + a D) u at points, for transforms of pairs of rows. There is no branch, so
/// that the loads of many points are in flight together: padding and ghost rows hold zeros.
template <class T>
struct StepPairs {
  UniformCoefficients<T> c;
  Extent e;
  const T *u, *p;
  T a, ratio;
  HD RowPair<T> operator()(int pair, int col) const { return {at(2 * pair, col), at(2 * pair + 1, col)}; }
  HD T at(int row, int col) const {
    const int i = e.index(row, col);
    const Point<T> k = c.along(col == 0, col == e.nx - 1, row == 0, row == e.ny - 1);
    return std::fma(k.mass, p[i], ratio * std::fma(a, k.damping, k.mass) * u[i]);
  }
};

/// v[i] - u[i]
template <class T>
struct Difference {
  const T *v, *u;
  HD T operator[](int i) const { return v[i] - u[i]; }
};

/// Of d = v - u in A d = b = M p - delta K u, with A = M + a D + w K, at a point.
template <class T>
struct StepResidual {
  UniformCoefficients<T> c;
  const T *u, *p, *v;
  T a, w, delta;
  struct Values {
    T d, reference, residual;  // reference: b + A u if `whole`, else b
  };
  HD Values at(Row r, bool whole) const {
    const Point<T> k = c.at(r);
    const Difference<T> d{v, u};
    const T mass = std::fma(a, k.damping, k.mass), Ku = stiffness(k, c.topology, r, u),
            Ad = std::fma(w, stiffness(k, c.topology, r, d), mass * d[r.i]),
            b = std::fma(-delta, Ku, k.mass * p[r.i]);
    return {d[r.i], whole ? b + std::fma(w, Ku, mass * u[r.i]) : b, b - Ad};
  }
};

template <class B, class T>
struct FusedDirectStep {
  B& be;
  Extent e;
  UniformCoefficients<T> c;
  double a, w;
  FusedStep<B, T> step;

  StepPairs<T> pairs(double ratio) const { return {c, e, step.u->data(), step.p->data(), T(a), T(ratio)}; }
  StepResidual<T> of(const Field<B, T>& v) const {
    return {c, step.u->data(), step.p->data(), v.data(), T(a), T(w), T(step.delta)};
  }
  /// r <- b - A (v - u); a ghost row of both is there.
  void residual(const Field<B, T>& v, Field<B, T>& r) const {
    const StepResidual<T> system = of(v);
    be.rows(
        "r = b - A d", Rows{e, c.edges()}, 3 * sizeof(T),
        [=] KERNEL(Row row, T & to) { to = system.at(row, false).residual; }, r.out());
  }
  /// p_to <- carry d + (1 - carry) p for d = u_to - u, and the norms of b - A d. A ghost row of u is there, and of u_to
  /// afterwards.
  void conclude(StepNorms* norms, Epilogue then) const {
    be.fetch_ghosts(1, *step.u_to);
    const StepResidual<T> system = of(*step.u_to);
    const T carry = T(step.carry);
    const bool whole = step.whole;
    be.template rows_sum<Matrix::read>(
        "p = carry d + (1 - carry) p, |b - A d|", Rows{e, c.edges()}, 3 * sizeof(T), norms,
        [=] KERNEL(Row row, T & p_to) {
          const auto at = system.at(row, whole);
          p_to = std::fma(carry, at.d, (T(1) - carry) * system.p[row.i]);
          return StepNorms{Norms::of(at.residual), Norms::of(at.reference)};
        },
        then, step.p_to->out());
  }
};

}  // namespace wavesim
