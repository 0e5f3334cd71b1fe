#pragma once
// The time of day for what programs write.

#include <ctime>
#include <string>

namespace wavesim {

/// Now, in UTC, as strftime writes it; of at most 63 characters.
inline std::string utc_time(const char* format = "%Y-%m-%dT%H:%M:%SZ") {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[64];
  std::strftime(text, sizeof text, format, &parts);
  return text;
}

}  // namespace wavesim
