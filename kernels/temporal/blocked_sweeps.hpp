#pragma once
// K steps of a three-term recurrence with a five-point operator in one pass over memory (temporal blocking by
// a moving front; Wonnacott 2000; Nguyen et al., "3.5-D blocking", SC 2010). A strip of columns is gone through
// from below: when the front brings row f of b and of the first iterates, sweep s = 1 .. K is done in row
// f - s, and the residual of what the last one left in row f - K - 1. So rows are read once, written once,
// and live in registers and caches meanwhile. Strips and chunks of rows overlap by K + 1 points, which are
// computed twice.
//
// With D the diagonal of A, sweep s is   x_s = x + m_s (x - x_before) + w_s D^-1 (b - A x),   x = x_(s-1),
// computed as   (1 + m_s - w_s) x - m_s x_before + w_s (g + D^-1 (D - A) x),   g = D^-1 b,   in the same
// order on both backends.

#include <cmath>

#include "kernels/reduce/reduce.hpp"
#include "kernels/temporal/block_plan.hpp"
#include "kernels/temporal/scaled_row.hpp"

namespace wavesim {

/// What a pass for A x = b reads and writes. No vector is read and written. `x`, `before` null: zero;
/// `before_to` null: not wanted. `before` is not asked for if the first momentum is 0.
template <class T>
struct BlockedSolve {
  static constexpr bool is_step = false;
  using Result = Norms;  // of b - A x, after the last sweep
  const T *b = nullptr, *x = nullptr, *before = nullptr;
  T *x_to = nullptr, *before_to = nullptr;
  bool from_zero() const { return !x && !before; }
  int vectors() const { return 2 + (x != nullptr) + (before != nullptr) + (before_to != nullptr); }
};

/// The residual of a step in time, and what it is relative to.
struct StepNorms {
  Norms residual, reference;
  HD void join(const StepNorms& o) {
    residual.join(o.residual);
    reference.join(o.reference);
  }
};

/// A whole step in time of M u" + D u' + K u = 0 in its first-order form: d from A d = b = M p - delta K u
/// with A = M + a D + w K, then u_to = u + d and p_to = carry d + (1 - carry) p. Row f of b is made where row
/// f + 1 of u arrives, and never stored. `tried`: u + d of an earlier pass, from where this one goes on;
/// null: it starts from d = 0.
template <class T>
struct BlockedStep {
  static constexpr bool is_step = true;
  using Result = StepNorms;
  const T *u = nullptr, *p = nullptr, *tried = nullptr;
  T *u_to = nullptr, *p_to = nullptr;
  T ratio = 2;  // delta / w
  T carry = 2;
  bool whole = true;  // the residual is relative to b + A u, which is what A u_to equals; else to b
  bool from_zero() const { return !tried; }
  int vectors() const { return 4 + (tried != nullptr); }
  HD void advance(T d, T& u_now, T& p_now) const {
    u_now += d;
    p_now = std::fma(carry, d, (T(1) - carry) * p_now);
  }
};

/// A whole step in time of M u" + D u' + K u = 0 over three levels, where A = M + a D + w K with the weight w of the first
/// and of the last of them, as in Numerov's scheme: with p = u - u_before and d = p + e, the system is
/// A e = b = -delta K u - damping D p + force, damping = 2 a.
/// Then u_to = u + d and p_to = d. `force` null: none. With `whole` the residual is relative to b + A (p + u), the right-hand
/// side for u_to, else to b + A p, that for d.
template <class T>
struct BlockedThreeLevelStep {
  static constexpr bool is_step = true;
  using Result = StepNorms;
  const T *u = nullptr, *p = nullptr, *force = nullptr, *tried = nullptr;
  T *u_to = nullptr, *p_to = nullptr;
  T delta = 1;
  bool whole = true;
  T damping = 0;
  bool from_zero() const { return !tried; }
  int vectors() const { return 4 + (force != nullptr) + (tried != nullptr); }
  HD void advance(T e, T& u_now, T& p_now) const {
    p_now += e;
    u_now += p_now;
  }
};

/// Of each sweep: the coefficients of x, minus x_before, and D^-1 (b + (D - A) x).
template <class T, int K>
struct SweepCoefficients {
  T keep[K], momentum[K], weight[K];
  void set(int k, double m, double w) { keep[k] = T(1 + m - w), momentum[k] = T(-m), weight[k] = T(w); }
  /// Whether the third step and those after it have w = 1 + m, so that x itself drops out of them: they are
  /// for a spectrum around 1. A pass in time has to be so.
  bool centred() const {
    for (int k = 2; k < K; ++k)
      if (keep[k] != 0) return false;
    return true;
  }
};

}  // namespace wavesim
