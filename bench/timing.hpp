#pragma once
// Times of a backend's work: medians of several runs.

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

#include "kernels/backend/stopwatch.hpp"

namespace wavesim {

inline double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// Median seconds of `repetitions` runs of `work` on the backend, after `warm` that do not count; each after
/// `prepare`, which is not counted.
template <class B>
double median_seconds(
    B& be, int repetitions, const std::function<void()>& work, const std::function<void()>& prepare = [] {},
    int warm = 2) {
  Stopwatch<B, 2> watch(be);
  std::vector<double> times;
  for (int k = 0; k < warm + repetitions; ++k) {
    prepare();
    watch.mark(0);
    work();
    watch.mark(1);
    be.synchronize();
    if (k >= warm) times.push_back(watch.seconds(0, 1));
  }
  return median(std::move(times));
}

/// Seconds by the clock of the host until `work` is done on the backend, for what the host takes part in:
/// median of `repetitions` runs, after one that does not count.
template <class B>
double median_wall_seconds(
    B& be, int repetitions, const std::function<void()>& work, const std::function<void()>& prepare = [] {}) {
  using clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (int k = 0; k <= repetitions; ++k) {
    prepare();
    be.synchronize();
    const auto begin = clock::now();
    work();
    be.synchronize();
    if (k > 0) times.push_back(std::chrono::duration<double>(clock::now() - begin).count());
  }
  return median(std::move(times));
}

}  // namespace wavesim
