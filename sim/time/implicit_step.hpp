#pragma once
// A step through its system: right-hand side, guess, solve, advance.

#include <optional>

#include "sim/time/correction_on.hpp"
#include "sim/time/exact_energy.hpp"
#include "sim/time/guess_on.hpp"
#include "sim/time/step_system.hpp"

namespace wavesim {

template <class B, class T, class Coefficients>
class ImplicitStepOn {
 public:
  using Wave = WaveOn<B, T, Coefficients>;
  using System = StepSystem<B, T, Coefficients>;
  ImplicitStepOn(const Wave& wave, System& system, Extent e)
      : wave_(wave),
        system_(system),
        options_(options_of(wave.setup)),
        solver_(make_solver<B, T>(options_, wave.backend, system.A())),
        preconditioner_(make_outer_preconditioner<B, T>(options_, wave.backend, system.A())),
        guess_(make_guess<B, T>(wave.setup.guess, wave.backend, e)) {
    if (wave.setup.exact_energy) exact_energy_.emplace(wave.backend, e);
    if (wave.setup.scheme.step.correction != 0) correction_.emplace(wave, system, e);
  }

  Solver<B, T>& solver() { return *solver_; }
  /// What method and preconditioner chose or found at their set-up.
  std::string set_up() const { return describe(options_, *solver_, preconditioner_.get()); }
  bool preconditioned() const { return preconditioner_ != nullptr; }

  /// Makes b; zero is a guess that needs no pass of its own.
  void right_hand_side(const StepForm& form, long n) { system_.right_hand_side(form, n, from_zero()); }
  Report solve(const StepForm& form, long n) {
    const bool zero = !guess_->before(system_.b, system_.d);
    if (zero && !from_zero()) system_.d.clear();
    const Norms* reference =
        options_.norm == "increment" ? nullptr : system_.norms_of_whole_right_hand_side(form);
    Report report = solver_->solve(system_.A(), preconditioner_.get(), system_.b, system_.d, zero, reference);
    const bool three_levels = form.beta_dt != 0;
    if (exact_energy_)
      exact_energy_->correct(system_.A(), system_.b, system_.d, three_levels ? &wave_.state.p : nullptr);
    if (!correction_ || !report.converged()) return report;
    if (!reference) reference = correction_->norms_of_first_right_hand_side();
    guess_->after(system_.A(), system_.b, system_.d);
    const Report second = correction_->solve(form, n, *solver_, preconditioner_.get(), reference);
    return together(std::move(report), second);
  }
  /// u += d, p = carry d + (1 - carry) p
  void advance(const StepForm& form) {
    if (correction_) return correction_->advance(form);
    guess_->after(system_.A(), system_.b, system_.d);
    const T carry = T(form.carry);
    State<B, T>& s = wave_.state;
    wave_.backend.map(
        "u += d, p = carry d + (1 - carry) p", s.u.extent(),
        [=] KERNEL(const T& d, T& u, T& p) {
          u += d;
          p = std::fma(carry, d, (T(1) - carry) * p);
        },
        system_.d.in(), s.u.inout(), s.p.inout());
  }
  /// The matrix is another one from here on.
  void forget() {
    guess_->forget();
    if (correction_) correction_->forget();
  }

  void archive(Archive& a) {
    {
      const auto part = a.part("guess");
      guess_->archive(a, system_.d);
    }
    if (correction_) {
      const auto part = a.part("guess of the correction");
      correction_->archive(a);
    }
    const auto part = a.part("solver");
    solver_->archive(a, system_.A());
  }

 private:
  static SolverOptions options_of(const StepperSetup& setup) {
    SolverOptions o = setup.solver;
    o.expected_solves = setup.plan.steps * (setup.scheme.step.correction != 0 ? 2 : 1);
    return o;
  }
  bool from_zero() const { return wave_.setup.guess.kind == "previous"; }

  const Wave& wave_;
  System& system_;
  const SolverOptions options_;
  std::unique_ptr<Solver<B, T>> solver_;
  std::unique_ptr<Preconditioner<B, T>> preconditioner_;
  std::unique_ptr<Guess<B, T>> guess_;
  std::optional<ExactEnergyOn<B, T>> exact_energy_;
  std::optional<CorrectionOn<B, T, Coefficients>> correction_;
};

}  // namespace wavesim
