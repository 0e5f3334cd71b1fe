#pragma once
// Progress of several runs on stderr.

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "apps/live_line.hpp"
#include "output/run/duration.hpp"
#include "output/sweep/sweep_table.hpp"
#include "output/sweep/time_left.hpp"

namespace wavesim {

/// Runs have the numbers of their starts. `work`: of each, in any unit.
class RunsBar {
 public:
  RunsBar(const SweepTable& table, std::vector<double> work, long jobs, bool quiet)
      : table_(table), all_(work.size()), quiet_(quiet), left_(std::move(work), jobs) {}
  void starts(std::size_t run) { left_.starts(run, now()); }
  void ends(std::size_t run, bool done) {
    left_.ends(run, now(), done);
    ++ended_;
  }
  void show(std::size_t running) {
    const bool last = running == 0 && ended_ == all_;
    if (quiet_ || !line_.is_due(last)) return;
    const auto count = [&](const char* status) {
      return std::count_if(table_.rows.begin(), table_.rows.end(),
                           [&](const SweepRow& row) { return row.status == status; });
    };
    std::string text =
        std::to_string(count("done")) + "/" + std::to_string(table_.rows.size()) + " runs done";
    if (const long failed = count("failed")) text += ", " + std::to_string(failed) + " failed";
    if (running > 0) text += ", " + std::to_string(running) + " running";
    if (last)
      text += ", " + human_duration(now());
    else if (const std::optional<double> seconds = left_.seconds(now()))
      text += ", " + human_duration(*seconds) + " left";
    line_.show(text);
  }

 private:
  double now() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  const SweepTable& table_;
  std::size_t all_, ended_ = 0;
  bool quiet_;
  TimeLeft left_;
  LiveLine line_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace wavesim
