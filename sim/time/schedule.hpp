#pragma once
// When something is due, as whole steps: nothing is accumulated in floating point.

#include <set>

#include "sim/time/scheme.hpp"

namespace wavesim {

class Schedule {
 public:
  /// `fallback`: the number of steps between two times where the config says nothing.
  Schedule(const ScheduleConfig& config, const TimePlan& plan, long fallback);
  bool due(long step) const;
  /// How often it is due in steps 0 .. steps.
  long count() const;

 private:
  long steps_ = 0, every_ = 0;
  double interval_ = 0, dt_ = 0;
  std::set<long> at_;
};

}  // namespace wavesim
