#pragma once
// The second solve of a step of fourth order: A z = c K (d - p) - damping that is left, d += z (docs/math.md, (6b)).

#include <algorithm>

#include "sim/time/guess_on.hpp"
#include "sim/time/step_system.hpp"

namespace wavesim {

/// One report of two solves that belong together: what they took, and the larger residual of both.
inline Report together(Report first, const Report& second) {
  first.status = second.status;
  first.iterations += second.iterations;
  first.seconds += second.seconds;
  first.setup_seconds += second.setup_seconds;
  first.bytes += second.bytes;
  if (!second.history.empty())
    first.history.insert(first.history.end(), second.history.begin() + 1, second.history.end());
  if (second.relative_residual() > first.relative_residual()) {
    first.recurrence = second.recurrence;
    first.final = second.final;
  }
  first.solver = std::max(first.solver, second.solver);
  first.failures.insert(first.failures.end(), second.failures.begin(), second.failures.end());
  return first;
}

template <class B, class T, class Coefficients>
class CorrectionOn {
 public:
  using Vector = Field<B, T>;
  using Wave = WaveOn<B, T, Coefficients>;
  using System = StepSystem<B, T, Coefficients>;
  CorrectionOn(const Wave& wave, System& system, Extent e)
      : wave_(wave),
        system_(system),
        z_(wave.backend, e),
        norms_(wave.backend, 1),
        guess_(make_guess<B, T>(wave.setup.guess, wave.backend, e)) {}

  /// The norms of b as it is now, on the device: z is small, and its residual counts beside that of d.
  const Norms* norms_of_first_right_hand_side() {
    wave_.backend.map_sum("|b|", system_.b.extent(), norms_.data(), NormsOf{}, NoEpilogue{}, system_.b.in());
    return norms_.data();
  }
  /// Solves for z; the system's d is solved for, and its b is written anew.
  Report solve(const StepForm& form, long n, Solver<B, T>& solver, Preconditioner<B, T>* preconditioner,
               const Norms* reference) {
    system_.right_hand_side_of_correction(form, n);
    const bool zero = !guess_->before(system_.b, z_);
    if (zero) z_.clear();
    Report report = solver.solve(system_.A(), preconditioner, system_.b, z_, zero, reference);
    guess_->after(system_.A(), system_.b, z_);
    return report;
  }
  /// acted = u + (w (d + z - p) - c (d - p)) / delta, on which K has acted (after the first step from a start at rest
  /// only), u += d + z, p = d + z
  void advance(const StepForm& form) {
    const T w = T(form.implicit_weight / form.delta), c = T(form.correction / form.delta);
    State<B, T>& s = wave_.state;
    wave_.backend.map(
        "u += d + z, p = d + z", s.u.extent(),
        [=] KERNEL(const T& d, const T& z, T& u, T& p, T& acted) {
          const T first = d - p, whole = d + z;
          acted = u + std::fma(w, first + z, -c * first);
          u += whole;
          p = whole;
        },
        system_.d.in(), z_.in(), s.u.inout(), s.p.inout(), s.acted.out());
  }
  void forget() { guess_->forget(); }
  void archive(Archive& a) { guess_->archive(a, z_); }

 private:
  const Wave& wave_;
  System& system_;
  Vector z_;
  Buffer<B, Norms> norms_;
  std::unique_ptr<Guess<B, T>> guess_;
};

}  // namespace wavesim
