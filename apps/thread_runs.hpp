#pragma once
// Runs beside each other in one process, each in a thread of its own: processes that share a GPU take turns there, threads
// with streams of their own work on it at the same time.

#include <vector>

#include "apps/runs_at_once.hpp"
#include "sim/config/config.hpp"

namespace wavesim {

/// Starts the runs of the configs in their order and returns when all have ended; one that fails ends alone. They replace
/// results that are there. None of them may continue from a
/// checkpoint: reading one takes a child, and a process with threads is not to be forked. All save at SIGUSR1. At other
/// signals (apps/signals.hpp) each ends after its step, within seconds_after_a_signal, and no more are started.
void run_in_threads(const std::vector<Config>& runs, const RunsAtOnce& at_once);

}  // namespace wavesim
