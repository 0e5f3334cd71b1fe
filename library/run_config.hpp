#pragma once
// A run of a config that is read: its folder, the simulation, writers and checkpoints. The program and run() of run.hpp
// share it; what they tell the user in the meantime is theirs.

#include <atomic>
#include <chrono>
#include <functional>

#include "kernels/comm/ranks.hpp"
#include "library/continuation.hpp"

namespace wavesim {

/// What the caller of a run hears of it, and how it stops it. Each may be empty.
struct RunWatcher {
  std::function<void(const ResultDirectory&)> folder_is_taken;  // by its lock; nothing is written yet
  std::function<void(const Config&, const Simulation&, const RunInfo&, const Continuation&)> begins;
  std::function<void(double seconds_left)> steps_begin;  // until time.wall-limit
  std::function<void()> last_step_is_done;
  std::function<void(const Progress&)> progress;
  std::atomic<bool>* save_now = nullptr;    // set: the state is saved after the step at hand
  const std::atomic<bool>* stop = nullptr;  // set: the run ends after the step at hand
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();  // for time.wall-limit
};

struct RunEnd {
  std::filesystem::path folder;
  bool was_complete = false;  // the run that was to go on had nothing left to do; what follows is empty
  RunInfo info;
  RunSummary summary;
  std::vector<std::string> files;
  std::string checkpoint;      // the latest one; empty: none
  double blocked_seconds = 0;  // AsyncWriter's
};

/// Whether several threads may run configs at the same time: the HDF5 library has to be built for that.
bool threads_may_run_configs();

/// Throws the errors of kernels/backend/errors.hpp. With `ranks` this is the first of them.
RunEnd run_config(Config config, const RunOptions& options, const RunWatcher& watcher,
                  Ranks* ranks = nullptr);
/// The part of another rank in it, with the same config and options. Of the watcher it heeds how a run is stopped. Returns a
/// summary that is the same on all ranks in how the run ended.
RunSummary run_with_first(Config config, const RunWatcher& watcher, Ranks& ranks);

}  // namespace wavesim
