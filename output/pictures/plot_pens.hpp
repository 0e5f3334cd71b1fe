#pragma once
// What draws on a sheet: svg_pen.hpp, cairo_pen.hpp.

#include <iterator>
#include <string>
#include <vector>

#include "output/pictures/canvas.hpp"

namespace wavesim::plotting {

/// Of every figure, in pixels of an SVG; a PNG is scaled.
inline constexpr double width = 960;
/// Of one for a phone, where a unit is three quarters of a pixel of the page.
inline constexpr double narrow_width = 480;

/// Of a page as wide as the text of an A4 paper, in points: 17 cm.
inline constexpr double paper_width = 17 / 2.54 * 72;

struct Point {
  double x, y;  // from the upper left
};

// Visible on white and on black, and distinct for most colour-blind people (after Okabe and Ito, 2002).
inline constexpr Colour palette[] = {{0, 114, 178}, {213, 94, 0},   {0, 158, 115},  {204, 121, 167},
                                     {140, 120, 0}, {86, 160, 220}, {150, 90, 200}, {130, 130, 130}};
inline constexpr Colour ink{40, 40, 40};
/// Of the palette; -1: ink.
inline Colour colour_of(int colour) {
  return colour < 0 ? ink : palette[std::size_t(colour) % std::size(palette)];
}

struct Pen {
  virtual ~Pen() = default;
  /// In colour_of(colour); ink thinner than 1 is pale.
  virtual void line(const std::vector<Point>& points, int colour, double width) = 0;
  /// Of a closed curve.
  virtual void fill(const std::vector<Point>& points, Colour colour) = 0;
  virtual void box(double left, double top, double width, double height, Colour colour) = 0;
  virtual void image(double left, double top, double width, double height, const Canvas& picture) = 0;
  /// On a line through `at`; turned: which runs upwards. In colour_of(colour).
  virtual void text(Point at, const std::string& text, int size, Canvas::Anchor anchor, bool turned = false,
                    int colour = -1) = 0;
};

}  // namespace wavesim::plotting
