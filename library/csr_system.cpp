#include "library/csr_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "kernels/backend/errors.hpp"

namespace wavesim {

namespace {

/// An extent rounds up to rows of 128, and each row that is added has an entry.
constexpr std::size_t most = std::size_t(std::numeric_limits<int>::max()) - 127;

template <class... V>
[[noreturn]] void refuse(const V&... words) {
  const auto text = [](const auto& word) {
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(word)>>)
      return std::to_string(word);
    else
      return std::string(word);
  };
  throw InputError("the system: " + (text(words) + ...));
}

int columns_of(const CsrSystem& s) { return s.columns.value_or(int(s.row_start.size()) - 1); }

void check_sizes(const CsrSystem& s) {
  if (s.row_start.size() < 2)
    refuse("row_start has ", s.row_start.size(), " values; it has one more than there are rows");
  const std::size_t rows = s.row_start.size() - 1;
  if (rows > most || s.column.size() > most)
    refuse("it has more than ", most, " rows or entries, which are not supported");
  if (s.columns && (*s.columns < 1 || std::size_t(*s.columns) > most))
    refuse("columns is ", *s.columns, "; there are from 1 to ", most);
  if (s.column.size() != s.value.size())
    refuse("column has ", s.column.size(), " values, and value has ", s.value.size(),
           "; each entry has one of both");
  if (s.right_hand_side.size() != rows)
    refuse("right_hand_side has ", s.right_hand_side.size(), " values, and the matrix has ", rows, " rows");
  if (s.row_start.front() != 0) refuse("row_start[0] is ", s.row_start.front(), "; indices count from zero");
  if (s.row_start.back() < 0 || std::size_t(s.row_start.back()) != s.column.size())
    refuse("row_start ends with ", s.row_start.back(), ", and there are ", s.column.size(), " entries");
}

void check_row(const CsrSystem& s, int i, bool may_be_empty) {
  const int columns = columns_of(s), from = s.row_start[i], to = s.row_start[std::size_t(i) + 1];
  if (to < from || to > s.row_start.back())
    refuse("row_start[", i + 1, "] is ", to, "; the starts of rows ascend");
  if (to == from && !may_be_empty)
    refuse("row ", i,
           " has no entries, so the matrix is singular; remove the row and its column, or take a method for "
           "least squares: --method lsmr");
  for (int k = from; k < to; ++k) {
    if (s.column[k] < 0 || s.column[k] >= columns)
      refuse("column[", k, "], of row ", i, ", is ", s.column[k], "; columns count from 0 to ", columns - 1);
    if (!std::isfinite(s.value[k])) refuse("value[", k, "], of row ", i, ", is not finite");
  }
}

}  // namespace

MatrixOfAnyShape matrix_of(const CsrSystem& s, bool singular) {
  check_sizes(s);
  const int rows = int(s.row_start.size()) - 1, columns = columns_of(s);
  HostCsr A;
  A.rows = std::max(rows, columns);
  A.start.assign(s.row_start.begin(), s.row_start.end());
  A.column.reserve(s.column.size());
  A.value.reserve(s.value.size());
  std::vector<int> order;
  for (int i = 0; i < rows; ++i) {
    check_row(s, i, singular || rows != columns);
    order.resize(std::size_t(A.start[std::size_t(i) + 1] - A.start[i]));
    std::iota(order.begin(), order.end(), A.start[i]);
    std::sort(order.begin(), order.end(), [&](int k, int l) { return s.column[k] < s.column[l]; });
    for (const int k : order) {
      if (k != order.front() && s.column[k] == A.column.back())
        refuse("row ", i, " has column ", s.column[k], " twice; write the sum of both");
      A.column.push_back(s.column[k]);
      A.value.push_back(s.value[k]);
    }
  }
  A.start.resize(std::size_t(A.rows) + 1, A.start.back());
  A.square = rows == columns && row_without_entries(A) == 0;
  return {std::move(A), rows, columns};
}

}  // namespace wavesim
