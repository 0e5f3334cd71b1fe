#pragma once
// Files for `wavesim solve`, and its reports.

#include <cstdlib>
#include <sstream>
#include <string>

#include "sim/config/tree.hpp"

namespace wavesim {

inline const std::string general = "%%MatrixMarket matrix coordinate real general\n",
                         symmetric = "%%MatrixMarket matrix coordinate real symmetric\n",
                         array = "%%MatrixMarket matrix array real general\n";

/// The second difference of n points, its lower triangle.
inline std::string second_difference(int n) {
  std::ostringstream text;
  text << symmetric << n << " " << n << " " << 2 * n - 1 << "\n";
  for (int i = 1; i <= n; ++i) text << i << " " << i << " 2\n";
  for (int i = 2; i <= n; ++i) text << i << " " << i - 1 << " -1\n";
  return text.str();
}

inline std::string word_of(const Tree& t, const char* key) {
  const Tree* v = t.find(key);
  return v ? v->scalar : "absent";
}
inline double number_of(const Tree& t, const char* key) {
  return std::strtod(word_of(t, key).c_str(), nullptr);
}

inline bool has_line(const std::string& text, const std::string& begin) {
  return text.rfind(begin, 0) == 0 || text.find("\n" + begin) != std::string::npos;
}

}  // namespace wavesim
