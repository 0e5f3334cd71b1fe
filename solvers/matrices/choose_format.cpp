#include "solvers/matrices/choose_format.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace wavesim {

namespace {

constexpr int slice = 64;  // rows of a slice of sell-p

std::string sentence(const char* form, double a, double b) {
  char text[200];
  std::snprintf(text, sizeof text, form, a, b);
  return text;
}

}  // namespace

FormatChoice choose_format(const HostCsr& A) {
  const double n = A.rows, entries = double(A.value.size());
  std::vector<char> seen(2 * std::size_t(A.rows) + 1, 0);
  int longest = 0;
  double sliced = 0;
  for (int first = 0; first < A.rows; first += slice) {
    int width = 0;
    for (int i = first; i < std::min(first + slice, A.rows); ++i) {
      width = std::max(width, A.start[std::size_t(i) + 1] - A.start[i]);
      for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
        seen[std::size_t(A.column[k]) + std::size_t(A.rows - i)] = 1;
    }
    longest = std::max(longest, width);
    sliced += double(width + width % 2) * slice;
  }
  const double diagonals = double(std::count(seen.begin(), seen.end(), 1));
  // Bytes read for a product: a value is eight, an index four.
  const double dia = 8 * diagonals * n, ellpack = 12 * entries + 4 * n, sell = 12 * sliced,
               csr = 12 * entries + 4 * n;
  if (dia <= std::min(ellpack, sell))
    return {"dia", sentence("%.0f diagonals are %.0f %% filled, and need no column indices", diagonals,
                            100 * entries / (diagonals * n))};
  if (longest * n <= 1.5 * entries)
    return {"ellpack-r", sentence("rows are of much the same length, %.1f in the mean, %.0f at most",
                                  entries / n, longest)};
  if (sell <= 1.3 * csr)
    return {
        "sell-p",
        sentence("rows differ in length, but slices of 64 rows need only %.0f %% more than the %.0f entries",
                 100 * (sliced / entries - 1), entries)};
  return {"csr-merge",
          sentence("rows differ widely in length, %.1f in the mean, %.0f at most", entries / n, longest)};
}

}  // namespace wavesim
