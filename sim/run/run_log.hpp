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
  /// `solvers`: the names of a chain, whose steps are counted; empty: there is one solver. `balanced`: whether the balance
  /// of energy is kept.
  explicit RunLog(const TimePlan& plan, std::vector<std::string> solvers = {}, bool balanced = false);

  /// The clock of the run starts.
  void go_on() { started_ = reported_ = clock::now(); }
  /// A step is done.
  void add(const StepResult& result);
  /// The energy of the state after a step, a finite number. `comparable`: with later ones; that of the start of three
  /// levels is of another form.
  void measure(double energy, bool comparable = true);
  /// What changed the energy in the last step, which was measured after it.
  void balance(const EnergyChange& change);
  /// Whether a balance is wanted and has not begun.
  bool wants_balance() const { return balanced_ && !summary_.balance; }
  /// The balance begins with this energy, in the middle of a run that went on without one.
  void begin_balance(double energy);
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
  /// `set_up`: what method and preconditioner chose at their set-up.
  const RunSummary& finish(const std::string& ending, bool complete, const std::string& set_up = "");
  /// What it remembers, for a run that goes on. `set_up`: as of finish(), so far.
  void archive(Archive& a, const std::string& set_up);

 private:
  using clock = std::chrono::steady_clock;
  static double seconds_since(clock::time_point t) {
    return std::chrono::duration<double>(clock::now() - t).count();
  }

  const TimePlan& plan_;
  const std::vector<std::string> solvers_;
  const bool balanced_;
  bool comparable_ = false;  // whether energy_first is
  RunSummary summary_;
  double energy_;
  bool measured_ = false;
  double balance_from_, balance_scale_ = 0;  // the energy at its beginning, the largest term so far
  long iterations_ = 0, iterations_reported_ = 0, steps_reported_ = 0;
  double seconds_before_ = 0;  // that the run took until it was saved
  clock::time_point started_ = clock::now(), reported_ = started_;
};

}  // namespace wavesim
