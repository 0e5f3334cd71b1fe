#pragma once
// A step that the solver takes as a whole: in one pass over the fields, or a few.

#include <optional>
#include <type_traits>

#include "sim/time/step_system.hpp"
#include "solvers/core/fused_stepper.hpp"

namespace wavesim {

template <class B, class T, class Coefficients>
class FusedStepOn {
 public:
  using Vector = Field<B, T>;
  using Wave = WaveOn<B, T, Coefficients>;
  using System = StepSystem<B, T, Coefficients>;
  /// `stepper` null: there are none.
  FusedStepOn(const Wave& wave, const System& system, FusedStepper<B, T>* stepper)
      : wave_(wave), system_(system), stepper_(stepper) {}

  /// Whether steps of this form are taken so.
  bool takes(const StepForm& form) {
    const std::optional<FusedForm> fused = fused_form(form);
    return stepper_ && fused && stepper_->takes_fused_steps(system_.A(), *fused);
  }
  /// If it fails u and p are as before, but for what rounding leaves of forces that come and go. The report has not
  /// converged then, and `takes` says no.
  Report step(const StepForm& form, long n) {
    State<B, T>& s = wave_.state;
    for (Vector* v : {&spare_, &p_to_})
      if (v->extent().nx == 0) *v = Vector(wave_.backend, s.u.extent());
    Vector& u_to = s.u_to();
    FusedStep<B, T> step{
        &s.u, &s.p, &u_to, &p_to_, form.delta, form.carry, wave_.setup.solver.norm != "increment"};
    if constexpr (lumped)
      wave_.push(form, n, s.p, 1);  // forces enter through p, of which b has M p
    else
      step.force = forces_of(form, n);
    const auto [report, latest] = stepper_->fused_step(system_.A(), step, spare_);
    if (!report.converged() && !takes(form)) {
      if constexpr (lumped) wave_.push(form, n, s.p, -1);
      return report;
    }
    if constexpr (lumped)
      wave_.push(form, n, p_to_, form.carry - 1);  // p_to has (1 - carry) of what was added
    if (latest != &u_to) std::swap(u_to, spare_);
    std::swap(s.p, p_to_);
    s.turn();
    return report;
  }

 private:
  /// Whether M is diagonal.
  static constexpr bool lumped = std::is_same_v<typename Coefficients::Stencil, FivePoint>;

  const Vector* forces_of(const StepForm& form, long n) {
    const double dt = wave_.setup.plan.dt, t = dt * double(n);
    if (!wave_.forces.act(force_weights(form), t, dt) && !wave_.pml.any()) return nullptr;
    if (force_.extent().nx == 0) force_ = Vector(wave_.backend, wave_.state.u.extent());
    force_.clear();
    wave_.forces.add(force_, force_weights(form), t, dt);
    wave_.pml.add(force_, 1, AsItIs{});
    return &force_;
  }

  const Wave& wave_;
  const System& system_;
  FusedStepper<B, T>* stepper_;
  Vector spare_, p_to_, force_;
};

}  // namespace wavesim
