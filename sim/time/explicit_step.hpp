#pragma once
// Steps without a system: A is diagonal.

#include <memory>

#include "kernels/backend/stopwatch.hpp"
#include "sim/time/explicit_passes.hpp"
#include "sim/time/step_system.hpp"
#include "solvers/core/iteration_state.hpp"

namespace wavesim {

template <class B, class T, class Coefficients>
class ExplicitStepOn {
 public:
  using Wave = WaveOn<B, T, Coefficients>;
  ExplicitStepOn(const Wave& wave, std::unique_ptr<ExplicitPasses> passes)
      : wave_(wave), passes_(std::move(passes)), norms_(wave.backend, 1), clock_(wave.backend) {}

  /// From step n towards `until`; `sampled`: whether receivers are sampled after a step in between. Passes are enqueued
  /// while the last one runs: their seconds are those of the one before, and the last of all has its own as well.
  std::vector<StepResult> steps(const StepForm& form, long n, long until,
                                const std::function<bool(long)>& sampled) {
    StepResult each;
    const int last = mark_, now = last == 2 ? 0 : 2;
    clock_.mark(now);
    const long taken = passes_->take(form, n, until - n, sampled);
    const Status found = look(n, n + taken);
    clock_.mark(now + 1);
    if (last >= 0) each.solve_seconds = clock_.seconds(last, last + 1);
    if (n + taken == wave_.setup.plan.steps) each.solve_seconds += clock_.seconds(now, now + 1);
    each.solve_seconds /= double(taken);
    mark_ = now;
    each.report.status = Status::converged;
    std::vector<StepResult> results(std::size_t(taken), each);
    results.back().report.status = found;
    return results;
  }

 private:
  /// Every hundredth step and at the end: what grows is found soon enough.
  Status look(long from, long to) {
    if (from / 100 == to / 100 && to != wave_.setup.plan.steps) return Status::converged;
    wave_.backend.map_sum("|p|", wave_.state.p.extent(), norms_.data(), NormsOf{}, NoEpilogue{},
                          wave_.state.p.in());
    return IterationState::finite(norms_.download()[0]) ? Status::converged : Status::not_finite;
  }

  const Wave& wave_;
  std::unique_ptr<ExplicitPasses> passes_;
  Buffer<B, Norms> norms_;
  Stopwatch<B, 4> clock_;
  int mark_ = -1;  // of the last pass
};

}  // namespace wavesim
