#include "apps/replace_section.hpp"

#include <sstream>
#include <vector>

#include "sim/config/tree.hpp"

namespace wavesim {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// A line that may stand between sections.
bool between(const std::string& line) {
  return line.find_first_not_of(" \t\r") == line.npos || line[0] == '#' || line.rfind("...", 0) == 0;
}

}  // namespace

std::string replace_section(const std::string& text, const std::string& file, const std::string& key,
                            const std::string& section) {
  const Tree root = load_tree(text, file);
  const std::vector<std::string> lines = lines_of(text);
  for (const auto& [name, value] : root.keys)
    if (value.where.column != 1 && (name == key || &value == &root.keys.front().value))
      value.where.fail("the sections of this config do not each begin a line, so '" + key +
                       "' cannot be put in; write each at the begin of a line");

  // Counted from 0: the section is [from, to).
  std::size_t from = lines.size(), to = lines.size();
  if (const Tree* old = root.find(key)) {
    from = std::size_t(old->where.line) - 1;
    for (const auto& [name, value] : root.keys)
      if (value.where.line > old->where.line) to = std::min(to, std::size_t(value.where.line) - 1);
    while (to > from + 1 && between(lines[to - 1])) --to;
  } else {
    while (from > 0 && lines[from - 1].rfind("...", 0) == 0) to = --from;
  }
  std::string out;
  const auto copy = [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) out += lines[k] + "\n";
  };
  copy(0, from);
  out += section;
  copy(to, lines.size());
  return out;
}

}  // namespace wavesim
