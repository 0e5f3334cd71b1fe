#pragma once
#include <chrono>

namespace wavesim {

/// make(), and the seconds it takes.
template <class Make>
auto timed(double& seconds, const Make& make) {
  const auto before = std::chrono::steady_clock::now();
  auto made = make();
  seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  return made;
}

}  // namespace wavesim
