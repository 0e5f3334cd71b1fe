#pragma once
#include <atomic>

namespace wavesim {

/// Set by SIGINT, SIGTERM, SIGHUP and SIGXCPU.
extern std::atomic<bool> stop;
/// Which of them it was: the exit status is 128 and this.
extern std::atomic<int> signal_number;
/// Set by SIGUSR1: the state is to be saved.
extern std::atomic<bool> save_now;

/// The first signal ends the work after the step at hand; a second one ends the program. What the user or a shell
/// ignores (nohup) stays ignored. SIGUSR1 asks for the state. To be called before anything else is done.
void stop_at_signals();
/// How long after the first signal the step at hand may take; then the program ends without having saved it. 0:
/// as long as it wants.
void give_the_step(unsigned seconds);
/// The step is done in time.
void step_is_done();
/// Signals end the program at once, also one that has come already: for work that does not look at `stop`.
void end_at_signals();
/// Signals wait until another program, or this one anew, calls stop_at_signals(). False: one has come already.
bool hold_signals();
void release_signals();

}  // namespace wavesim
