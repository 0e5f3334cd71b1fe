#include "apps/signals.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <ctime>
#include <iterator>

#include "apps/exit_status.hpp"
#include "kernels/comm/handle_signal.hpp"

namespace wavesim {

std::atomic<bool> stop{false};
std::atomic<int> signal_number{0};
std::atomic<bool> save_now{false};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

namespace {

std::atomic<bool> work_finishes{false};
std::atomic<unsigned> seconds_for_the_step{0};
std::atomic<long> first_signal_at{0};  // milliseconds
/// What a run that has written nothing leaves behind at most. Never freed: a signal may come until the end.
std::atomic<const char*> lock_of_run{nullptr}, folder_of_run{nullptr};

constexpr int stopping[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};

long milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return long(now.tv_sec) * 1000 + now.tv_nsec / 1000000;
}

void on_stop(int number) {
  if (stop) {
    // SIGXCPU comes each second once the limit is reached; timeout(1) sends its signal twice, to the process and to its group.
    if (number == SIGXCPU || milliseconds() - first_signal_at < 1000) return;
    std::signal(number, SIG_DFL);
    std::raise(number);
    return;
  }
  first_signal_at = milliseconds();
  signal_number = number;
  stop = true;
  if (!work_finishes) {
    if (const char* lock = lock_of_run) unlink(lock);
    if (const char* folder = folder_of_run) rmdir(folder);  // if it is empty
    _exit(128 + number);
  }
  if (const unsigned seconds = seconds_for_the_step)
    if (const unsigned left = alarm(seconds); left > 0 && left < seconds) alarm(left);
}

void on_alarm(int) {
  constexpr char sentence[] =
      "wavesim: the step at hand takes too long and is given up; the last checkpoint, if any, stays\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, sentence, sizeof sentence - 1);
  _exit(stop ? 128 + signal_number : int(ExitStatus::at_wall_limit));
}

void on_save(int) { save_now = true; }

sigset_t all_of_them() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : heeded_signals()) sigaddset(&set, number);
  return set;
}

}  // namespace

std::vector<int> heeded_signals() {
  std::vector<int> all(std::begin(stopping), std::end(stopping));
  all.push_back(SIGUSR1);
  return all;
}

void stop_at_signals() {
  for (const int number : stopping) handle_signal(number, on_stop);
  handle_signal(SIGUSR1, on_save);
  release_signals();
}

void leave_nothing_of(const std::string& lock, const std::string& folder) {
  folder_of_run = strdup(folder.c_str());
  lock_of_run = strdup(lock.c_str());
}

void let_work_finish() { work_finishes = true; }

void give_the_step(unsigned seconds, double seconds_left) {
  handle_signal(SIGALRM, on_alarm);
  seconds_for_the_step = seconds;
  constexpr double most = 1e9;
  if (seconds_left < most) alarm(unsigned(std::max(1.0, std::ceil(seconds_left))));
  let_work_finish();
}

void step_is_done() {
  seconds_for_the_step = 0;
  alarm(0);
}

void end_at_signals() {
  for (const int number : stopping) handle_signal(number, SIG_DFL);
  handle_signal(SIGUSR1, SIG_DFL);
  if (stop) std::raise(signal_number);
}

bool hold_signals() {
  const sigset_t set = all_of_them();
  sigprocmask(SIG_BLOCK, &set, nullptr);
  return !stop && !save_now;
}

void release_signals() {
  const sigset_t set = all_of_them();
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace wavesim
