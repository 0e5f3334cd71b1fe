#pragma once
// The front that goes up a strip of columns in blocked sweeps of nine points on a CPU (blocked_sweeps_host.hpp).

#include "kernels/temporal/host_climb.hpp"
#include "kernels/temporal/host_varying_nine_point_rows.hpp"

namespace wavesim {

namespace temporal {

template <class T, int K, class Medium>
struct NinePointRowsIn {
  using type = UniformNinePointRows<T>;
};
template <class T, int K>
struct NinePointRowsIn<T, K, NinePointMedium<T>> {
  using type = VaryingNinePointRows<T, K>;
};

}  // namespace temporal

template <class T, int K, class Medium, class Fields>
class NinePointHostFront : public HostClimb<NinePointHostFront<T, K, Medium, Fields>, T, K, Medium, Fields> {
  using Climb = HostClimb<NinePointHostFront, T, K, Medium, Fields>;
  friend Climb;
  using Climb::at, Climb::medium_, Climb::fields_, Climb::steps_, Climb::strip_, Climb::is_step;
  static constexpr bool varies = std::is_same_v<Medium, NinePointMedium<T>>;

 public:
  using Climb::Climb;
  static constexpr int lead = 0;

 private:
  void begin() {
    coefficients_.go_to(strip_, medium_);
    rows_.clear();
    for (auto* pointers : {&x0_, &u_, &p_}) pointers->fill(rows_.zeros());
    before_.fill(rows_.zeros());
  }
  /// Iterate s, the first of which is what the pass began with.
  const T* iterate(int s, int row) { return s == 0 ? at(x0_, row) : rows_.x(s, row); }
  ThreeRows<T> around(int s, int row) { return {iterate(s, row - 1), iterate(s, row), iterate(s, row + 1)}; }
  const T* row_of(const T* field, int row, T* room) { return strip_.row_of(field, row, room, rows_.zeros()); }
  void outside_is_zero(T* to) const {
    if (coefficients_.constant()) strip_.clear_outside(to);
  }

  /// What arrive(row) reads.
  void fetch(int row, PartOfRow part) const {
    if constexpr (varies) coefficients_.fetch(row + 1, is_step, part);
    if constexpr (is_step) {
      for (const T* field : {fields_.u, fields_.p}) strip_.fetch(field, row + 1, part);
      for (const T* field : {fields_.force, fields_.tried}) strip_.fetch(field, row, part);
    } else {
      for (const T* field : {fields_.b, fields_.x, fields_.before}) strip_.fetch(field, row, part);
    }
  }
  /// Row `row` of g and of the first iterate. `counted`: it belongs to this block.
  void arrive(int row, bool counted) {
    coefficients_.arrive(row + 1, is_step);
    if constexpr (is_step) {
      at(u_, row + 1) = row_of(fields_.u, row + 1, rows_.u(row + 1));
      at(p_, row + 1) = row_of(fields_.p, row + 1, rows_.p(row + 1));
      right_hand_side(row, counted);
    } else {
      T* const g = rows_.g(row);
      const T* const b = row_of(fields_.b, row, g);
      const int n = strip_.width();
      coefficients_.at_row(
          row, [&](const auto& a) { SIMD for (int k = 0; k < n; ++k) g[k] = b[k] * a.inverse[k]; });
      at(x0_, row) = row_of(fields_.x, row, rows_.x(0, row));
      at(before_, row) = row_of(fields_.before, row, rows_.before(row));
    }
  }
  /// g of a step in time, what its residual is relative to, and the first iterate.
  void right_hand_side(int row, bool counted) {
    T *const g = rows_.g(row), *const b = rows_.scratch(0);
    const T *const u = at(u_, row), *const p = at(p_, row);
    const T* const force = row_of(fields_.force, row, b);
    const T delta = fields_.delta;
    coefficients_.with_K(row, {at(u_, row - 1), u, at(u_, row + 1)}, [&](int k, T off, const auto& a) {
      b[k] = std::fma(-delta, row_times(a.k_diagonal[k], u[k], off), force[k]);
      g[k] = b[k] * a.inverse[k];
    });
    if constexpr (varies)
      if (fields_.damping != 0) damp(row, b, g);
    outside_is_zero(g);
    if (fields_.tried) {
      T* const first = rows_.x(0, row);
      const T* const tried = row_of(fields_.tried, row, first);
      const int n = strip_.width();
      SIMD for (int k = 0; k < n; ++k) first[k] = tried[k] - (u[k] + p[k]);
      at(x0_, row) = first;
      return;
    }
    at(x0_, row) = rows_.zeros();
    add_reference(row, b, counted);
  }
  void damp(int row, T* b, T* g) {
    const T damping = fields_.damping;
    coefficients_.with_damping(row, {at(p_, row - 1), at(p_, row), at(p_, row + 1)},
                               [&](int k, T Dp, const auto& a) {
                                 b[k] = std::fma(-damping, Dp, b[k]);
                                 g[k] = b[k] * a.inverse[k];
                               });
  }
  /// |b + A (p + u)| or |b + A p|
  void add_reference(int row, T* b, bool counted) {
    T* const next = rows_.referred(row + 1);
    const T *const u = at(u_, row + 1), *const p = at(p_, row + 1), whole = fields_.whole ? T(1) : T(0);
    const int n = strip_.width();
    SIMD for (int k = 0; k < n; ++k) next[k] = std::fma(whole, u[k], p[k]);
    if (!counted) return;
    const T* const own = rows_.referred(row);
    coefficients_.with_A(row, {rows_.referred(row - 1), own, next},
                         [&](int k, T off, const auto& a) { b[k] += row_times(a.diagonal[k], own[k], off); });
    this->add_to_reference(b);
  }

  void sweep(int s, int row) {
    if (this->goes_by_mass(s)) return sweep_by_mass(s, row);
    const T *const g = rows_.g(row), *const old = s == 1 ? at(before_, row) : iterate(s - 2, row);
    T* const to = rows_.x(s, row);
    const T keep = steps_.keep[s - 1], m = steps_.momentum[s - 1], w = steps_.weight[s - 1];
    if (s == 1 && fields_.from_zero()) {
      const int n = strip_.width();
      SIMD for (int k = 0; k < n; ++k) to[k] = w * g[k];
      return;
    }
    const ThreeRows<T> x = around(s - 1, row);
    if (keep == 0)
      coefficients_.with_A(row, x, [&](int k, T off, const auto& a) {
        to[k] = swept(m * old[k], w, coupled_to_nine(g[k], a.inverse[k], off));
      });
    else
      coefficients_.with_A(row, x, [&](int k, T off, const auto& a) {
        to[k] = swept(kept(keep, x.centre[k], m, old[k]), w, coupled_to_nine(g[k], a.inverse[k], off));
      });
    outside_is_zero(to);
  }
  /// The same with a weight for each point and no momentum.
  void sweep_by_mass(int s, int row) {
    if constexpr (varies) {
      const T *const g = rows_.g(row), *const weights = coefficients_.weights(row), most = steps_.weight[0];
      T* const to = rows_.x(s, row);
      if (s == 1) {  // these passes begin with zero
        const int n = strip_.width();
        SIMD for (int k = 0; k < n; ++k) to[k] = weight_at_most(weights[k], most) * g[k];
        return;
      }
      const ThreeRows<T> x = around(s - 1, row);
      coefficients_.with_A(row, x, [&](int k, T off, const auto& a) {
        const T w = weight_at_most(weights[k], most);
        to[k] = swept((T(1) - w) * x.centre[k], w, coupled_to_nine(g[k], a.inverse[k], off));
      });
    }
  }

  void leave(int row) {
    const T* const last = rows_.x(K, row);
    if constexpr (is_step) {
      this->advance(row, last, rows_.scratch(0), rows_.scratch(1));
    } else {
      const long line = strip_.line(row);
      this->store(last, fields_.x_to + line);
      if (fields_.before_to) this->store(iterate(K - 1, row), fields_.before_to + line);
    }
  }

  void residual(int row) {
    const T* const g = rows_.g(row);
    T* const r = rows_.scratch(0);
    const ThreeRows<T> x = around(K, row);
    coefficients_.with_A(row, x, [&](int k, T off, const auto& a) {
      r[k] = (coupled_to_nine(g[k], a.inverse[k], off) - x.centre[k]) * a.diagonal[k];
    });
    this->add_to_residual(r);
  }

  NinePointHostRows<T, K> rows_;
  typename temporal::NinePointRowsIn<T, K, Medium>::type coefficients_;
  std::array<const T*, 3> x0_, u_, p_;
  std::array<const T*, 2> before_;
};

}  // namespace wavesim
