#pragma once
// A step without a system: A is diagonal.

#include "kernels/backend/stopwatch.hpp"
#include "sim/time/step_system.hpp"
#include "solvers/core/iteration_state.hpp"

namespace wavesim {

template <class B, class T, class Coefficients>
class ExplicitStepOn {
 public:
  using Wave = WaveOn<B, T, Coefficients>;
  explicit ExplicitStepOn(const Wave& wave) : wave_(wave), norms_(wave.backend, 1), clock_(wave.backend) {}

  /// A step is enqueued while the last one runs: its seconds are those of the step before, and the last of
  /// all has its own as well.
  StepResult step(const StepForm& form, long n) {
    StepResult result;
    const int last = mark_, now = last == 2 ? 0 : 2;
    clock_.mark(now);
    result.report.status = advance(form, n);
    wave_.state.track(wave_.setup.plan.dt * double(n + 1));
    clock_.mark(now + 1);
    if (last >= 0) result.solve_seconds = clock_.seconds(last, last + 1);
    if (is_last(n)) result.solve_seconds += clock_.seconds(now, now + 1);
    mark_ = now;
    return result;
  }

  /// d = (M p - beta D p - delta K u + forces) / (M + D/2), u += d, p = carry d + (1 - carry) p, in one pass
  /// over the fields; forces are added where they are. Looked at every hundredth step: what grows is found
  /// soon enough.
  Status advance(const StepForm& form, long n) {
    State<B, T>& s = wave_.state;
    Field<B, T>& u_to = s.u_to();
    const ExplicitStep<T, Coefficients> at{wave_.medium.view(), s.u.data(), T(form.beta_dt), T(form.delta),
                                           T(form.carry)};
    const char* label = "d = (M p - beta D p - delta K u) / (M + D/2), u += d, p = carry d + (1 - carry) p";
    const double read = (1 + Coefficients::words) * sizeof(T);
    const Rows rows{s.u.extent(), wave_.medium.view().edges()};
    const bool look = n % 100 == 99 || is_last(n);
    if (look)
      wave_.backend.rows_sum(
          label, rows, read, norms_.data(),
          [=] KERNEL(Row r, T & to, T & p) { return Norms::of(at(r, to, p)); }, NoEpilogue{}, u_to.out(),
          s.p.inout());
    else
      wave_.backend.rows(
          label, rows, read, [=] KERNEL(Row r, T & to, T & p) { at(r, to, p); }, u_to.out(), s.p.inout());
    wave_.push(form, n, u_to, 1, 0.5);
    wave_.push(form, n, s.p, form.carry, 0.5);
    s.turn();
    return look && !IterationState::finite(norms_.download()[0]) ? Status::not_finite : Status::converged;
  }

 private:
  bool is_last(long n) const { return n + 1 == wave_.setup.plan.steps; }

  const Wave& wave_;
  Buffer<B, Norms> norms_;
  Stopwatch<B, 4> clock_;
  int mark_ = -1;  // of the last step
};

}  // namespace wavesim
