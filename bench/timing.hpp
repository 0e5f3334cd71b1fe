#pragma once
// Times of a backend's work over several runs: each, their median, their mean and standard deviation.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <vector>

#include "kernels/backend/stopwatch.hpp"

namespace wavesim {

inline double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

struct Spread {
  double mean = 0, deviation = 0;
};
/// Mean and standard deviation of a sample (over n - 1; 0 of one run).
inline Spread spread(const std::vector<double>& times) {
  double sum = 0, squares = 0;
  for (double t : times) sum += t;
  const double mean = sum / double(times.size());
  for (double t : times) squares += (t - mean) * (t - mean);
  return {mean, times.size() > 1 ? std::sqrt(squares / double(times.size() - 1)) : 0.0};
}

/// Seconds of each of `repetitions` runs of `work` on the backend, after `warm` that do not count; each after
/// `prepare`, which is not counted.
template <class B>
std::vector<double> seconds_of_runs(
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
  return times;
}
template <class B>
double median_seconds(
    B& be, int repetitions, const std::function<void()>& work, const std::function<void()>& prepare = [] {},
    int warm = 2) {
  return median(seconds_of_runs(be, repetitions, work, prepare, warm));
}

/// Seconds by the clock of the host until `work` is done on the backend, for what the host takes part in: of
/// each of `repetitions` runs, after one that does not count.
template <class B>
std::vector<double> wall_seconds_of_runs(
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
  return times;
}
template <class B>
double median_wall_seconds(
    B& be, int repetitions, const std::function<void()>& work, const std::function<void()>& prepare = [] {}) {
  return median(wall_seconds_of_runs(be, repetitions, work, prepare));
}

}  // namespace wavesim
