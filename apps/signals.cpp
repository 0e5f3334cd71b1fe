#include "apps/signals.hpp"

#include <csignal>

namespace wavesim {

std::atomic<bool> stop{false};
std::atomic<int> signal_number{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void stop_at_signals() {
  struct sigaction action {};
  action.sa_handler = [](int number) {
    signal_number = number;
    stop = true;
  };
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace wavesim
