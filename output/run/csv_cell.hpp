#pragma once
#include <string>

namespace wavesim {

/// A cell of a CSV file, in quotes where it needs them.
inline std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

}  // namespace wavesim
