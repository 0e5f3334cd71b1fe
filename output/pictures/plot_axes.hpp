#pragma once

#include <algorithm>
#include <cmath>

#include "output/pictures/plot.hpp"
#include "output/pictures/plot_pens.hpp"
#include "output/pictures/ticks.hpp"

namespace wavesim::plotting {

struct Span {
  double low = HUGE_VAL, high = -HUGE_VAL;
  void take(double v) {
    if (!(std::abs(v) < 1e300)) return;  // nor differences that are not finite
    low = std::min(low, v);
    high = std::max(high, v);
  }
  bool empty() const { return !(low <= high); }
};

inline constexpr double height = 420;  // of a plot

/// The ranges of a plot, and where values lie on its sheet.
struct Axes {
  Span x, y;
  bool log_y;
  Scale x_scale, y_scale;  // of the ticks
  double left = 90, right = plotting::width - 24, top = 44, bottom = height - 66;
  double place_x(double v) const { return left + (v - x.low) / (x.high - x.low) * (right - left); }
  double place_y(double v) const {
    return bottom - ((log_y ? std::log10(v) : v) - y.low) / (y.high - y.low) * (bottom - top);
  }
};

/// All that the curves hold, with some margin. Below the line of the title is room for `rows` of names.
Axes axes_of(const Plot& plot, double width = plotting::width, int rows = 0);

inline constexpr double legend_row = 22;

}  // namespace wavesim::plotting
