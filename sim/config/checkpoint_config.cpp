#include <limits>

#include "sim/config/config.hpp"
#include "sim/config/duration.hpp"

namespace wavesim {

void check_duration(const Where& where, const char* key, const std::string& text) {
  if (text.empty() || duration(text)) return;
  where.fail("'" + std::string(key) + "' must be a time on the clock such as 90s, 30min or 2h, and '" + text +
             "' is none; write a number greater than 0 and its unit: s, min, h or d");
}

void CheckpointConfig::fields(Section& s) {
  s("every", every, {.text = "a checkpoint each so many steps", .unit = "steps", .least = 1});
  s("wall", wall, {.text = "and each so long by the clock: 90s, 30min, 2h; default 30min without 'every'"});
  s("keep", keep, {.text = "so many stay, the latest", .least = 1, .most = 1000});
}

void CheckpointConfig::verify() const { check_duration(where, "checkpoint.wall", wall); }

double CheckpointConfig::wall_seconds() const {
  if (const auto seconds = duration(wall)) return *seconds;
  return every ? std::numeric_limits<double>::infinity() : 1800;
}

}  // namespace wavesim
