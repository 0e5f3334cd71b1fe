#include "sim/time/schedule.hpp"

#include <cmath>

namespace wavesim {

Schedule::Schedule(const ScheduleConfig& config, const TimePlan& plan, long fallback)
    : steps_(plan.steps), dt_(plan.dt) {
  if (config.interval) {
    interval_ = *config.interval;
    if (interval_ < dt_) interval_ = 0, every_ = 1;
  } else if (!config.times.empty()) {
    for (double t : config.times) {
      if (t < 0 || t > plan.end * (1 + 1e-9) + 0.5 * dt_)
        config.where.fail("times: " + std::to_string(t) + " s lies outside of the run, which ends at " +
                          std::to_string(plan.end) + " s");
      at_.insert(std::lround(t / dt_));
    }
  } else {
    every_ = config.every.value_or(fallback > 0 ? fallback : 1);
  }
}

bool Schedule::due(long step) const {
  if (every_ > 0) return step % every_ == 0;
  if (interval_ > 0) {
    const double k = std::round(double(step) * dt_ / interval_);
    return std::lround(k * interval_ / dt_) == step;
  }
  return at_.count(step) > 0;
}

long Schedule::count() const {
  if (every_ > 0) return steps_ / every_ + 1;
  if (!at_.empty()) return long(at_.size());
  long n = 0;
  for (double k = 0; std::lround(k * interval_ / dt_) <= steps_; ++k) ++n;
  return n;
}

}  // namespace wavesim
