#pragma once
// Runs of this program beside each other, each in a process of its own: one that fails, or is killed, ends alone.

#include <string>
#include <vector>

#include "apps/runs_at_once.hpp"

namespace wavesim {

/// Starts the commands, words after the program's name, in their order and returns when all have ended. The words of an end are
/// the last sentence of the run on stderr, without the program's name. Signals that stop or save are handed on to those that
/// run, and once `stop` (apps/signals.hpp) is set no more are started. Children die with this process. Throws InputError
/// where the system starts no process.
void run_children(const std::vector<std::vector<std::string>>& commands, const RunsAtOnce& at_once);

}  // namespace wavesim
