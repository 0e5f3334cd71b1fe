#include "apps/exit_status.hpp"

#include <csignal>

#include "apps/signals.hpp"
#include "output/run/one_line.hpp"
#include "sim/run/simulation.hpp"

namespace wavesim {

std::atomic<bool> output_has_failed{false};

std::string sentence_of(const End& end) {
  return one_line((end.status == ExitStatus::unexpected ? "unexpected: " : "") + end.words);
}

int status_of(const RunSummary& summary) {
  if (summary.complete) return ExitStatus::done;
  if (summary.ending != stopped_by_a_signal) return ExitStatus::at_wall_limit;
  return 128 + (stop ? signal_number.load() : SIGTERM);  // a signal may have come to another rank
}

}  // namespace wavesim
