#pragma once

#include <string>

namespace wavesim {

/// Whether anything but its first state feeds the wave of an effective config: its energy does not measure errors then.
inline bool is_driven(const std::string& config) {
  const auto says = [&](const char* word) { return config.find(word) != std::string::npos; };
  return says("sources:") || says("incoming") || says("driven");
}

}  // namespace wavesim
