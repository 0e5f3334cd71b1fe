#pragma once
// A field as pixels: colours, outline of the region, medium beneath, marks.

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "output/pictures/canvas.hpp"
#include "output/pictures/hill_shading.hpp"
#include "output/pictures/range_finder.hpp"
#include "output/pictures/resample.hpp"
#include "output/pictures/scene.hpp"
#include "sim/config/config.hpp"

namespace wavesim {

/// At which ends of the colours values lie beyond, and how far they go.
struct Beyond {
  bool below = false, above = false;
  double low = NAN, high = NAN;  // the lowest and the highest value; NAN: not to be written
};

/// A field in a box of pixels, without anything around it.
class FieldPainter {
 public:
  FieldPainter(const Scene& scene, const PicturesOutput& look, int width, int height);
  FieldPainter(const FieldPainter&) = delete;  // its parts hold pointers to each other
  Image sample(std::span<const float> values) const { return resample_(values); }
  Image sample_in_parts(const Values& values) const { return resample_.in_parts(values); }
  /// Adds the pixels inside.
  void count(const Image& image, RangeFinder& finder) const;
  /// Up to where colours go for what the finder has counted: range_finder.hpp. Maxima over time are a smooth map whose
  /// peak is what it is drawn for, so that far fewer of its pixels are beyond.
  float range(const RangeFinder& finder) const { return finder.range(clip_); }
  /// Up to where colours go for this image alone.
  float range(const Image& image) const;
  /// Whether values inside lie beyond the colours of a range.
  Beyond beyond(const Image& image, double range) const;
  /// `range`: of the colours; 0: all values so far are zero. `time`: seconds, for sources that move.
  void paint(Canvas& canvas, int left, int bottom, const Image& image, double range, double time = 0) const;
  const ColourMap& colours() const { return *colours_; }
  bool with_sign() const { return sign_; }
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  int width_, height_;
  bool up_, sign_;
  double clip_;
  const ColourMap* colours_;
  Resampler resample_;
  std::vector<float> shade_;  // of the medium; 1: as it is, less: darker; empty: 1 everywhere
  double relief_;             // height of the colours' range, in pixels
  std::optional<HillShading> light_;
  struct Spot {
    bool source;
    int x, y;  // from the lower left
  };
  std::optional<Spot> spot_of(const Mark& mark) const;
  void draw_marks(Canvas& canvas, int left, int bottom, double time) const;
  double low_[2], length_[2];  // metres
  std::vector<Spot> spots_;
  std::vector<MovingPlace> moving_;
};

}  // namespace wavesim
