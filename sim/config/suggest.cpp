#include "sim/config/suggest.hpp"

#include <algorithm>
#include <cctype>

namespace wavesim {

namespace {

char folded(char c) { return c == '_' ? '-' : char(std::tolower(static_cast<unsigned char>(c))); }

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t n = a.size(), m = b.size();
  std::vector<std::vector<int>> d(n + 1, std::vector<int>(m + 1));
  for (std::size_t i = 0; i <= n; ++i) d[i][0] = int(i);
  for (std::size_t j = 0; j <= m; ++j) d[0][j] = int(j);
  for (std::size_t i = 1; i <= n; ++i)
    for (std::size_t j = 1; j <= m; ++j) {
      const bool same = folded(a[i - 1]) == folded(b[j - 1]);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + !same});
      if (i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) && folded(a[i - 2]) == folded(b[j - 1]))
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[n][m];
}

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  std::string best;
  if (word.size() > 100) return best;  // no name: a text in its place
  int least = std::max<int>(1, int(word.size()) / 3) + 1;
  for (const std::string& name : names)
    if (const int distance = edit_distance(word, name); distance < least) {
      least = distance;
      best = name;
    }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& names,
                         std::string_view what) {
  const std::string best = nearest(word, names);
  if (!best.empty()) return "; did you mean '" + best + "'?";
  return "; " + std::string(what) + " " + enumerate(names);
}

std::string enumerate(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

}  // namespace wavesim
