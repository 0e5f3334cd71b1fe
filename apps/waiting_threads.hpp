#pragma once

namespace wavesim {

/// Starts the program anew, with the same words, where threads that wait for others would spin: so that they
/// sleep soon. Beside other programs a thread that spins takes the core from the one it waits for, and a run takes
/// fifteen times as long. OpenMP reads how threads wait from the environment, before main. Returns where that
/// is settled already: by the user, by a start before, or because there is one thread.
void let_waiting_threads_sleep(char** words);

}  // namespace wavesim
