#pragma once
// A picture in memory: pixels, boxes, text, PNG. Through VTK, without a display.

#include <memory>
#include <string>

#include "output/colour_map.hpp"

namespace wavesim {

/// Pixel (0, 0) is at the lower left. What lies outside is not drawn.
class Canvas {
 public:
  enum Anchor { left, right };
  Canvas(int width, int height, Colour background);
  ~Canvas();

  void set(int x, int y, Colour c);
  void rectangle(int x, int y, int width, int height, Colour c);
  /// Text of `size` pixels in height with its lower left (or right) corner at (x, y).
  void text(int x, int y, const std::string& text, int size, Colour c, Anchor anchor);
  /// The reason if the file could not be written, else "".
  std::string write_png(const std::string& path) const;

 private:
  struct Pixels;
  std::unique_ptr<Pixels> pixels_;
  int width_, height_;
};

}  // namespace wavesim
