#include "apps/signals.hpp"

#include <unistd.h>

#include <csignal>

namespace wavesim {

std::atomic<bool> stop{false};
std::atomic<int> signal_number{0};
std::atomic<bool> save_now{false};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

namespace {

std::atomic<unsigned> seconds_for_the_step{0};

constexpr int stopping[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};

void on_stop(int number) {
  if (stop) {
    if (number == SIGXCPU) return;  // it comes each second once the limit is reached
    std::signal(number, SIG_DFL);
    std::raise(number);
    return;
  }
  signal_number = number;
  stop = true;
  if (const unsigned seconds = seconds_for_the_step) alarm(seconds);
}

void on_alarm(int) {
  constexpr char sentence[] =
      "wavesim: the step at hand takes too long and is given up; the last checkpoint, if any, stays\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, sentence, sizeof sentence - 1);
  _exit(128 + signal_number);
}

void on_save(int) { save_now = true; }

sigset_t all_of_them() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : stopping) sigaddset(&set, number);
  sigaddset(&set, SIGUSR1);
  return set;
}

void handle(int number, void (*handler)(int)) {
  struct sigaction before {};
  sigaction(number, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, nullptr);
}

}  // namespace

void stop_at_signals() {
  for (const int number : stopping) handle(number, on_stop);
  handle(SIGUSR1, on_save);
  release_signals();
}

void give_the_step(unsigned seconds) {
  handle(SIGALRM, on_alarm);
  seconds_for_the_step = seconds;
  if (stop) alarm(seconds);
}

void step_is_done() {
  seconds_for_the_step = 0;
  alarm(0);
}

void end_at_signals() {
  for (const int number : stopping) handle(number, SIG_DFL);
  handle(SIGUSR1, SIG_DFL);
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
