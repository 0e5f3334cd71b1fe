#pragma once
// Curves and seismograms as SVG, PDF and PNG: one drawing, two pens (plot_pens.hpp, cairo_pen.hpp).

#include <optional>
#include <string>
#include <vector>

#include "output/pictures/canvas.hpp"

namespace wavesim {

struct Curve {
  std::string name;
  std::vector<double> x, y;  // a y that is no number is a gap
};

struct Plot {
  std::string title, x_name, x_unit = "", y_name, y_unit = "";  // units as SI has them; ticks take prefixes
  std::vector<Curve> curves;
  bool log_y = false;
  bool from_zero = false;  // the axis of y starts at 0
  /// Each curve on a line of its own, what is above it filled: a seismogram.
  bool wiggles = false;
  std::optional<double> clip = {};  // where a wiggle is cut off; default: the largest value
};

/// On its own a white sheet; without `sheet` it takes the colours of the page around it.
std::string svg_of(const Plot& plot, bool sheet = true);
Canvas canvas_of(const Plot& plot, int width = 960);
/// A page of 17 cm in width.
std::string pdf_of(const Plot& plot);

}  // namespace wavesim
