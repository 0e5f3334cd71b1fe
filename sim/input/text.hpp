#pragma once
// Numbers as they appear in sentences for the user.

#include <array>
#include <cstdio>
#include <string>

namespace wavesim {

/// Six significant digits, no trailing zeros: "0.19", "1500", "1e-06".
inline std::string text(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.6g", value);
  return buffer;
}

/// "[0.1, 0.2]"
inline std::string text(const std::array<double, 2>& v) {
  std::string pair(1, '[');
  pair.append(text(v[0])).append(", ").append(text(v[1])).append("]");
  return pair;
}

/// Ends a sentence that begins "there is no file NAME".
inline const char* const elsewhere =
    ", nor one of that name in a folder of --data or WAVESIM_DATA; write its path, absolute or from the "
    "config's "
    "folder, or name the folder that has it with --data";

}  // namespace wavesim
