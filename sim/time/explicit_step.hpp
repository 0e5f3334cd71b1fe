#pragma once
// Steps without a system: A is diagonal.

#include <algorithm>
#include <memory>

#include "kernels/backend/stopwatch.hpp"
#include "kernels/memory/host_value.hpp"
#include "sim/time/explicit_passes.hpp"
#include "sim/time/step_system.hpp"
#include "solvers/core/iteration_state.hpp"

namespace wavesim {

template <class B, class T, class Coefficients>
class ExplicitStepOn {
 public:
  using Wave = WaveOn<B, T, Coefficients>;
  ExplicitStepOn(const Wave& wave, std::unique_ptr<ExplicitPasses> passes)
      : wave_(wave), takes_(std::move(passes)), clock_(wave.backend) {}

  bool steps_layers() const { return takes_->steps_layers(); }
  /// From step n towards `until`; `sampled`: whether receivers are sampled after a step in between. Passes are enqueued
  /// while others run, so that their seconds are looked at later, and whether their state is finite: those of a round of passes are
  /// told with steps after the next round, and what is left with the last step of all.
  std::vector<StepResult> steps(const StepForm& form, long n, long until,
                                const std::function<bool(long)>& sampled) {
    if (steps_ == 0) clock_.mark(mark_);
    const long taken = takes_->take(form, n, until - n, sampled);
    look(n, n + taken);
    const bool last = n + taken == wave_.setup.plan.steps;
    StepResult each;
    const double told = std::min(measured_ - told_, seconds_a_step_ * double(taken));
    each.solve_seconds = told / double(taken);
    told_ += told;
    each.report.status = Status::converged;
    steps_ += taken;
    if (steps_ >= steps_of_a_round || n + taken == until) end_round();  // the caller reads the state there
    std::vector<StepResult> results(std::size_t(taken), each);
    if (last) {
      measure_round();
      results.back().solve_seconds += measured_ - told_;
    }
    results.back().report.status = found_;
    return results;
  }

 private:
  static constexpr int steps_of_a_round = B::asynchronous ? 56 : 1;  // about those of a launch (leapfrog.hpp)

  void end_round() {
    clock_.mark(mark_ + 1);
    measure_round();  // the one before
    ended_mark_ = mark_, ended_steps_ = steps_, ended_looks_ = looks_;
    mark_ = mark_ == 2 ? 0 : 2;
    steps_ = 0, looks_ = false;
  }
  /// Waits for the round that has ended.
  void measure_round() {
    if (ended_mark_ < 0) return;
    const double seconds = clock_.seconds(ended_mark_, ended_mark_ + 1);
    measured_ += seconds;
    seconds_a_step_ = seconds / double(ended_steps_);
    if (ended_looks_) see(ended_mark_);
    ended_mark_ = -1;
  }
  /// Every hundredth step and at the end: what grows is found soon enough. To wait for the norm there would leave a GPU without
  /// work, one that several runs share most of all.
  void look(long from, long to) {
    if (from / 100 == to / 100 && to != wave_.setup.plan.steps) return;
    wave_.backend.map_sum("|p|", wave_.state.p.extent(), norms_[mark_ / 2].place(), NormsOf{}, NoEpilogue{},
                          wave_.state.p.in());
    if constexpr (B::asynchronous)
      looks_ = true;
    else
      see(mark_);
  }
  void see(int mark) {
    if (!IterationState::finite(norms_[mark / 2].value())) found_ = Status::not_finite;
  }

  const Wave& wave_;
  std::unique_ptr<ExplicitPasses> takes_;
  /// Of p, in the round at hand and the one before. Of two looks in one round the later counts: what is not finite stays so.
  HostValue<B, Norms> norms_[2];
  Status found_ = Status::converged;
  Stopwatch<B, 4> clock_;
  int mark_ = 0,
      ended_mark_ = -1;  // where the round at hand begins, and the one that has ended; -1: it is measured
  long steps_ = 0, ended_steps_ = 0;          // of both
  bool looks_ = false, ended_looks_ = false;  // whether their norms are wanted
  double seconds_a_step_ = 0;                 // of the last round that was measured
  double measured_ = 0, told_ = 0;            // seconds of all
};

}  // namespace wavesim
