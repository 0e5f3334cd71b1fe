#pragma once
// What a run is told beside its config: when to save its state, and when its time on the clock is up.

#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <optional>

#include "kernels/backend/errors.hpp"
#include "solvers/core/archive.hpp"

namespace wavesim {

/// A state that is to be saved is not finite.
struct NotFiniteError : SolveError {
  using SolveError::SolveError;
};

/// Keeps states of a run. The simulation says when; output/ implements it.
struct StateKeeper {
  virtual ~StateKeeper() = default;
  /// Whether the state after `step` is kept already: it is not saved again then.
  virtual bool has(long /*step*/) const { return false; }
  /// `name_state` names all of the state after `step`. Throws OutputError; NotFiniteError.
  virtual void save(long step, double time, const std::function<void(Archive&)>& name_state) = 0;
  /// Keeps a state that is not finite, which no run continues from, for a look at it. The file; empty: there is none.
  virtual std::string keep_aside(long /*step*/, double /*time*/,
                                 const std::function<void(Archive&)>& /*name_state*/) {
    return {};
  }
};

struct Supervision {
  StateKeeper* keeper = nullptr;                          // null: nothing is saved
  std::optional<long> every;                              // steps between two states
  double wall = std::numeric_limits<double>::infinity();  // seconds by the clock between two
  bool at_end = false;                                    // and when the run ends, early or not
  std::atomic<bool>* now = nullptr;  // set: one after the step at hand; the run clears it
  double wall_limit = std::numeric_limits<double>::infinity();  // seconds by the clock from `started` on
  double seconds_left() const {
    return wall_limit - std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  }
  std::chrono::steady_clock::time_point started{};
  std::function<void()> stopping{};  // called when the last step is done, of a run that is stopped or not
  double expected_save = 0;          // seconds that saving is expected to take, as long as none was saved
};

}  // namespace wavesim
