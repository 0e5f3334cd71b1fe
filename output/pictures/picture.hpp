#pragma once
// A field as a picture: axes, colours, colour bar, name and time. The one implementation behind
// output.pictures and `wavesim render`.

#include <deque>
#include <mutex>
#include <optional>

#include "output/pictures/cairo_pen.hpp"
#include "output/pictures/colour_bar.hpp"
#include "output/pictures/field_painter.hpp"
#include "output/pictures/ticks.hpp"

namespace wavesim {

/// A picture of a frame: the field between its axes, name and time above it and a colour bar beside it. Several
/// threads may draw at a time.
class Picture {
 public:
  Picture(const Scene& scene, const PicturesOutput& look);
  const FieldPainter& field() const { return *field_; }
  Canvas draw(const Image& image, double time, double range);
  /// The same as a page of PDF, 17 cm wide; the field alone is pixels.
  std::string pdf(const Image& image, double time, double range) const;
  int left() const { return left_; }
  int bottom() const { return bottom_; }
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  struct Frame {
    double range;
    Beyond beyond;
    Canvas canvas;
  };
  /// What is the same in all pictures of one range: all but the field and the title.
  Canvas around(double range, Beyond beyond);
  ColourBar bar_of(double range, Beyond beyond) const;
  void draw_around(plotting::CairoPen& pen, double range, Beyond beyond) const;
  void draw_axes(plotting::CairoPen& pen) const;
  Scale length_scale() const;  // one for both axes
  std::string title(double time) const;

  std::string name_, unit_, quantity_;
  Moments moments_;
  double low_[2], high_[2];  // metres
  bool up_;
  int font_, left_, bottom_, width_, height_;  // pixels; the field's lower left corner
  std::optional<FieldPainter> field_;
  std::mutex drawing_;        // one thread at a time
  std::deque<Frame> frames_;  // the latest
};

/// Rounded up to two digits, so that the numbers at the bar are short; 0 stays.
double two_digits(double v);

}  // namespace wavesim
