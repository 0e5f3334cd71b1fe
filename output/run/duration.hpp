#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace wavesim {

/// "0.42 s", "12.3 s", "4 min 05 s", "2 h 07 min".
inline std::string human_duration(double seconds) {
  if (seconds < 59.95) return fmt::format("{:.3g} s", seconds);
  const long s = std::lround(seconds);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

/// "83.14 steps/s", "1136 steps/s".
inline std::string human_rate(double steps_per_second) {
  return steps_per_second < 1000 ? fmt::format("{:.4g} steps/s", steps_per_second)
                                 : fmt::format("{:.0f} steps/s", steps_per_second);
}

}  // namespace wavesim
