#include "solvers/matrices/matrix_market.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "kernels/backend/errors.hpp"

namespace wavesim {

namespace {

constexpr long largest_int = std::numeric_limits<int>::max();
constexpr long most_rows = largest_int - 127;  // an extent rounds up to rows of 128

std::string number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", v);
  return text;
}
std::string number(long v) { return std::to_string(v); }

/// The lines of a file, plain or compressed, and where we are in it.
class Lines {
 public:
  explicit Lines(const std::filesystem::path& file)
      : name_(file.string()), file_(gzopen(file.c_str(), "rb")) {
    if (!file_) throw InputError(name_ + ": cannot be opened: " + std::strerror(errno));
  }
  ~Lines() { gzclose(file_); }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  long number() const { return number_; }
  const std::string& name() const { return name_; }
  [[noreturn]] void fail(const std::string& what) const { fail_at(number_, what); }
  [[noreturn]] void fail_at(long line, const std::string& what) const {
    throw InputError(name_ + ":" + std::to_string(line) + ": " + what);
  }

  /// The next line that is neither blank nor a comment; false at the end of the file.
  bool next(std::string_view& line) {
    while (next_of_any_kind(line)) {
      const std::size_t first = line.find_first_not_of(" \t");
      if (first != line.npos && line[first] != '%') return true;
    }
    return false;
  }
  bool next_of_any_kind(std::string_view& line) {
    line_.clear();
    for (;;) {
      if (at_ == end_ && !fill()) {
        if (line_.empty()) return false;
        break;  // the last line ends without a newline
      }
      const char* newline = static_cast<const char*>(std::memchr(at_, '\n', std::size_t(end_ - at_)));
      line_.append(at_, newline ? newline : end_);
      at_ = newline ? newline + 1 : end_;
      if (newline) break;
    }
    ++number_;
    if (!line_.empty() && line_.back() == '\r') line_.pop_back();
    line = line_;
    return true;
  }

 private:
  bool fill() {
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
  /// zlib's words without the file's name before them.
  std::string reason(std::string_view words) const {
    const std::size_t colon = words.rfind(": ");
    return std::string(colon == words.npos ? words : words.substr(colon + 2));
  }

  std::string name_, line_;
  gzFile file_;
  long number_ = 0;
  std::vector<char> buffer_ = std::vector<char>(std::size_t(1) << 18);
  const char *at_ = nullptr, *end_ = nullptr;
};

/// Cuts the next word off a line; empty at its end.
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

/// A whole number from `least` to `most`, for a count or an index.
long whole(const Lines& lines, std::string_view& line, const char* what, long least, long most) {
  const std::string_view word = word_of(line);
  if (word.empty()) lines.fail(std::string(what) + " is missing");
  long v = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), v);
  const bool all = end == word.data() + word.size();
  if (error == std::errc::invalid_argument || !all)
    lines.fail(std::string(what) + ", " + in_quotes(word) + ", is not a whole number");
  if (error == std::errc::result_out_of_range || v > most)
    lines.fail(std::string(what) + ", " + std::string(word) + ", is larger than " + number(most));
  if (v < least) lines.fail(std::string(what) + ", " + std::string(word) + ", is less than " + number(least));
  return v;
}

/// A finite value; `integer`: a whole one that a double holds exactly.
double value(const Lines& lines, std::string_view& line, bool integer) {
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

void end_of_line(const Lines& lines, std::string_view line, const std::string& expected) {
  if (const std::string_view word = word_of(line); !word.empty())
    lines.fail(in_quotes(word) + " is too much: the line should hold " + expected);
}

enum class Symmetry { general, symmetric, skew };

struct Header {
  bool coordinate = true, integer = false;
  Symmetry symmetry = Symmetry::general;
  long rows = 0, columns = 0, entries = 0;  // entries: that the file should hold
  long line = 0;                            // of the sizes
};

const char* const banner = "%%MatrixMarket";

Header read_header(Lines& lines) {
  Header h;
  std::string_view line;
  if (!lines.next_of_any_kind(line))
    throw InputError(
        lines.name() +
        ": the file is empty; a Matrix Market file begins with '%%MatrixMarket matrix coordinate "
        "real general' or the like");
  if (lower(word_of(line)) != lower(banner))
    lines.fail("not a Matrix Market file: it does not begin with '%%MatrixMarket'");
  const std::string object = lower(word_of(line)), format = lower(word_of(line)),
                    field = lower(word_of(line)), symmetry = lower(word_of(line));
  if (object != "matrix") lines.fail(in_quotes(object) + " is not supported; 'matrix' is");
  if (format != "coordinate" && format != "array")
    lines.fail("the format is " + in_quotes(format) + "; it has to be 'coordinate' or 'array'");
  if (field == "pattern")
    lines.fail("a 'pattern' matrix has no values; 'real' and 'integer' matrices are supported");
  if (field != "real" && field != "double" && field != "integer")
    lines.fail(in_quotes(field) + " values are not supported; 'real' and 'integer' are");
  if (symmetry == "symmetric")
    h.symmetry = Symmetry::symmetric;
  else if (symmetry == "skew-symmetric")
    h.symmetry = Symmetry::skew;
  else if (symmetry != "general")
    lines.fail(in_quotes(symmetry) + " is not supported; 'general', 'symmetric' and 'skew-symmetric' are");
  end_of_line(lines, line, "'%%MatrixMarket matrix', a format, a field and a symmetry");
  h.coordinate = format == "coordinate";
  h.integer = field == "integer";

  if (!lines.next(line)) lines.fail("the file ends before the line of its sizes");
  h.line = lines.number();
  h.rows = whole(lines, line, "the number of rows", 0, most_rows);
  h.columns = whole(lines, line, "the number of columns", 0, most_rows);
  if (h.coordinate) h.entries = whole(lines, line, "the number of entries", 0, largest_int);
  end_of_line(lines, line, h.coordinate ? "rows, columns and entries" : "rows and columns");
  if (h.symmetry != Symmetry::general && h.rows != h.columns)
    lines.fail("a symmetric matrix has to be square; this one is " + number(h.rows) + " x " +
               number(h.columns));
  if (!h.coordinate)
    h.entries = h.symmetry == Symmetry::general ? h.rows * h.columns
                : h.symmetry == Symmetry::skew  ? h.rows * (h.rows - 1) / 2
                                                : h.rows * (h.rows + 1) / 2;
  return h;
}

struct Entry {
  int row, column;
  int line;
  double value;
};

std::string place(long row, long column) {
  return "row " + number(row + 1) + ", column " + number(column + 1);
}

/// Calls take(Entry) on what the file holds, from zero, a triangle if the matrix is symmetric.
template <class Take>
void read_entries(Lines& lines, const Header& h, const Take& take) {
  const bool skew = h.symmetry == Symmetry::skew, triangle = h.symmetry != Symmetry::general;
  long next_row = skew ? 1 : 0, next_column = 0;  // of an array: columns one after the other
  std::string_view line;
  long read = 0;
  for (; lines.next(line); ++read) {
    if (read == h.entries)
      lines.fail("there are more entries than the " + number(h.entries) + " that line " + number(h.line) +
                 " announces");
    Entry e{int(next_row), int(next_column), int(std::min(lines.number(), largest_int)), 0};
    if (h.coordinate) {
      e.row = int(whole(lines, line, "the row", 1, h.rows)) - 1;
      e.column = int(whole(lines, line, "the column", 1, h.columns)) - 1;
    } else if (++next_row == h.rows) {
      ++next_column;
      next_row = !triangle ? 0 : next_column + (skew ? 1 : 0);
    }
    e.value = value(lines, line, h.integer);
    end_of_line(lines, line, h.coordinate ? "a row, a column and a value" : "one value");
    if (skew && e.row == e.column && e.value != 0)
      lines.fail("the diagonal of a skew-symmetric matrix is zero; " + place(e.row, e.column) + " is " +
                 number(e.value));
    take(e);
  }
  if (read < h.entries)
    lines.fail("the file ends after " + number(read) + " of the " + number(h.entries) +
               " entries that line " + number(h.line) + " announces; it may be cut off");
}

/// Rows one after the other, columns ascending.
HostCsr sorted_rows(const Lines& lines, const Header& h, std::vector<Entry> entries) {
  const int rows = int(h.rows);
  HostCsr A;
  A.rows = rows;
  A.start.assign(std::size_t(rows) + 1, 0);
  for (const Entry& e : entries) ++A.start[std::size_t(e.row) + 1];
  for (int i = 0; i < rows; ++i) A.start[std::size_t(i) + 1] += A.start[i];
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.row != b.row ? a.row < b.row : a.column != b.column ? a.column < b.column : a.line < b.line;
  });
  A.column.reserve(entries.size());
  A.value.reserve(entries.size());
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Entry& e = entries[k];
    if (k > 0 && entries[k - 1].row == e.row && entries[k - 1].column == e.column)
      lines.fail_at(e.line, place(e.row, e.column) + " is given a second time, after line " +
                                number(long(entries[k - 1].line)) +
                                " (in a symmetric matrix an entry stands for its mirror image too); readers "
                                "disagree on what that means, so remove one or write their sum");
    A.column.push_back(e.column);
    A.value.push_back(e.value);
  }
  for (int i = 0; i < rows; ++i)
    if (A.start[i] == A.start[std::size_t(i) + 1])
      lines.fail_at(h.line, "row " + number(long(i) + 1) +
                                " has no entries, so the matrix is singular; remove the row and its column");
  return A;
}

}  // namespace

HostCsr read_matrix_market(const std::filesystem::path& file) {
  Lines lines(file);
  const Header h = read_header(lines);
  if (h.rows != h.columns)
    lines.fail("the matrix has " + number(h.rows) + " rows and " + number(h.columns) +
               " columns; only a square one can be solved with");
  if (h.rows == 0) lines.fail("the matrix has no rows; there is nothing to solve");

  std::vector<Entry> entries;
  entries.reserve(std::size_t(std::min(h.entries, 1L << 24)));  // no more on the word of a file
  read_entries(lines, h, [&](const Entry& e) {
    if (!h.coordinate && e.value == 0) return;
    if (long(entries.size()) + 2 > largest_int)
      lines.fail("the matrix has more than 2147483647 entries, which are not supported");
    entries.push_back(e);
    if (h.symmetry != Symmetry::general && e.row != e.column)
      entries.push_back({e.column, e.row, e.line, h.symmetry == Symmetry::skew ? -e.value : e.value});
  });
  if (long(entries.size()) < h.rows)  // said before memory is asked for so many rows
    lines.fail_at(h.line, "the matrix has " + number(h.rows) + " rows and only " +
                              number(long(entries.size())) +
                              " entries: rows without any make it singular; remove them and their columns");
  return sorted_rows(lines, h, std::move(entries));
}

std::vector<double> read_matrix_market_vector(const std::filesystem::path& file, int rows) {
  Lines lines(file);
  const Header h = read_header(lines);
  if (h.columns != 1)
    lines.fail("a vector has one column, and this matrix has " + number(h.columns) +
               "; write the right-hand sides into files of their own");
  if (h.symmetry == Symmetry::skew) lines.fail("a skew-symmetric matrix is no vector; write 'general'");
  if (h.rows != rows)
    lines.fail("the vector has " + number(h.rows) + " rows, and the matrix has " + number(long(rows)));
  std::vector<double> v(rows, 0);
  std::vector<bool> given(rows, false);
  read_entries(lines, h, [&](const Entry& e) {
    if (given[e.row]) lines.fail("row " + number(long(e.row) + 1) + " is given a second time; remove one");
    given[e.row] = true;
    v[e.row] = e.value;
  });
  return v;
}

void write_matrix_market_vector(const std::filesystem::path& file, const std::vector<double>& v) {
  const std::string beside = file.string() + ".partial";
  const auto fail = [&] {
    const std::string reason = std::strerror(errno);
    std::remove(beside.c_str());
    throw OutputError("cannot write " + file.string() + ": " + reason + "; free space or write elsewhere");
  };
  std::FILE* to = std::fopen(beside.c_str(), "we");
  if (!to) fail();
  std::fprintf(to, "%s matrix array real general\n%zu 1\n", banner, v.size());
  for (double x : v) std::fprintf(to, "%.17g\n", x);
  const bool written = !std::ferror(to);
  if (std::fclose(to) != 0 || !written) fail();
  if (std::rename(beside.c_str(), file.c_str()) != 0) fail();
}

}  // namespace wavesim
