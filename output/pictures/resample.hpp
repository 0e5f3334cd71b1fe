#pragma once
// From nodes to pixels.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/run/values.hpp"

namespace wavesim {

/// Weights that take values at `nodes` points, first and last at the ends of the interval, to `pixels` cells
/// of it: linear interpolation where pixels are finer than nodes, a triangle as wide as two pixels where they
/// are coarser (no aliasing).
class LineFilter {
 public:
  LineFilter(std::size_t nodes, std::size_t pixels);
  std::size_t pixels() const { return first_.size(); }
  /// The nodes that pixel p sees: first, first + 1, ..., with their weights, which add up to 1.
  std::size_t first(std::size_t p) const { return first_[p]; }
  std::span<const float> weights(std::size_t p) const {
    return {weight_.data() + start_[p], start_[p + 1] - start_[p]};
  }

 private:
  std::vector<std::size_t> first_, start_;
  std::vector<float> weight_;
};

/// An image (height, width) of values over the rectangle of the nodes, row 0 at the lowest y.
struct Image {
  std::size_t width = 0, height = 0;
  std::vector<float> values;
  /// The lowest and the highest of the nodes inside, which an image averages where it is coarser; none: low > high.
  float low = HUGE_VALF, high = -HUGE_VALF;
};

/// How an image is cut: rows of a piece, and threads that work on pieces (0: as many as there are).
struct Pieces {
  std::size_t rows = 32;
  unsigned threads = 0;
};

/// Resamples (ny, nx) arrays of one geometry to images, by all cores.
class Resampler {
 public:
  /// `inside`, in bytes, may be empty; values of nodes outside do not count. `rim`: about the distance of each node to the
  /// rim in spacings, positive inside, which is 0 on the rim; empty: the rim follows the nodes. A part at a time is read of both,
  /// where several ranks have them; of `inside` again for each image.
  Resampler(std::size_t nx, std::size_t ny, std::size_t width, std::size_t height, const Values& inside,
            const Values& rim = {});
  Image operator()(std::span<const float> values) const;
  /// The same; a part at a time is read, where several ranks have them.
  Image in_parts(const Values& values) const;
  /// 0 .. 1, the part of each pixel inside the region; empty: 1 everywhere.
  const std::vector<float>& inside() const { return part_; }
  /// 0 .. 1, the part of the nodes that a pixel sees which are inside, by their weights; empty: 1 everywhere.
  const std::vector<float>& seen() const { return weight_; }

 private:
  template <class Part>
  Image image_of(const Part& part, const Pieces& pieces) const;
  /// For values and for the mask, each of which this process may have or others.
  Pieces pieces_of(const Values& values) const;

  std::size_t nx_, ny_;
  LineFilter x_, y_;
  Values mask_;
  std::vector<float> weight_;  // of the nodes inside that a pixel sees
  std::vector<float> part_;    // of each pixel inside
};

}  // namespace wavesim
