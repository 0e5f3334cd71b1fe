#include "output/pictures/hill_shading.hpp"

#include <algorithm>
#include <cmath>

namespace wavesim {

HillShading::HillShading(const ShadingConfig& light, bool up, const std::vector<float>& inside,
                         const std::vector<float>& seen)
    : inside_(inside), seen_(seen), strength_(float(light.strength)) {
  const double degree = M_PI / 180, level = std::cos(light.altitude * degree);
  east_ = float(level * std::sin(light.azimuth * degree));
  north_ = float(level * std::cos(light.azimuth * degree)) * (up ? 1.0f : -1.0f);
  zenith_ = float(std::sin(light.altitude * degree));
}

bool HillShading::counts(const Image& image, std::size_t k) const {
  return (inside_.empty() || inside_[k] > 0.5f) && !std::isnan(image.values[k]);
}

bool HillShading::is_whole(const Image& image, std::size_t k) const {
  return counts(image, k) && (seen_.empty() || seen_[k] > 0.999f);
}

/// By Lambert: the cosine of the angle between the light and the normal (-x, -y, 1), with slopes x and y between
/// neighbours that are whole, so that a coast is no cliff.
float HillShading::light(const Image& image, std::size_t k, double height) const {
  const float* const v = image.values.data();
  const std::size_t width = image.width, col = k % width, row = k / width;
  const auto slope = [&](bool has_low, bool has_high, std::size_t stride) {
    const std::size_t low = has_low && is_whole(image, k - stride) ? k - stride : k,
                      high = has_high && is_whole(image, k + stride) ? k + stride : k;
    const std::size_t apart = (high - low) / stride;
    return apart == 0 ? 0.0f : float(height) * (v[high] - v[low]) / float(apart);
  };
  const float x = slope(col > 0, col + 1 < width, 1), y = slope(row > 0, row + 1 < image.height, width);
  const float cosine = (zenith_ - x * east_ - y * north_) / std::sqrt(1 + x * x + y * y);
  return 1 + strength_ * (std::max(cosine, 0.0f) / zenith_ - 1);
}

float HillShading::nearest_light(const Image& image, std::size_t k, double height) const {
  constexpr long farthest = 16;  // pixels: more than a cell of a picture worth shading
  const long width = long(image.width), col = long(k) % width, row = long(k) / width;
  long best = -1, distance = farthest * farthest + 1;
  for (long reach = 1; reach <= farthest && reach * reach < distance; ++reach)
    for (long j = std::max(0L, row - reach); j <= std::min(long(image.height) - 1, row + reach); ++j)
      for (long i = std::max(0L, col - reach); i <= std::min(width - 1, col + reach); ++i) {
        const long dx = std::abs(i - col), dy = std::abs(j - row), d = dx * dx + dy * dy;
        if (std::max(dx, dy) != reach || d >= distance || !is_whole(image, std::size_t(j * width + i)))
          continue;
        best = j * width + i;
        distance = d;
      }
  return best < 0 ? 1 : light(image, std::size_t(best), height);
}

void HillShading::row(const Image& image, std::size_t row, double height, float* brightness) const {
  for (std::size_t i = 0; i < image.width; ++i) {
    const std::size_t k = row * image.width + i;
    brightness[i] = is_whole(image, k) ? light(image, k, height)
                    : counts(image, k) ? nearest_light(image, k, height)
                                       : 1;
  }
}

}  // namespace wavesim
