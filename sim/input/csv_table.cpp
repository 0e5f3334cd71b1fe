#include "sim/input/csv_table.hpp"

#include <cmath>
#include <cstdlib>
#include <fstream>

namespace wavesim {

namespace {

/// Exactly two finite numbers.
bool two_numbers(std::string line, std::array<double, 2>& values) {
  for (char& c : line)
    if (c == ',' || c == ';' || c == '\t' || c == '\r') c = ' ';
  const char* at = line.c_str();
  for (double& v : values) {
    char* end = nullptr;
    v = std::strtod(at, &end);
    if (end == at || !std::isfinite(v)) return false;
    at = end;
  }
  return std::string(at).find_first_not_of(' ') == std::string::npos;
}

}  // namespace

std::vector<std::array<double, 2>> read_csv_table(const std::filesystem::path& path, const Where& where) {
  std::ifstream file(path);
  if (!file)
    where.fail("there is no file " + path.string() + " to read; relative paths start at the config's folder");
  std::vector<std::array<double, 2>> rows;
  std::string line;
  bool first = true;
  for (long number = 1; std::getline(file, line); ++number) {
    const auto begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#') continue;
    std::array<double, 2> values{};
    const bool good = two_numbers(line, values);
    if (good) rows.push_back(values);
    char* end = nullptr;
    std::strtod(line.c_str() + begin, &end);
    const bool names = first && end == line.c_str() + begin;
    if (!good && !names)
      where.fail(path.string() + ":" + std::to_string(number) + " is \"" + line +
                 "\", not two finite numbers; write \"time, value\" in each line");
    first = false;
  }
  return rows;
}

}  // namespace wavesim
