#pragma once
// After which steps the state of a run is read, and for what.

#include <algorithm>

#include "sim/run/checkpoint_clock.hpp"
#include "sim/run/output_plan.hpp"
#include "sim/time/schedule.hpp"

namespace wavesim {

class Readings {
 public:
  Readings(const Config& c, const Model& model, const TimePlan& plan)
      : steps_(plan.steps),
        frames_(c.output.frames->schedule, plan, usual_interval(plan)),
        pictures_(c.output.pictures ? c.output.pictures->schedule : ScheduleConfig{}, plan,
                  usual_interval(plan)),
        samples_(c.output.receivers.schedule, plan, 1),
        history_(c.output.history.schedule, plan, usual_history(c, plan)),
        energy_(c.output.energy.schedule.given() ? c.output.energy.schedule : c.output.frames->schedule, plan,
                usual_interval(plan)),
        has_pictures_(bool(c.output.pictures)),
        has_receivers_(!model.receivers.empty()),
        balanced_(c.output.energy.balance) {}

  bool frame(long step) const { return frames_.due(step); }
  bool picture(long step) const { return has_pictures_ && pictures_.due(step); }
  bool sample(long step) const { return has_receivers_ && samples_.due(step); }
  bool history(long step) const { return history_.due(step); }
  bool energy(long step) const { return balanced_ || energy_.due(step); }

  /// The first step after step n whose whole state is read, or the last that a pass of several may go to. Samples of
  /// receivers and rows of the history need no such state.
  long next(long n, const CheckpointClock& clock) const {
    const long most = std::min(n + most_at_once, steps_);
    long k = n + 1;
    while (k < most && !frame(k) && !picture(k) && !energy(k) && !clock.due_by_steps(k)) ++k;
    return k;
  }

 private:
  static constexpr long most_at_once = 64;
  const long steps_;
  const Schedule frames_, pictures_, samples_, history_, energy_;
  const bool has_pictures_, has_receivers_, balanced_;
};

}  // namespace wavesim
