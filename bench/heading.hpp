#pragma once
// The first line of every measurement: what, when, where.

#include <cstdio>
#include <ctime>

#include "build_facts.hpp"
#include "kernels/device.hpp"

namespace wavesim {

inline void print_heading(const DeviceFacts& device) {
  char today[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(today, sizeof today, "%Y-%m-%d", std::gmtime(&now));
  std::printf("wavesim %s (%s), %s, %s, %s\n", version, commit, today, device.name.c_str(),
              device.detail.c_str());
}

}  // namespace wavesim
