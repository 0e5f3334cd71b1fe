#pragma once
// Time between points of a backend's work, without a wait while the points are recorded. A query waits until
// the work is complete.

#include <chrono>

#include "kernels/backend/backend.hpp"

namespace wavesim {

/// N points of time, each of which is recorded repeatedly.
template <class B, int N>
class Stopwatch;

#ifdef __CUDACC__
template <int N>
class Stopwatch<Cuda, N> {
 public:
  explicit Stopwatch(Cuda& backend) : be_(backend) {
    const unsigned waits = backends_on_device > 1 ? cudaEventBlockingSync : cudaEventDefault;
    for (cudaEvent_t& e : at_) check(cudaEventCreateWithFlags(&e, waits));
  }
  Stopwatch(const Stopwatch&) = delete;
  ~Stopwatch() {
    for (cudaEvent_t e : at_) cudaEventDestroy(e);
  }
  void mark(int k) { check(cudaEventRecord(at_[k], be_.stream())); }
  /// Seconds from point `from` to point `to`.
  double seconds(int from, int to) {
    float ms = 0;
    check(cudaEventSynchronize(at_[to]));
    check(cudaEventElapsedTime(&ms, at_[from], at_[to]));
    return ms * 1e-3;
  }

 private:
  Cuda& be_;
  cudaEvent_t at_[N] = {};
};
#else
template <int N>
class Stopwatch<Host, N> {
 public:
  explicit Stopwatch(Host&) {}
  void mark(int k) { at_[k] = clock::now(); }
  double seconds(int from, int to) const {
    return std::chrono::duration<double>(at_[to] - at_[from]).count();
  }

 private:
  using clock = std::chrono::steady_clock;
  clock::time_point at_[N];
};
#endif

}  // namespace wavesim
