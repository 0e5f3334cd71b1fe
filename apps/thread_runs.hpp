#pragma once
// Runs beside each other in one process, each in a thread of its own: processes that share a GPU take turns there, threads
// with streams of their own work on it at the same time.

#include <vector>

#include "apps/runs_at_once.hpp"
#include "library/run.hpp"
#include "sim/config/config.hpp"

namespace wavesim {

struct ThreadRun {
  Config config;       // the effective one
  RunOptions options;  // those that make a config are ignored
};

/// Starts the runs in their order and returns when all have ended; one that fails ends alone. None of them may continue from a
/// checkpoint: reading one takes a child, and a process with threads is not to be forked. All save at SIGUSR1. At other
/// signals (apps/signals.hpp) each ends after its step, within seconds_after_a_signal, and no more are started.
void run_in_threads(const std::vector<ThreadRun>& runs, const RunsAtOnce& at_once);

}  // namespace wavesim
