#pragma once

#include <algorithm>
#include <cmath>

#include "output/pictures/plot.hpp"
#include "output/pictures/plot_pens.hpp"

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

/// The ranges of a plot, and where values lie on its sheet.
struct Axes {
  Span x, y;
  bool log_y;
  double left = 84, right = width - 18, top = 42, bottom = height - 52;
  double place_x(double v) const { return left + (v - x.low) / (x.high - x.low) * (right - left); }
  double place_y(double v) const {
    return bottom - ((log_y ? std::log10(v) : v) - y.low) / (y.high - y.low) * (bottom - top);
  }
};

/// All that the curves hold, with some margin.
Axes axes_of(const Plot& plot);

/// 1, 2 or 5 times a power of ten, so that there are about `count` ticks.
double tick_step(double length, int count);

}  // namespace wavesim::plotting
