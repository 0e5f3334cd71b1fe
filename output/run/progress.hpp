#pragma once
// How far a run is, on stderr.

#include <chrono>
#include <cstdio>
#include <string>

#include "sim/run/simulation.hpp"

namespace wavesim {

/// "step 1200/4000, t = 0.012 s, 83.14 steps/s, 7.2 iterations, energy 1.23e-05, 34 s left"
std::string progress_text(const Progress& now);

/// A bar that is redrawn on a terminal; elsewhere plain lines, at most one in `quiet_seconds`, and the last.
class ProgressBar {
 public:
  explicit ProgressBar(std::FILE* stream = stderr, double quiet_seconds = 10);
  ~ProgressBar();  // leaves the cursor on a line of its own
  void operator()(const Progress& now);

 private:
  std::FILE* stream_;
  double quiet_seconds_;
  bool terminal_, open_line_ = false;
  std::chrono::steady_clock::time_point shown_;
};

}  // namespace wavesim
