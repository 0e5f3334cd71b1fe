#pragma once
// Several runs beside each other: how their caller bounds and follows them.

#include <cstddef>
#include <functional>

#include "apps/exit_status.hpp"

namespace wavesim {

struct RunsAtOnce {
  long jobs = 1;    // so many at once
  int threads = 1;  // of each
  /// Called in the calling thread as each starts.
  std::function<void(std::size_t run)> started;
  /// The same as each ends.
  std::function<void(std::size_t run, const End& end)> ended;
  /// The same now and then.
  std::function<void(std::size_t running)> waiting;
};

}  // namespace wavesim
