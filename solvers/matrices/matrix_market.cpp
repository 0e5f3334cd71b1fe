#include "solvers/matrices/matrix_market.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "kernels/backend/errors.hpp"
#include "solvers/matrices/text_lines.hpp"

namespace wavesim {

namespace {

using namespace matrix_market;

constexpr long largest_int = std::numeric_limits<int>::max();
// An extent rounds up to rows of 128, and each row that is added has an entry.
constexpr long most_rows = largest_int - 127, most_entries = largest_int - 127;

enum class Symmetry { general, symmetric, skew };

struct Header {
  bool coordinate = true, integer = false;
  Symmetry symmetry = Symmetry::general;
  long rows = 0, columns = 0, entries = 0;  // entries: that the file should hold
  long line = 0;                            // of the sizes
};

const char* const banner = "%%MatrixMarket";

Header read_header(TextLines& lines) {
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
void read_entries(TextLines& lines, const Header& h, const Take& take) {
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

/// Rows one after the other, columns ascending, with as many rows as columns.
HostCsr sorted_rows(const TextLines& lines, const Header& h, std::vector<Entry> entries, bool singular) {
  const int rows = int(std::max(h.rows, h.columns));
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
  A.square = h.rows == h.columns;
  if (const int row = row_without_entries(A); row > 0 && A.square) {
    if (!singular)
      lines.fail_at(h.line,
                    "row " + number(long(row)) +
                        " has no entries, so the matrix is singular; remove the row and its column, or "
                        "take a method for least squares: --method lsmr");
    A.square = false;
  }
  return A;
}

MatrixOfAnyShape read_of_any_shape(TextLines& lines, const Header& h, bool singular) {
  if (h.rows == 0 || h.columns == 0)
    lines.fail(h.rows == 0 ? "the matrix has no rows; there is nothing to solve"
                           : "the matrix has no columns; there is nothing to solve");
  std::vector<Entry> entries;
  entries.reserve(std::size_t(std::min(h.entries, 1L << 24)));  // the file may announce too many
  read_entries(lines, h, [&](const Entry& e) {
    if (!h.coordinate && e.value == 0) return;
    if (long(entries.size()) + 2 > most_entries)
      lines.fail("the matrix has more than " + number(most_entries) + " entries, which are not supported");
    entries.push_back(e);
    if (h.symmetry != Symmetry::general && e.row != e.column)
      entries.push_back({e.column, e.row, e.line, h.symmetry == Symmetry::skew ? -e.value : e.value});
  });
  // refused before memory for so many rows is allocated
  const long count = long(entries.size());
  if (h.rows == h.columns && !singular && count < h.rows)
    lines.fail_at(h.line, "the matrix has " + number(h.rows) + " rows and only " + number(count) +
                              " entries: rows without any make it singular; remove them and their columns");
  if (std::max(h.rows, h.columns) > (1L << 20) + 16 * count)
    lines.fail_at(h.line, "the matrix has " + number(h.rows) + " rows, " + number(h.columns) +
                              " columns and only " + number(count) +
                              " entries; remove the rows and columns without any");
  return {sorted_rows(lines, h, std::move(entries), singular), int(h.rows), int(h.columns)};
}

}  // namespace

MatrixOfAnyShape read_matrix_market_of_any_shape(const std::filesystem::path& file, bool singular) {
  TextLines lines(file);
  const Header h = read_header(lines);
  return read_of_any_shape(lines, h, singular);
}

HostCsr read_matrix_market(const std::filesystem::path& file) {
  TextLines lines(file);
  const Header h = read_header(lines);
  if (h.rows != h.columns)
    lines.fail("the matrix has " + number(h.rows) + " rows and " + number(h.columns) +
               " columns; only a square one can be solved with");
  return read_of_any_shape(lines, h, false).square;
}

std::vector<std::vector<double>> read_matrix_market_columns(const std::filesystem::path& file, int rows) {
  TextLines lines(file);
  const Header h = read_header(lines);
  if (h.columns == 0) lines.fail("there are no columns; there is nothing to solve");
  if (h.symmetry != Symmetry::general && h.columns > 1)
    lines.fail("right-hand sides are no symmetric matrix; write 'general'");
  if (h.symmetry == Symmetry::skew) lines.fail("a skew-symmetric matrix is no vector; write 'general'");
  if (h.rows != rows)
    lines.fail("the vector has " + number(h.rows) + " rows, and the matrix has " + number(long(rows)));
  if (h.coordinate && h.columns > 1 && h.rows * h.columns > 1L << 26)  // before memory is allocated
    lines.fail_at(h.line, number(h.rows) + " x " + number(h.columns) +
                              " right-hand sides are too many for a coordinate file; write an 'array'");
  std::vector<std::vector<double>> columns;
  std::vector<std::vector<bool>> given;
  const auto room_for = [&](int column) {  // as the file goes on, which may announce too many
    while (int(columns.size()) <= column) {
      columns.emplace_back(rows, 0.0);
      given.emplace_back(rows, false);
    }
  };
  read_entries(lines, h, [&](const Entry& e) {
    room_for(e.column);
    if (given[e.column][e.row])
      lines.fail((h.columns == 1 ? "row " + number(long(e.row) + 1) : place(e.row, e.column)) +
                 " is given a second time; remove one");
    given[e.column][e.row] = true;
    columns[e.column][e.row] = e.value;
  });
  room_for(int(h.columns) - 1);
  return columns;
}

void write_matrix_market_columns(const std::filesystem::path& file,
                                 const std::vector<std::vector<double>>& columns) {
  const std::string beside = file.string() + ".partial";
  const auto fail = [&] {
    const std::string reason = std::strerror(errno);
    std::remove(beside.c_str());
    throw OutputError("cannot write " + file.string() + ": " + reason + "; free space or write elsewhere");
  };
  std::FILE* to = std::fopen(beside.c_str(), "we");
  if (!to) fail();
  std::fprintf(to, "%s matrix array real general\n%zu %zu\n", banner, columns.front().size(), columns.size());
  for (const std::vector<double>& v : columns)
    for (double x : v) std::fprintf(to, "%.17g\n", x);
  const bool written = !std::ferror(to);
  if (std::fclose(to) != 0 || !written) fail();
  if (std::rename(beside.c_str(), file.c_str()) != 0) fail();
}

}  // namespace wavesim
