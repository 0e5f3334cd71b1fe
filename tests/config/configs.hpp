#pragma once
// A small config that is right, and what happens to one that is not.

#include <gtest/gtest.h>

#include "kernels/backend/errors.hpp"
#include "sim/config/config.hpp"

namespace wavesim {

inline const char* const small_config = R"(name: small
grid: {size: [1, 2], cells: [10, 20]}
medium: {speed: 3}
time: {end: 1}
)";

/// Reads `text` behind the small config, as "small.yaml"; its first line is line 5.
inline Config with(const std::string& text, const std::vector<std::string>& set = {}) {
  return parse_config(small_config + text, "small.yaml", ".", set);
}

/// The sentence with which a config is refused; "" if it is not.
inline std::string refusal(const std::string& whole, const std::vector<std::string>& set = {}) {
  try {
    parse_config(whole, "small.yaml", ".", set);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}
inline std::string refusal_of(const std::string& text, const std::vector<std::string>& set = {}) {
  return refusal(small_config + text, set);
}

/// The keys and values of a part of a config as a kind writes them: dump_config() is the same for both
/// exactly if they mean the same.
inline std::string dumped(Config config) { return dump_config(config); }

}  // namespace wavesim
