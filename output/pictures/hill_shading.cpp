#include "output/pictures/hill_shading.hpp"

#include <algorithm>
#include <cmath>

namespace wavesim {

HillShading::HillShading(const ShadingConfig& light, bool up, const std::vector<float>& inside)
    : inside_(inside), strength_(float(light.strength)) {
  const double degree = M_PI / 180, level = std::cos(light.altitude * degree);
  east_ = float(level * std::sin(light.azimuth * degree));
  north_ = float(level * std::cos(light.azimuth * degree)) * (up ? 1.0f : -1.0f);
  zenith_ = float(std::sin(light.altitude * degree));
}

void HillShading::row(const Image& image, std::size_t row, double height, float* brightness) const {
  const std::size_t width = image.width, first = row * width;
  const float* const v = image.values.data();
  const auto counts = [&](std::size_t k) {
    return (inside_.empty() || inside_[k] > 0.5f) && !std::isnan(v[k]);
  };
  // Per pixel, from neighbours that count, so that a coast is no cliff.
  const auto slope = [&](std::size_t k, bool has_low, bool has_high, std::size_t stride) {
    const std::size_t low = has_low && counts(k - stride) ? k - stride : k,
                      high = has_high && counts(k + stride) ? k + stride : k;
    const std::size_t apart = (high - low) / stride;
    return apart == 0 ? 0.0f : float(height) * (v[high] - v[low]) / float(apart);
  };
  for (std::size_t i = 0; i < width; ++i) {
    const std::size_t k = first + i;
    if (!counts(k)) {
      brightness[i] = 1;
      continue;
    }
    const float x = slope(k, i > 0, i + 1 < width, 1), y = slope(k, row > 0, row + 1 < image.height, width);
    // Lambert: the cosine of the angle between the light and the normal (-x, -y, 1).
    const float cosine = (zenith_ - x * east_ - y * north_) / std::sqrt(1 + x * x + y * y);
    brightness[i] = 1 + strength_ * (std::max(cosine, 0.0f) / zenith_ - 1);
  }
}

}  // namespace wavesim
