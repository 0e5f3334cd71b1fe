#pragma once
// From nodes to pixels.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wavesim {

/// Weights that take values at `nodes` points, first and last at the ends of the interval, to `pixels` cells
/// of it: linear interpolation where pixels are finer than nodes, a triangle as wide as two pixels where they
/// are coarser (no aliasing).
class LineFilter {
 public:
  LineFilter(std::size_t nodes, std::size_t pixels);
  std::size_t pixels() const { return first_.size(); }
  /// sum of weight * in[k * stride] over the nodes k that pixel p sees
  template <class T>
  float at(std::size_t p, const T* in, std::size_t stride) const {
    float sum = 0;
    const std::size_t count = start_[p + 1] - start_[p];
    for (std::size_t k = 0; k < count; ++k)
      sum += weight_[start_[p] + k] * float(in[(first_[p] + k) * stride]);
    return sum;
  }

 private:
  std::vector<std::size_t> first_, start_;
  std::vector<float> weight_;
};

/// An image (height, width) of values over the rectangle of the nodes, row 0 at the lowest y.
struct Image {
  std::size_t width = 0, height = 0;
  std::vector<float> values;
  std::vector<float> inside;  // 0 .. 1, the part of a pixel inside the region; empty: 1 everywhere
};

/// `inside` may be empty; values of nodes outside do not count. (ny, nx) arrays.
Image resample(std::span<const float> values, const std::vector<std::uint8_t>& inside, std::size_t nx,
               std::size_t ny, const LineFilter& x, const LineFilter& y);

}  // namespace wavesim
