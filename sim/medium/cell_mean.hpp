#pragma once
// Means over a line of a function that is smooth but for jumps: where an interface of the medium goes through a
// cell, the cell takes what is on either side in proportion.

#include <algorithm>
#include <array>
#include <cmath>

namespace wavesim {

/// Whether f jumps on [a, b]: f changes by three tenths of its range within one sixteenth of [a, b]. A parabola
/// with its vertex in [a, b] changes by 0.24 at most, other smooth functions by less. NaN is no jump.
template <class F>
bool jumps(F&& f, double a, double b) {
  constexpr int parts = 16;
  double before = f(a), low = before, high = before, step = 0;
  for (int k = 1; k <= parts; ++k) {
    const double now = f(a + (b - a) * k / parts);
    step = std::max(step, std::abs(now - before));
    low = std::min(low, now), high = std::max(high, now);
    before = now;
  }
  return step > 0.3 * (high - low) && high - low > 1e-6 * std::max(std::abs(low), std::abs(high));
}

/// The mean of f over [a, b] from its values at the ends of eight parts, to fourth order (Gregory's rule). Where f
/// changes by three tenths of its range or more within a part, it is taken to jump there: bisection finds where, and
/// each side counts by itself, by the trapezoidal rule.
template <class F>
double mean_along(F&& f, double a, double b) {
  constexpr int parts = 8;
  std::array<double, parts + 1> value;
  for (int k = 0; k <= parts; ++k) value[k] = f(a + (b - a) * k / parts);
  const auto [low, high] = std::minmax_element(value.begin(), value.end());
  const double much = 0.3 * (*high - *low);
  bool smooth = true;
  for (int k = 0; k < parts; ++k) smooth = smooth && !(std::abs(value[k + 1] - value[k]) > much);
  if (smooth) {
    const double ends = value[0] + value[8], next = value[1] + value[7], third = value[2] + value[6];
    return (3.0 / 8 * ends + 7.0 / 6 * next + 23.0 / 24 * third + value[3] + value[4] + value[5]) / parts;
  }
  double sum = 0;
  for (int k = 0; k < parts; ++k) {
    const double left = value[k], right = value[k + 1];
    if (!(std::abs(right - left) > much)) {
      sum += (left + right) / 2;
      continue;
    }
    double from = k, to = k + 1, f_from = left, f_to = right;
    for (int halving = 0; halving < 24; ++halving) {
      const double middle = (from + to) / 2, f_middle = f(a + (b - a) * middle / parts);
      if (std::abs(f_middle - f_from) > std::abs(f_to - f_middle))
        to = middle, f_to = f_middle;
      else
        from = middle, f_from = f_middle;
    }
    sum += (from - k) * (left + f_from) / 2 + (k + 1 - to) * (f_to + right) / 2;
  }
  return sum / parts;
}

}  // namespace wavesim
