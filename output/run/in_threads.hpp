#pragma once
// Work in pieces, by threads of its own. Not OpenMP's: a second team would change how that of the computation
// waits.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace wavesim {

/// How many threads in_threads() takes, as called by this thread; 0: one for each processor.
inline thread_local unsigned threads_of_this_thread = 0;

/// work(k) for k = 0 .. pieces - 1, in any order, by `most` threads at most (0: no such bound); work may not
/// throw.
template <class Work>
void in_threads(std::size_t pieces, const Work& work, unsigned most = 0) {
  std::atomic<std::size_t> next{0};
  const auto some = [&] {
    for (std::size_t k; (k = next++) < pieces;) work(k);
  };
  const unsigned wanted =
      threads_of_this_thread ? threads_of_this_thread : std::thread::hardware_concurrency();
  const std::size_t threads =
      std::min<std::size_t>(pieces, std::max(1u, most ? std::min(most, wanted) : wanted));
  std::vector<std::jthread> others;
  try {
    for (std::size_t t = 1; t < threads; ++t) others.emplace_back(some);
  } catch (const std::system_error&) {
    // the system grants no more threads: those there are do it all
  }
  some();
}

}  // namespace wavesim
