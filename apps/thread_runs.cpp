#include "apps/thread_runs.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <list>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "apps/signals.hpp"
#include "kernels/backend/device_share.hpp"
#include "library/run_config.hpp"
#include "output/run/in_threads.hpp"

namespace wavesim {

namespace {

/// Runs that have ended, by number, as their threads tell it.
class Ended {
 public:
  void add(std::size_t run) {
    const std::lock_guard lock(mutex_);
    ended_.push_back(run);
    changed_.notify_one();
  }
  /// All since the last call, after a moment at most.
  std::vector<std::size_t> take() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(100), [&] { return !ended_.empty(); });
    return std::exchange(ended_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::size_t> ended_;
};

/// A run until the end of its last step: what a signal gives little time to.
class UnderWay {
 public:
  explicit UnderWay(std::atomic<int>& count) : count_(count) { ++count_; }
  UnderWay(const UnderWay&) = delete;
  ~UnderWay() { ends(); }
  void ends() { count_ -= std::exchange(counted_, false); }

 private:
  std::atomic<int>& count_;
  bool counted_ = true;
};

/// Where an exception ends the caller, its runs stop first.
struct StopAtException {
  StopAtException() = default;
  StopAtException(const StopAtException&) = delete;
  ~StopAtException() {
    if (std::uncaught_exceptions() > 0) stop = true;
  }
};

struct Running {
  explicit Running(std::size_t n) : number(n) {}
  std::size_t number;
  std::atomic<bool> save_now{false};
  std::jthread thread;
};

End end_of_run(const Config& config, std::atomic<bool>& save, std::atomic<int>& count) {
  UnderWay steps(count);
  RunOptions options;
  options.overwrite = true;
  RunWatcher watcher;
  watcher.save_now = &save;
  watcher.stop = &stop;
  watcher.last_step_is_done = [&] { steps.ends(); };
  return end_of([&] {
    const RunEnd end = run_config(config, options, watcher);
    return End{end.was_complete ? int(ExitStatus::done) : status_of(end.summary)};
  });
}

}  // namespace

void run_in_threads(const std::vector<Config>& runs, const RunsAtOnce& at_once) {
  Ended ended;
  std::atomic<int> under_way{0};
  std::list<Running> running;
  const StopAtException stop_at_exception;
  std::size_t next = 0;
  long jobs = at_once.jobs;
  const auto start = [&](Running& one) {
    one.thread = std::jthread([&, number = one.number] {
      at_once.started(number);
      omp_set_num_threads(at_once.threads);
      threads_of_this_thread = unsigned(at_once.threads);
      backends_on_device = int(std::min<std::size_t>(std::size_t(at_once.jobs), runs.size()));
      const End end = end_of_run(runs[number], one.save_now, under_way);
      at_once.ended(number, {end.status, end.words.empty() ? "" : sentence_of(end)});
      ended.add(number);
    });
  };
  give_the_step(seconds_after_a_signal, std::numeric_limits<double>::infinity());
  while (!running.empty() || (next < runs.size() && !stop)) {
    while (!stop && next < runs.size() && long(running.size()) < jobs) {
      try {
        start(running.emplace_back(next));
        ++next;
      } catch (const std::system_error& e) {
        running.pop_back();
        jobs = long(running.size());  // the system grants no more threads
        if (jobs == 0)
          throw InputError(std::string("cannot start a run: ") + e.code().message() +
                           "; end other programs and run again");
      }
    }
    if (save_now.exchange(false))
      for (Running& one : running) one.save_now = true;
    if (stop && under_way == 0) step_is_done();
    at_once.waiting(running.size());
    for (const std::size_t number : ended.take())
      running.remove_if([number](const Running& one) { return one.number == number; });
  }
  step_is_done();
}

}  // namespace wavesim
