#include "sim/input/csv_table.hpp"

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "sim/input/text.hpp"

namespace wavesim {

namespace {

/// Of a line and of a table: more than any has, and little enough for the computer.
constexpr std::size_t longest_line = 4096, most_rows = 50000000;

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
  // Up to the end of the line, not to a byte 0 in it.
  return line.find_first_not_of(' ', std::size_t(at - line.c_str())) == std::string::npos;
}

}  // namespace

std::vector<std::array<double, 2>> read_csv_table(const std::filesystem::path& path, const Where& where) {
  std::ifstream file(path);
  if (!file) where.fail("there is no file " + path.string() + " to read" + elsewhere);
  std::vector<std::array<double, 2>> rows;
  std::array<char, longest_line + 2> buffer{};
  bool first = true;
  for (long number = 1; file.getline(buffer.data(), buffer.size()); ++number) {
    const std::string line(buffer.data(), std::size_t(file.gcount()) - (file.eof() ? 0 : 1));
    const auto begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#') continue;
    std::array<double, 2> values{};
    const bool good = two_numbers(line, values);
    if (good) rows.push_back(values);
    char* end = nullptr;
    std::strtod(line.c_str() + begin, &end);
    const bool names = first && end == line.c_str() + begin;
    if (!good && !names)
      where.fail(path.string() + ":" + std::to_string(number) + " is \"" +
                 (line.size() > 60 ? line.substr(0, 57) + "..." : line) +
                 "\", not two finite numbers; write \"time, value\" in each line");
    first = false;
    if (rows.size() > most_rows)
      where.fail(path.string() + " has more than " + std::to_string(most_rows) +
                 " rows; write fewer, values between them are linear");
  }
  if (file.bad()) where.fail(path.string() + " cannot be read; check that it is a file, and its permissions");
  if (!file.eof())
    where.fail(path.string() + " has a line of more than " + std::to_string(longest_line) +
               " characters; write \"time, value\" in each line");
  return rows;
}

}  // namespace wavesim
