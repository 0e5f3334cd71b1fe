#pragma once
// What a run is told beside its config: when to save its state, and when its time on the clock is up.

#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <optional>

#include "solvers/core/archive.hpp"

namespace wavesim {

/// Keeps states of a run. The simulation says when; output/ implements it.
struct StateKeeper {
  virtual ~StateKeeper() = default;
  /// `name_state` names all of the state after `step`. Throws OutputError; SolveError if it is not finite.
  virtual void save(long step, double time, const std::function<void(Archive&)>& name_state) = 0;
};

struct Supervision {
  StateKeeper* keeper = nullptr;                          // null: nothing is saved
  std::optional<long> every;                              // steps between two states
  double wall = std::numeric_limits<double>::infinity();  // seconds by the clock between two
  bool at_end = false;                                    // and when the run ends, early or not
  std::atomic<bool>* now = nullptr;  // set: one after the step at hand; the run clears it
  double wall_limit = std::numeric_limits<double>::infinity();  // seconds by the clock from `started` on
  std::chrono::steady_clock::time_point started{};
  std::function<void()> stopping{};  // called when the last step of a run that is stopped is done
  double expected_save = 0;          // seconds that saving is expected to take, as long as none was saved
};

}  // namespace wavesim
