#pragma once
// How long the runs of a sweep or a survey will still take.

#include <optional>
#include <vector>

namespace wavesim {

/// Expects each run to take as long for its work as those that have ended did.
class TimeLeft {
 public:
  /// `work`: of each run in the order of their starts, in any unit. `jobs`: runs at once.
  TimeLeft(std::vector<double> work, long jobs);
  /// `now`: seconds by a clock.
  void starts(std::size_t run, double now);
  /// `counts`: its duration says something about the others.
  void ends(std::size_t run, double now, bool counts);
  /// Seconds until the last one ends. None before the first end, and where those that run take longer than expected
  /// and none waits.
  std::optional<double> seconds(double now) const;

 private:
  struct Running {
    std::size_t run;
    double since;
  };
  std::vector<double> work_;
  long jobs_;
  std::vector<Running> running_;
  std::size_t started_ = 0;
  double work_done_ = 0, seconds_of_it_ = 0;
};

}  // namespace wavesim
