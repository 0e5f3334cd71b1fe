#pragma once
// Curves on a pair of axes.

#include <string>
#include <vector>

#include "output/pictures/figure.hpp"

namespace wavesim {

struct Curve {
  std::string name;
  std::vector<double> x, y;  // a y that is no number is a gap
};

struct Plot {
  std::string title, x_name, x_unit = {}, y_name, y_unit = {};  // units as SI has them; ticks take prefixes
  std::vector<Curve> curves;
  bool log_y = false;
  bool from_zero = false;  // the axis of y starts at 0
  struct Note {
    double x, y;
    std::string text;
    int curve = -1;  // in whose colour it is; -1: ink
  };
  std::vector<Note> notes = {};  // above points of curves; those that come first keep their place
  std::string x_note = {};       // at the end of the axis of x
};

Figure figure_of(const Plot& plot);

}  // namespace wavesim
