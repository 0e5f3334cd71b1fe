#pragma once
// Runs of this program beside each other, each in a process of its own: one that fails, or is killed, ends alone.

#include <functional>
#include <string>
#include <vector>

namespace wavesim {

/// How a run ended.
struct ChildRunEnd {
  int status = 0;     // its exit status; 128 and the signal that ended it
  std::string words;  // its last sentence on stderr, without the program's name
};

struct ChildRuns {
  std::vector<std::vector<std::string>> commands;  // words after the program's name
  long jobs = 1;                                   // so many at once
  int threads = 1;                                 // of each
  /// Called here as each starts.
  std::function<void(std::size_t command)> started;
  /// Called here as each ends.
  std::function<void(std::size_t command, const ChildRunEnd& end)> ended;
  /// Called here now and then.
  std::function<void(std::size_t running)> waiting;
};

/// Starts the commands in their order and returns when all have ended. Signals that stop or save are handed on to those that
/// run, and once `stop` (apps/signals.hpp) is set no more are started. Children die with this process. Throws InputError
/// where the system starts no process.
void run_children(const ChildRuns& runs);

}  // namespace wavesim
