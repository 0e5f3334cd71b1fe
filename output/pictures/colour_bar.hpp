#pragma once
// What the colours of a picture stand for: a bar with round ticks, name and unit.

#include <string>
#include <vector>

#include "output/pictures/field_painter.hpp"
#include "output/pictures/plot_pens.hpp"

namespace wavesim {

struct ColourBar {
  const ColourMap& colours;
  bool sign;     // the colours span [-range, range], else [0, range]
  double range;  // 0: not known, so there are no numbers
  std::string name, unit;
  Beyond beyond;  // which ends are arrows, and the values that are written there

  /// In a place `width` wide and `height` high; numbers and name follow to the right, up to `right`.
  void draw(plotting::Pen& pen, double left, double top, double width, double height, double right,
            int font) const;

  struct Label {
    plotting::Point at;  // the left end of its line
    std::string text;
  };
  /// "max 3.9" and "min −3.9" of a bar in this place, at its arrows; draw() has drawn them.
  std::vector<Label> extremes(double left, double top, double width, double height, double right,
                              int font) const;
};

/// What ColourBar::draw() takes to the right of the place, in heights of the font.
inline constexpr double bar_labels = 5.6;

}  // namespace wavesim
