#pragma once
#include <string>

namespace wavesim {

/// A column's name as CSV wants it: quoted where it holds a comma, a quote or a line end.
inline std::string csv_name(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string q = "\"";
  for (char c : name) q += c == '"' ? std::string("\"\"") : std::string(1, c);
  return q + "\"";
}

}  // namespace wavesim
