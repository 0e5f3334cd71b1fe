#pragma once
#include <atomic>

namespace wavesim {

/// Set by SIGINT or SIGTERM.
extern std::atomic<bool> stop;
/// Which of them it was: the exit status is 128 and this.
extern std::atomic<int> signal_number;

/// The first signal ends the work after the step at hand; a second one ends the program.
void stop_at_signals();

}  // namespace wavesim
