#pragma once
// Time between two points of a backend's work, without making it wait: read it after the work is known to be
// done.

#include <chrono>

#include "kernels/backend.hpp"

namespace wavesim {

template <class B>
class Stopwatch;

#ifdef __CUDACC__
template <>
class Stopwatch<Cuda> {
 public:
  explicit Stopwatch(Cuda& backend) : be_(backend) {
    check(cudaEventCreate(&from_));
    check(cudaEventCreate(&to_));
  }
  Stopwatch(const Stopwatch&) = delete;
  ~Stopwatch() {
    cudaEventDestroy(from_);
    cudaEventDestroy(to_);
  }
  void start() { check(cudaEventRecord(from_, be_.stream())); }
  void stop() { check(cudaEventRecord(to_, be_.stream())); }
  double seconds() {
    float ms = 0;
    check(cudaEventSynchronize(to_));
    check(cudaEventElapsedTime(&ms, from_, to_));
    return ms * 1e-3;
  }

 private:
  Cuda& be_;
  cudaEvent_t from_ = nullptr, to_ = nullptr;
};
#else
template <>
class Stopwatch<Host> {
 public:
  explicit Stopwatch(Host&) {}
  void start() { from_ = clock::now(); }
  void stop() { to_ = clock::now(); }
  double seconds() const { return std::chrono::duration<double>(to_ - from_).count(); }

 private:
  using clock = std::chrono::steady_clock;
  clock::time_point from_, to_;
};
#endif

}  // namespace wavesim
