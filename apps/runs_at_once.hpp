#pragma once
// Several runs beside each other: how their caller bounds and follows them.

#include <cstddef>
#include <functional>

#include "apps/exit_status.hpp"

namespace wavesim {

struct RunsAtOnce {
  long jobs = 1;    // so many at once
  int threads = 1;  // of each
  /// Called as each starts. Of a run that is a thread, this and the next are called in that thread, beside those of others.
  std::function<void(std::size_t run)> started;
  /// Called as each ends.
  std::function<void(std::size_t run, const End& end)> ended;
  /// Called in the calling thread now and then.
  std::function<void(std::size_t running)> waiting;
};

}  // namespace wavesim
