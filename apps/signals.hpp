#pragma once
#include <atomic>
#include <string>
#include <vector>

namespace wavesim {

/// Set by SIGINT, SIGTERM, SIGHUP and SIGXCPU.
extern std::atomic<bool> stop;
/// Which of them it was: the exit status is 128 and this.
extern std::atomic<int> signal_number;
/// All signals that a run looks at: the four above, and SIGUSR1.
std::vector<int> heeded_signals();
/// Set by SIGUSR1: the state is to be saved.
extern std::atomic<bool> save_now;

/// From here on the first signal ends the program at once, with its status, until there is work to be finished. What the
/// user or a shell ignores (nohup) stays ignored. SIGUSR1 asks for the state. To be called before anything else is done.
void stop_at_signals();
/// What such an end removes: the lock of a run, and its folder if that is empty.
void leave_nothing_of(const std::string& lock, const std::string& folder);
/// There is work now that ends well: the first signal sets `stop`, and one that comes later than a second after it ends
/// the program.
void let_work_finish();
/// Queues of clusters wait 30 seconds between SIGTERM and SIGKILL.
inline constexpr unsigned seconds_after_a_signal = 20;
/// The same for steps: how long after the first signal the step at hand may take, and how long all steps may; then the
/// program ends without having saved its state, with the status of the signal, or that of time.wall-limit.
void give_the_step(unsigned seconds, double seconds_left);
/// The step is done in time.
void step_is_done();
/// Signals end the program at once, also one that has come already: for work that does not look at `stop`.
void end_at_signals();
/// Signals wait until another program, or this one anew, calls stop_at_signals(). False: one has come already.
bool hold_signals();
void release_signals();

}  // namespace wavesim
