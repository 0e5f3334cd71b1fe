#include "output/sweep/time_left.hpp"

#include <algorithm>

namespace wavesim {

TimeLeft::TimeLeft(std::vector<double> work, long jobs) : work_(std::move(work)), jobs_(jobs) {}

void TimeLeft::starts(std::size_t run, double now) {
  running_.push_back({run, now});
  started_ = std::max(started_, run + 1);
}

void TimeLeft::ends(std::size_t run, double now, bool counts) {
  const auto ended =
      std::find_if(running_.begin(), running_.end(), [&](const Running& r) { return r.run == run; });
  if (ended == running_.end()) return;
  if (counts) {
    work_done_ += work_[run];
    seconds_of_it_ += now - ended->since;
  }
  running_.erase(ended);
}

std::optional<double> TimeLeft::seconds(double now) const {
  if (work_done_ <= 0) return std::nullopt;
  const auto expected = [&](std::size_t run) { return seconds_of_it_ / work_done_ * work_[run]; };
  std::vector<double> busy;  // how long each process is
  for (const Running& r : running_) busy.push_back(std::max(0.0, expected(r.run) - (now - r.since)));
  busy.resize(std::max(busy.size(), std::size_t(jobs_)), 0.0);
  for (std::size_t run = started_; run < work_.size(); ++run)
    *std::min_element(busy.begin(), busy.end()) += expected(run);
  const double most = *std::max_element(busy.begin(), busy.end());
  return most > 0 ? std::optional(most) : std::nullopt;
}

}  // namespace wavesim
