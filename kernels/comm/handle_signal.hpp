#pragma once
#include <csignal>

namespace wavesim {

/// Sets the handler of a signal. What the user or a shell ignores (nohup) stays ignored.
inline void handle_signal(int number, void (*handler)(int)) {
  struct sigaction before {};
  sigaction(number, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, nullptr);
}

}  // namespace wavesim
