#pragma once
// The front that goes up a strip of columns in blocked sweeps of five points on a CPU (blocked_sweeps_host.hpp).

#include <initializer_list>

#include "kernels/temporal/host_climb.hpp"
#include "kernels/temporal/host_coefficients.hpp"

namespace wavesim {

template <class T, int K, class Medium, class Fields>
class HostFront : public HostClimb<HostFront<T, K, Medium, Fields>, T, K, Medium, Fields> {
  using Climb = HostClimb<HostFront, T, K, Medium, Fields>;
  friend Climb;
  using Climb::at, Climb::medium_, Climb::fields_, Climb::steps_, Climb::strip_, Climb::is_step;
  static constexpr bool varies = temporal::varies<Medium>;
  using Rows = HostRows<T, K, Medium, Fields>;
  using Coefficients = std::conditional_t<varies, VaryingStripRows<T, Rows>, UniformStripRows<T>>;

 public:
  using Climb::Climb;
  static constexpr int lead = K + 1 - varies;

 private:
  void begin() {
    coefficients_.go_to(strip_, medium_);
    rows_.clear();
    x0_.fill(rows_.zeros());
    before_.fill(rows_.zeros());
    u_.fill(rows_.zeros());
  }
  /// Iterate s, the first of which is what the pass began with.
  const T* iterate(int s, int row) { return s == 0 ? at(x0_, row) : rows_.x(s, row); }
  const T* row_of(const T* field, int row, T* room) { return strip_.row_of(field, row, room, rows_.zeros()); }
  void multiply(T* to, const T* by) const {
    const int n = strip_.width();
    for (int k = 0; k < n; ++k) to[k] *= by[k];
  }
  /// Where rows are alike everywhere, values beyond the domain are made as well.
  void outside_is_zero(T* to) const {
    if (coefficients_.constant()) strip_.clear_outside(to);
  }

  /// What arrive(row) reads.
  void fetch(int row, PartOfRow part) const {
    const auto fetch_row = [&](int row, std::initializer_list<const T*> fields) {
      for (const T* field : fields) strip_.fetch(field, row, part);
    };
    if constexpr (varies) {
      fetch_row(row, {medium_.east, medium_.north});
      fetch_row(row + is_step, {medium_.sqrt_diagonal});
      if constexpr (is_step) fetch_row(row, {medium_.scaled_mass});
      if constexpr (is_step && temporal::damped<Medium>) fetch_row(row, {medium_.scaled_damped_mass});
    }
    if constexpr (is_step) {
      fetch_row(row + 1, {fields_.u});
      fetch_row(row, {fields_.p, fields_.tried});
    } else {
      fetch_row(row, {fields_.b, fields_.x, fields_.before});
    }
  }
  /// Row `row` of g and of the first iterate. `counted`: it belongs to this block.
  void arrive(int row, bool counted) {
    if constexpr (varies) {
      strip_.load(medium_.east, row, rows_.east(row));
      strip_.load(medium_.north, row, rows_.north(row));
      strip_.load(medium_.sqrt_diagonal, row + is_step, rows_.sqrt_diagonal(row + is_step));
    }
    if constexpr (is_step) {
      T* const reference = rows_.scratch(0);
      if constexpr (varies)
        right_hand_side_varying(row, reference);
      else
        right_hand_side(row, reference);
      if (counted) this->add_to_reference(reference);
    } else {
      arrive_for_solve(row);
    }
  }
  void arrive_for_solve(int row) {
    T* const gs = rows_.g(row);
    const T* const b = row_of(fields_.b, row, gs);
    const int n = strip_.width();
    if constexpr (varies) {
      const T* const scale = rows_.sqrt_diagonal(row);
      SIMD for (int k = 0; k < n; ++k) gs[k] = b[k] * inverse_or_zero(scale[k]);
      at(x0_, row) = scaled(fields_.x, row, rows_.x(0, row));
      at(before_, row) = scaled(fields_.before, row, rows_.before(row));
    } else {
      coefficients_.at_row(
          row, [&](const auto& at) { SIMD for (int k = 0; k < n; ++k) gs[k] = b[k] * at.inverse[k]; });
      at(x0_, row) = row_of(fields_.x, row, rows_.x(0, row));
      at(before_, row) = row_of(fields_.before, row, rows_.before(row));
    }
  }
  /// D^1/2 times a row of a field.
  const T* scaled(const T* field, int row, T* room) {
    if (!field) return rows_.zeros();
    strip_.load(field, row, room);
    multiply(room, rows_.sqrt_diagonal(row));
    return room;
  }
  /// g of a step in time, what its residual is relative to, and the first iterate.
  void right_hand_side(int row, T* reference) {
    T *const gs = rows_.g(row), *const first = rows_.x(0, row);
    at(u_, row + 1) = row_of(fields_.u, row + 1, rows_.u(row + 1));
    const T *const south = at(u_, row - 1), *const centre = at(u_, row), *const north = at(u_, row + 1);
    const T *const p = row_of(fields_.p, row, gs), *const tried = row_of(fields_.tried, row, first);
    const T ratio = fields_.ratio, whole = fields_.whole ? T(1) : T(0);
    const int n = strip_.width();
    at(x0_, row) = fields_.tried ? first : rows_.zeros();
    coefficients_.at_row(row, [&](const auto& at) {
      SIMD for (int k = 0; k < n; ++k) {
        const T y = with_north(coefficients_.couple(T(0), at, south, centre, k), at.north[k], north[k]);
        gs[k] = scaled_right_hand_side<T>(at.scaled_mass[k], p[k], ratio, at.stiff[k], centre[k], y);
        reference[k] = scaled_reference(whole, gs[k], centre[k], y) * at.diagonal[k];
      }
    });
    outside_is_zero(gs);
    if (fields_.tried) SIMD for (int k = 0; k < n; ++k) first[k] = tried[k] - centre[k];
  }
  void right_hand_side_varying(int row, T* reference) {
    T *const gs = rows_.g(row), *const first = rows_.x(0, row), *const next = rows_.u(row + 1);
    strip_.load(fields_.u, row + 1, next);
    multiply(next, rows_.sqrt_diagonal(row + 1));
    at(u_, row + 1) = next;
    const T *const south = at(u_, row - 1), *const centre = at(u_, row), *const north = next;
    const T *const p = row_of(fields_.p, row, gs), *const tried = row_of(fields_.tried, row, first),
                   *const plain = row_of(fields_.u, row, rows_.scratch(1)),
                   *const mass = row_of(medium_.scaled_mass, row, rows_.masses(0));
    const T* damped_mass = mass;
    if constexpr (temporal::damped<Medium>)
      damped_mass = row_of(medium_.scaled_damped_mass, row, rows_.masses(1));
    const T ratio = fields_.ratio, whole = fields_.whole ? T(1) : T(0);
    const T* const scale = rows_.sqrt_diagonal(row);
    T* const light = rows_.weights(row);
    const int n = strip_.width();
    at(x0_, row) = fields_.tried ? first : rows_.zeros();
    const T most = steps_.weight[0];
    SIMD for (int k = 0; k < n; ++k) light[k] = weight_by_mass(scale[k], damped_mass[k], most);
    coefficients_.at_row(row, [&](const auto& at) {
      SIMD for (int k = 0; k < n; ++k) {
        const T y = with_north(coefficients_.couple(T(0), at, south, centre, k), at.north[k], north[k]);
        gs[k] = scaled_right_hand_side<T>(mass[k], p[k], ratio, -damped_mass[k], plain[k], y - centre[k]);
        reference[k] = scaled_reference(whole, gs[k], centre[k], y) * scale[k];
      }
    });
    if (fields_.tried) SIMD for (int k = 0; k < n; ++k) first[k] = (tried[k] - plain[k]) * scale[k];
  }

  void sweep(int s, int row) {
    if (this->goes_by_mass(s)) return sweep_by_mass(s, row);
    const T *const south = iterate(s - 1, row - 1), *const centre = iterate(s - 1, row),
                   *const north = iterate(s - 1, row + 1);
    const T *const gs = rows_.g(row), *const old = s == 1 ? at(before_, row) : iterate(s - 2, row);
    T* const to = rows_.x(s, row);
    const T keep = steps_.keep[s - 1], m = steps_.momentum[s - 1], w = steps_.weight[s - 1];
    const int n = strip_.width();
    if (s == 1 && fields_.from_zero()) {
      SIMD for (int k = 0; k < n; ++k) to[k] = w * gs[k];
      return;
    }
    coefficients_.at_row(row, [&](const auto& at) {
      const auto with = [&](const auto& stays) {
        SIMD for (int k = 0; k < n; ++k) {
          const T y = coefficients_.couple(gs[k], at, south, centre, k);
          to[k] = with_north(swept(stays(k), w, y), w * at.north[k], north[k]);
        }
      };
      if (keep == 0)
        with([&](int k) { return m * old[k]; });
      else
        with([&](int k) { return kept(keep, centre[k], m, old[k]); });
    });
    outside_is_zero(to);
  }
  /// The same with a weight for each point and no momentum.
  void sweep_by_mass(int s, int row) {
    const T *const south = iterate(s - 1, row - 1), *const centre = iterate(s - 1, row),
                   *const north = iterate(s - 1, row + 1);
    const T *const gs = rows_.g(row), *const w = rows_.weights(row);
    T* const to = rows_.x(s, row);
    const int n = strip_.width();
    if (s == 1) {  // these passes begin with zero
      SIMD for (int k = 0; k < n; ++k) to[k] = w[k] * gs[k];
      return;
    }
    coefficients_.at_row(row, [&](const auto& at) {
      SIMD for (int k = 0; k < n; ++k) {
        const T y = coefficients_.couple(gs[k], at, south, centre, k);
        to[k] = with_north(swept((T(1) - w[k]) * centre[k], w[k], y), w[k] * at.north[k], north[k]);
      }
    });
  }

  void leave(int row) {
    const T* d = rows_.x(K, row);
    if constexpr (varies) d = unscaled(d, row);
    if constexpr (is_step) {
      this->advance(row, d, rows_.scratch(1), rows_.scratch(0));  // in the latter lies unscaled d
    } else {
      const long line = strip_.line(row);
      this->store(d, fields_.x_to + line);
      if (!fields_.before_to) return;
      d = iterate(K - 1, row);
      if constexpr (varies) d = unscaled(d, row);
      this->store(d, fields_.before_to + line);
    }
  }
  /// D^-1/2 y, until the next row is written in its place.
  const T* unscaled(const T* y, int row) {
    T* const to = rows_.scratch(0);
    const T* const scale = rows_.sqrt_diagonal(row);
    const int n = strip_.width();
    SIMD for (int k = 0; k < n; ++k) to[k] = y[k] * inverse_or_zero(scale[k]);
    return to;
  }

  void residual(int row) {
    const T *const south = rows_.x(K, row - 1), *const centre = rows_.x(K, row),
                   *const north = rows_.x(K, row + 1);
    const T* const gs = rows_.g(row);
    T* const r = rows_.scratch(0);
    const int n = strip_.width();
    coefficients_.at_row(row, [&](const auto& at) {
      SIMD for (int k = 0; k < n; ++k) {
        const T y = coefficients_.couple(gs[k], at, south, centre, k);
        r[k] = with_north(y - centre[k], at.north[k], north[k]);
        if constexpr (!varies) r[k] *= at.diagonal[k];
      }
    });
    if constexpr (varies) multiply(r, rows_.sqrt_diagonal(row));
    this->add_to_residual(r);
  }

  Rows rows_;
  Coefficients coefficients_{rows_};
  std::array<const T*, 3> x0_, u_;
  std::array<const T*, 2> before_;
};

}  // namespace wavesim
