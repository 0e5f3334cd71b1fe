#pragma once
// A picture in memory: pixels, boxes, lines, text, PNG. Text comes through Cairo, without a display.

#include <span>
#include <string>
#include <vector>

#include "output/pictures/colour_map.hpp"

namespace wavesim {

/// Pixel (0, 0) is at the lower left. What lies outside is not drawn.
class Canvas {
 public:
  enum Anchor { left, middle, right };
  Canvas(int width, int height, Colour background);

  int width() const { return width_; }
  int height() const { return height_; }
  /// Red, green, blue, row 0 at the bottom.
  std::span<const std::uint8_t> rgb() const { return data_; }
  std::uint8_t* row(int y) { return data_.data() + 3 * std::size_t(y) * std::size_t(width_); }
  const std::uint8_t* row(int y) const { return data_.data() + 3 * std::size_t(y) * std::size_t(width_); }

  void set(int x, int y, Colour c) { blend(x, y, c, 1); }
  /// `part` of the pixel gets the colour.
  void blend(int x, int y, Colour c, double part);
  void rectangle(int x, int y, int width, int height, Colour c);
  /// A straight line of the given width, smooth at its sides; pixel centres are at (0.5, 0.5).
  void line(double x0, double y0, double x1, double y1, double width, Colour c);
  /// Text of `size` pixels in height; (x, y) is its lower left corner, middle or right corner.
  void text(int x, int y, const std::string& text, int size, Colour c, Anchor anchor);
  void copy(const Canvas& from, int x, int y);
  std::string png() const;

 private:
  int width_, height_;
  std::vector<std::uint8_t> data_;
};

}  // namespace wavesim
