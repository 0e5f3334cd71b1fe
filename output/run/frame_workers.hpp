#pragma once
// Frames drawn in parallel, each by one thread.

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "output/run/in_threads.hpp"

namespace wavesim {

/// Lets threads do something one after the other, in the order of their numbers 0, 1, 2, ...
class InOrder {
 public:
  /// work(), after that of all smaller numbers. Does nothing once stopped.
  template <class Work>
  void operator()(std::size_t number, const Work& work) {
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [&] { return next_ == number || stopped_; });
    if (stopped_) return;
    work();
    ++next_;
    turn_.notify_all();
  }
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    turn_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable turn_;
  std::size_t next_ = 0;
  bool stopped_ = false;
};

/// frame(k, worker) for k = 0 .. count - 1, by `workers` threads (worker = 0, 1, ...) that share the
/// processors evenly. The first exception ends the others' work, stops `order` and is thrown.
template <class Frame>
void by_workers(unsigned workers, std::size_t count, InOrder& order, const Frame& frame) {
  std::atomic<std::size_t> next{0};
  std::mutex failing;
  std::exception_ptr failure;
  const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
  const auto work = [&](unsigned worker) {
    const unsigned before = std::exchange(threads_of_this_thread, std::max(1u, processors / workers));
    try {
      for (std::size_t k; (k = next++) < count;) frame(k, worker);
    } catch (...) {
      {
        const std::lock_guard lock(failing);
        if (!failure) failure = std::current_exception();
      }
      next = count;
      order.stop();
    }
    threads_of_this_thread = before;
  };
  {
    std::vector<std::jthread> others;
    try {
      for (unsigned w = 1; w < workers; ++w) others.emplace_back(work, w);
    } catch (const std::system_error&) {
      // the system grants no more threads: those there are do it all
    }
    work(0);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace wavesim
