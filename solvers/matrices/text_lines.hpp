#pragma once
// Files of numbers, line by line and word by word, plain or compressed with gzip. Errors name
// file and line.

#include <zlib.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace wavesim::matrix_market {

/// The lines of a file, and the current position.
class TextLines {
 public:
  explicit TextLines(const std::filesystem::path& file);
  ~TextLines() { gzclose(file_); }
  TextLines(const TextLines&) = delete;
  TextLines& operator=(const TextLines&) = delete;

  /// Of the line that was read last, from 1.
  long number() const { return number_; }
  const std::string& name() const { return name_; }
  [[noreturn]] void fail(const std::string& what) const { fail_at(number_, what); }
  [[noreturn]] void fail_at(long line, const std::string& what) const;

  /// The next line that is neither blank nor a comment; false at the end of the file.
  bool next(std::string_view& line);
  bool next_of_any_kind(std::string_view& line);

 private:
  bool fill();

  std::string name_, line_;
  gzFile file_;
  long number_ = 0;
  std::vector<char> buffer_ = std::vector<char>(std::size_t(1) << 18);
  const char *at_ = nullptr, *end_ = nullptr;
};

std::string number(double v);
std::string number(long v);

/// Cuts the next word off a line; empty at its end.
std::string_view word_of(std::string_view& line);
std::string in_quotes(std::string_view word);
std::string lower(std::string_view word);
/// A whole number from `least` to `most`, for a count or an index.
long whole(const TextLines& lines, std::string_view& line, const char* what, long least, long most);
/// A finite value; `integer`: a whole one that a double holds exactly.
double value(const TextLines& lines, std::string_view& line, bool integer);
void end_of_line(const TextLines& lines, std::string_view line, const std::string& expected);

}  // namespace wavesim::matrix_market
