#pragma once
// A field as a picture: colours, outline of the region, medium beneath, marks, colour bar, time. The one
// implementation behind output.pictures and `wavesim render`.

#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "output/pictures/canvas.hpp"
#include "output/pictures/hill_shading.hpp"
#include "output/pictures/resample.hpp"
#include "output/pictures/scene.hpp"
#include "sim/config/config.hpp"

namespace wavesim {

/// A field in a box of pixels, without anything around it.
class FieldPainter {
 public:
  FieldPainter(const Scene& scene, const PicturesOutput& look, int width, int height);
  FieldPainter(const FieldPainter&) = delete;  // its parts hold pointers to each other
  Image sample(std::span<const float> values) const { return resample_(values); }
  /// The largest |value| of the pixels that lie inside.
  float largest(const Image& image) const;
  /// `range`: of the colours; 0: all values so far are zero.
  void paint(Canvas& canvas, int left, int bottom, const Image& image, double range) const;
  const ColourMap& colours() const { return *colours_; }
  bool with_sign() const { return sign_; }
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  int width_, height_;
  bool up_, sign_;
  const ColourMap* colours_;
  Resampler resample_;
  std::vector<float> shade_;  // of the medium; 1: as it is, less: darker; empty: 1 everywhere
  double relief_;             // height of the colours' range, in pixels
  std::optional<HillShading> light_;
  struct Spot {
    bool source;
    int x, y;  // from the lower left
  };
  std::vector<Spot> spots_;
};

/// A picture of a frame: the field with its name and time above it and a colour bar beside it. Several
/// threads may draw at a time.
class Picture {
 public:
  Picture(const Scene& scene, const PicturesOutput& look);
  const FieldPainter& field() const { return *field_; }
  Canvas draw(const Image& image, double time, double range);

 private:
  /// All but the field.
  Canvas around(double time, double range);
  std::string name_, unit_, quantity_;
  int font_, margin_, bar_width_, head_, width_, height_;
  std::optional<FieldPainter> field_;
  std::mutex drawing_;           // one thread at a time
  std::optional<Canvas> frame_;  // what is the same in all pictures of one range
  double frame_range_ = -1;
};

/// Many small fields on one picture, left to right and top to bottom, with one colour bar.
struct Tile {
  double time;
  std::vector<float> values;
};
Canvas contact_sheet(const Scene& scene, const PicturesOutput& look, const std::vector<Tile>& tiles);

/// Rounded up to two digits, so that the numbers at the bar are short; 0 stays.
double two_digits(double v);

}  // namespace wavesim
