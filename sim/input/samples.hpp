#pragma once
// An array of numbers that lies somewhere in the plane.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace wavesim {

/// Sample (row, column) lies at origin + (column dx, row dy); row 0 is the lowest. Between samples values are
/// bilinear; beyond them the nearest edge value holds. Some rows may be left out, where nobody asks.
struct Samples {
  long rows = 0, columns = 0;
  std::vector<double> values;           // [(row - first_row) * columns + column]
  std::array<double, 2> origin{0, 0};   // metres, x and y
  std::array<double, 2> spacing{1, 1};  // metres, x and y
  long first_row = 0;                   // of those that are here

  double at(double x, double y) const {
    const Place p = place((x - origin[0]) / spacing[0], columns),
                q = place((y - origin[1]) / spacing[1], rows);
    const double* low = row(q.low);
    const double* high = row(q.high);
    const double a = low[p.low] + p.part * (low[p.high] - low[p.low]);
    const double b = high[p.low] + p.part * (high[p.high] - high[p.low]);
    return a + q.part * (b - a);
  }

 private:
  struct Place {
    long low, high;
    double part;
  };
  const double* row(long k) const {
    const long here = long(values.size()) / columns;
    return values.data() + std::clamp(k - first_row, 0L, here - 1) * columns;
  }
  /// Snaps to a sample within rounding, so that a grid that matches the file gets the file's own values.
  static Place place(double position, long count) {
    position = std::clamp(position, 0.0, double(count - 1));
    const double nearest = std::round(position);
    if (std::abs(position - nearest) < 1e-9 * double(count)) position = nearest;
    const long low = long(position);
    return {low, std::min(low + 1, count - 1), position - double(low)};
  }
};

/// Row 0 becomes the uppermost, of the rows that are here.
inline void reverse_rows(Samples& s) {
  for (long low = 0, high = long(s.values.size()) / s.columns - 1; low < high; ++low, --high)
    std::swap_ranges(s.values.begin() + low * s.columns, s.values.begin() + (low + 1) * s.columns,
                     s.values.begin() + high * s.columns);
}

}  // namespace wavesim
