#pragma once
// Light from one side on a field seen as a landscape.

#include <vector>

#include "output/pictures/resample.hpp"
#include "sim/config/config.hpp"

namespace wavesim {

class HillShading {
 public:
  /// `up`: the picture's upper edge is that of the highest y. `inside` and `seen`: of each pixel, as Resampler
  /// has them; empty: 1. A pixel that sees nodes outside takes the light of the nearest one that does not: values
  /// beside a rim are those of the nodes inside, and end there as at a cliff.
  HillShading(const ShadingConfig& light, bool up, const std::vector<float>& inside,
              const std::vector<float>& seen);
  /// How bright the pixels of a row of the image are: 1 on level ground, less on slopes away from the light,
  /// more on those towards it. `height`: of the value 1, in pixels.
  void row(const Image& image, std::size_t row, double height, float* brightness) const;

 private:
  bool counts(const Image& image, std::size_t k) const;
  bool is_whole(const Image& image, std::size_t k) const;
  float light(const Image& image, std::size_t k, double height) const;
  float nearest_light(const Image& image, std::size_t k, double height) const;

  const std::vector<float>&inside_, &seen_;
  float strength_, east_, north_, zenith_;  // parts of the unit vector towards the light; north is +row
};

}  // namespace wavesim
