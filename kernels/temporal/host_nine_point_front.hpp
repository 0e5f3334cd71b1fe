#pragma once
// The front that goes up a strip of columns in blocked sweeps of nine points on a CPU (blocked_sweeps_host.hpp).

#include "kernels/temporal/host_climb.hpp"
#include "kernels/temporal/host_nine_point_rows.hpp"

namespace wavesim {

template <class T, int K, class Fields>
class NinePointHostFront
    : public HostClimb<NinePointHostFront<T, K, Fields>, T, K, UniformNinePoints<T>, Fields> {
  using Climb = HostClimb<NinePointHostFront, T, K, UniformNinePoints<T>, Fields>;
  friend Climb;
  using Climb::at, Climb::medium_, Climb::fields_, Climb::steps_, Climb::strip_, Climb::from_, Climb::to_;
  using Climb::V, Climb::columns, Climb::is_step;

 public:
  using Climb::Climb;

 private:
  void begin() {
    coefficients_.go_to(strip_, medium_);
    rows_.clear();
    for (auto* pointers : {&x0_, &u_, &p_}) pointers->fill(rows_.zeros());
    before_.fill(rows_.zeros());
  }
  /// Iterate s, the first of which is what the pass began with.
  const T* iterate(int s, int row) { return s == 0 ? at(x0_, row) : rows_.x(s, row); }
  const T* row_of(const T* field, int row, T* room) { return strip_.row_of(field, row, room, rows_.zeros()); }
  void outside_is_zero(T* to) const {
    if (coefficients_.constant()) strip_.clear_outside(to);
  }
  /// Three rows of a vector, one above the other; and, of the middle one, the sums of the two others and what it
  /// gives to its sides.
  struct Around {
    const T *centre, *pair, *sides;
  };
  Around around(const T* south, const T* centre, const T* north, T side, T corner) {
    T *const pair = rows_.scratch(0), *const sides = rows_.scratch(1);
    SIMD for (int k = 0; k < columns; ++k) {
      pair[k] = south[k] + north[k];
      sides[k] = to_sides(side, centre[k], corner, pair[k]);
    }
    return {centre, pair, sides};
  }
  Around around_iterate(int s, int row) {
    const NinePointAlong<T>& a = coefficients_.along(row);
    return around(iterate(s, row - 1), iterate(s, row), iterate(s, row + 1), a.side, a.corner);
  }

  /// Row `row` of g and of the first iterate. `counted`: it belongs to this block.
  void arrive(int row, bool counted) {
    constexpr int ahead = 2;
    if constexpr (is_step) {
      for (const T* field : {fields_.u, fields_.p}) strip_.fetch(field, row + 1 + ahead);
      for (const T* field : {fields_.force, fields_.tried}) strip_.fetch(field, row + ahead);
      at(u_, row + 1) = row_of(fields_.u, row + 1, rows_.u(row + 1));
      at(p_, row + 1) = row_of(fields_.p, row + 1, rows_.p(row + 1));
      right_hand_side(row, counted);
    } else {
      for (const T* field : {fields_.b, fields_.x, fields_.before}) strip_.fetch(field, row + ahead);
      T* const g = rows_.g(row);
      const T* const b = row_of(fields_.b, row, g);
      coefficients_.at_row(
          row, [&](const auto& a) { SIMD for (int k = 0; k < columns; ++k) g[k] = b[k] * a.inverse[k]; });
      at(x0_, row) = row_of(fields_.x, row, rows_.x(0, row));
      at(before_, row) = row_of(fields_.before, row, rows_.before(row));
    }
  }
  /// g of a step in time, what its residual is relative to, and the first iterate.
  void right_hand_side(int row, bool counted) {
    T *const g = rows_.g(row), *const b = rows_.scratch(2);
    const T *const u = at(u_, row), *const p = at(p_, row);
    const NinePointAlong<T>& along = coefficients_.along(row);
    const T* const force = row_of(fields_.force, row, b);
    const Around y = around(at(u_, row - 1), u, at(u_, row + 1), along.k_side, along.k_corner);
    coefficients_.at_row(row, [&](const auto& a) {
      SIMD for (int k = 0; k < columns; ++k) {
        const T off = off_diagonal(y.sides[k - 1], y.sides[k + 1], a.k_vertical[k], y.pair[k]);
        b[k] = std::fma(-fields_.delta, row_times(a.k_diagonal[k], u[k], off), force[k]);
        g[k] = b[k] * a.inverse[k];
      }
    });
    outside_is_zero(g);
    if (fields_.tried) {
      T* const first = rows_.x(0, row);
      const T* const tried = row_of(fields_.tried, row, first);
      SIMD for (int k = 0; k < columns; ++k) first[k] = tried[k] - (u[k] + p[k]);
      at(x0_, row) = first;
      return;
    }
    at(x0_, row) = rows_.zeros();
    add_reference(row, b, counted);
  }
  /// |b + A (p + u)| or |b + A p|
  void add_reference(int row, T* b, bool counted) {
    T* const next = rows_.referred(row + 1);
    const T *const u = at(u_, row + 1), *const p = at(p_, row + 1), whole = fields_.whole ? T(1) : T(0);
    SIMD for (int k = 0; k < columns; ++k) next[k] = std::fma(whole, u[k], p[k]);
    if (!counted) return;
    const NinePointAlong<T>& along = coefficients_.along(row);
    const Around y = around(rows_.referred(row - 1), rows_.referred(row), next, along.side, along.corner);
    coefficients_.at_row(row, [&](const auto& a) {
      SIMD for (int k = 0; k < columns; ++k) {
        const T off = off_diagonal(y.sides[k - 1], y.sides[k + 1], a.vertical[k], y.pair[k]);
        b[k] += row_times(a.diagonal[k], y.centre[k], off);
      }
    });
    this->reference_.template add<V>(b, from_, to_);
  }

  void sweep(int s, int row) {
    const T *const g = rows_.g(row), *const old = s == 1 ? at(before_, row) : iterate(s - 2, row);
    T* const to = rows_.x(s, row);
    const T keep = steps_.keep[s - 1], m = steps_.momentum[s - 1], w = steps_.weight[s - 1];
    if (s == 1 && fields_.from_zero()) {
      SIMD for (int k = 0; k < columns; ++k) to[k] = w * g[k];
      return;
    }
    const Around y = around_iterate(s - 1, row);
    coefficients_.at_row(row, [&](const auto& a) {
      const auto with = [&](const auto& stays) {
        SIMD for (int k = 0; k < columns; ++k) {
          const T off = off_diagonal(y.sides[k - 1], y.sides[k + 1], a.vertical[k], y.pair[k]);
          to[k] = swept(stays(k), w, coupled_to_nine(g[k], a.inverse[k], off));
        }
      };
      if (keep == 0)
        with([&](int k) { return m * old[k]; });
      else
        with([&](int k) { return kept(keep, y.centre[k], m, old[k]); });
    });
    outside_is_zero(to);
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
    T* const r = rows_.scratch(2);
    const Around y = around_iterate(K, row);
    coefficients_.at_row(row, [&](const auto& a) {
      SIMD for (int k = 0; k < columns; ++k) {
        const T off = off_diagonal(y.sides[k - 1], y.sides[k + 1], a.vertical[k], y.pair[k]);
        r[k] = (coupled_to_nine(g[k], a.inverse[k], off) - y.centre[k]) * a.diagonal[k];
      }
    });
    this->residual_.template add<V>(r, from_, to_);
  }

  NinePointHostRows<T, K> rows_;
  NinePointStripRows<T> coefficients_;
  std::array<const T*, 3> x0_, u_, p_;
  std::array<const T*, 2> before_;
};

}  // namespace wavesim
