#pragma once
// What a run remembers of itself: energy, iterations and seconds, for records, progress and the summary.

#include <chrono>
#include <functional>

#include "sim/run/simulation.hpp"
#include "sim/time/stepper.hpp"
#include "solvers/core/archive.hpp"

namespace wavesim {

class RunLog {
 public:
  explicit RunLog(const TimePlan& plan);

  /// The clock of the run starts.
  void go_on() { started_ = reported_ = clock::now(); }
  /// What method and preconditioner chose at their set-up.
  void describe(const std::string& set_up) { summary_.set_up = set_up; }
  /// A step is done.
  void add(const StepResult& result);
  /// The energy of the state after `step`. Throws SolveError if it is not finite.
  void measure(long step, double energy);
  /// Forgets that an energy was measured: the next record has none.
  void begin_record() { measured_ = false; }
  bool measured() const { return measured_; }
  /// The energy if it was measured for this record, else NaN.
  double energy() const;

  StepRecord record(long step, const StepResult& result) const;
  /// Runs f and counts its time as output.
  template <class F>
  void output(const F& f) {
    const auto before = clock::now();
    f();
    summary_.output_seconds += seconds_since(before);
  }
  /// Calls `progress` if the last call is a tenth of a second ago, or the run at its end.
  void report(const std::function<void(const Progress&)>& progress);
  const RunSummary& finish(const std::string& ending, bool complete);
  /// What it remembers, for a run that goes on.
  void archive(Archive& a);

 private:
  using clock = std::chrono::steady_clock;
  static double seconds_since(clock::time_point t) {
    return std::chrono::duration<double>(clock::now() - t).count();
  }

  const TimePlan& plan_;
  RunSummary summary_;
  double energy_;
  bool measured_ = false;
  long iterations_ = 0, iterations_reported_ = 0, steps_reported_ = 0;
  double seconds_before_ = 0;  // that the run took until it was saved
  clock::time_point started_ = clock::now(), reported_ = started_;
};

}  // namespace wavesim
