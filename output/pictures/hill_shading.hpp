#pragma once
// Light from one side on a field seen as a landscape.

#include <vector>

#include "output/pictures/resample.hpp"
#include "sim/config/config.hpp"

namespace wavesim {

class HillShading {
 public:
  /// `up`: the picture's upper edge is that of the highest y. `inside`: of each pixel, as
  /// Resampler::inside().
  HillShading(const ShadingConfig& light, bool up, const std::vector<float>& inside);
  /// How bright the pixels of a row of the image are: 1 on level ground, less on slopes away from the light,
  /// more on those towards it. `height`: of the value 1, in pixels.
  void row(const Image& image, std::size_t row, double height, float* brightness) const;

 private:
  const std::vector<float>& inside_;
  float strength_, east_, north_, zenith_;  // parts of the unit vector towards the light; north is +row
};

}  // namespace wavesim
