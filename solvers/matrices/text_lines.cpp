#include "solvers/matrices/text_lines.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "kernels/backend/errors.hpp"

namespace wavesim::matrix_market {

namespace {

constexpr std::size_t longest_line = 1 << 16;  // what the file holds may be no text

/// zlib's words without the file's name before them.
std::string reason(std::string_view words) {
  const std::size_t colon = words.rfind(": ");
  return std::string(colon == words.npos ? words : words.substr(colon + 2));
}

}  // namespace

TextLines::TextLines(const std::filesystem::path& file)
    : name_(file.string()), file_(gzopen(file.c_str(), "rb")) {
  if (!file_) throw InputError(name_ + ": cannot be opened: " + std::strerror(errno));
}

void TextLines::fail_at(long line, const std::string& what) const {
  throw InputError(name_ + ":" + std::to_string(line) + ": " + what);
}

bool TextLines::next(std::string_view& line) {
  while (next_of_any_kind(line)) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first != line.npos && line[first] != '%') return true;
  }
  return false;
}

bool TextLines::next_of_any_kind(std::string_view& line) {
  line_.clear();
  for (;;) {
    if (at_ == end_ && !fill()) {
      if (line_.empty()) return false;
      break;  // the last line ends without a newline
    }
    const char* newline = static_cast<const char*>(std::memchr(at_, '\n', std::size_t(end_ - at_)));
    line_.append(at_, newline ? newline : end_);
    if (line_.size() > longest_line)
      fail_at(number_ + 1, "the line has more than " + matrix_market::number(long(longest_line)) +
                               " characters; a Matrix Market file holds an entry in each");
    at_ = newline ? newline + 1 : end_;
    if (newline) break;
  }
  ++number_;
  if (line_.find('\0') != std::string::npos)
    fail("the line holds a byte 0: this is no text; check what file it is");
  if (!line_.empty() && line_.back() == '\r') line_.pop_back();
  line = line_;
  return true;
}

bool TextLines::fill() {
  const int n = gzread(file_, buffer_.data(), unsigned(buffer_.size()));
  int error = Z_OK;
  const char* words = gzerror(file_, &error);
  if (error == Z_ERRNO) throw InputError(name_ + ": cannot be read: " + std::strerror(errno));
  if (n < 0 || error != Z_OK)
    throw InputError(name_ + ":" + std::to_string(number_ + 1) +
                     ": the compressed file is cut off or damaged (" + reason(words) + "); copy it again");
  at_ = buffer_.data();
  end_ = at_ + n;
  return n > 0;
}

std::string number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", v);
  return text;
}
std::string number(long v) { return std::to_string(v); }

std::string_view word_of(std::string_view& line) {
  const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t last = std::min(line.find_first_of(" \t", first), line.size());
  const std::string_view word = line.substr(first, last - first);
  line.remove_prefix(last);
  return word;
}

std::string in_quotes(std::string_view word) {
  std::string text = "'";
  text.append(word.substr(0, 40)).append(word.size() > 40 ? "...'" : "'");
  return text;
}

std::string lower(std::string_view word) {
  std::string s(word);
  for (char& c : s) c = char(std::tolower(static_cast<unsigned char>(c)));
  return s;
}

long whole(const TextLines& lines, std::string_view& line, const char* what, long least, long most) {
  const std::string_view word = word_of(line);
  if (word.empty()) lines.fail(std::string(what) + " is missing");
  long v = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), v);
  const bool all = end == word.data() + word.size();
  if (error == std::errc::invalid_argument || !all)
    lines.fail(std::string(what) + ", " + in_quotes(word) + ", is not a whole number");
  const std::string digits(word.substr(0, 40));
  if (error == std::errc::result_out_of_range || v > most)
    lines.fail(std::string(what) + ", " + digits + ", is larger than " + number(most));
  if (v < least) lines.fail(std::string(what) + ", " + digits + ", is less than " + number(least));
  return v;
}

double value(const TextLines& lines, std::string_view& line, bool integer) {
  std::string_view word = word_of(line);
  if (word.empty()) lines.fail("the value is missing");
  const std::string_view digits =
      word.front() == '+' && word.size() > 1 && word[1] != '-' ? word.substr(1) : word;
  double v = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), v);
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size())
    lines.fail("the value, " + in_quotes(word) + ", is not a number");
  if (error == std::errc::result_out_of_range) v = std::strtod(std::string(digits).c_str(), nullptr);
  if (!(std::abs(v) <= std::numeric_limits<double>::max()))
    lines.fail("the value, " + in_quotes(word) + ", is not finite");
  if (integer && (v != std::floor(v) || std::abs(v) > 9007199254740992.0))
    lines.fail("the value, " + in_quotes(word) +
               ", is not a whole number of at most 2^53, as 'integer' says it is");
  return v;
}

void end_of_line(const TextLines& lines, std::string_view line, const std::string& expected) {
  if (const std::string_view word = word_of(line); !word.empty())
    lines.fail(in_quotes(word) + " is too much: the line should hold " + expected);
}

}  // namespace wavesim::matrix_market
