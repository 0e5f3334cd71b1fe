#pragma once
// A way to take explicit steps, several of them in one pass over memory where it can.

#include <bit>
#include <functional>

#include "sim/time/scheme.hpp"

namespace wavesim {

class ExplicitPasses {
 public:
  virtual ~ExplicitPasses() = default;
  /// From step n, which is of `form`: at most `most` steps; returns how many were taken. `sampled` says after which steps
  /// in between receivers are sampled.
  virtual long take(const StepForm& form, long n, long most, const std::function<bool(long)>& sampled) = 0;
  /// Whether it steps perfectly matched layers itself; else their forces and fluxes are those of one step.
  virtual bool steps_layers() const { return false; }
};

/// Passes take a power of two of steps, or `at_most`.
inline int steps_of_a_pass(long most, int at_most) {
  return most < at_most ? int(std::bit_floor(unsigned(most))) : at_most;
}

/// run(integral_constant of K) for `count` = K, which is `most` or a power of two below.
template <int most, class Run>
void with_steps(int count, const Run& run) {
  if constexpr (most > 1)
    if (count < most) return with_steps<int(std::bit_ceil(unsigned(most)) / 2)>(count, run);
  run(std::integral_constant<int, most>());
}

}  // namespace wavesim
