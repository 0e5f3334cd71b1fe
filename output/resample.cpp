#include "output/resample.hpp"

#include <algorithm>
#include <cmath>

namespace wavesim {

namespace {

/// Rows first, so that the second pass works on the small array.
template <class T>
std::vector<float> filter(std::span<const T> in, std::size_t nx, std::size_t ny, const LineFilter& x,
                          const LineFilter& y) {
  std::vector<float> rows(ny * x.pixels()), out(y.pixels() * x.pixels());
  for (std::size_t j = 0; j < ny; ++j)
    for (std::size_t p = 0; p < x.pixels(); ++p) rows[j * x.pixels() + p] = x.at(p, in.data() + j * nx, 1);
  for (std::size_t q = 0; q < y.pixels(); ++q)
    for (std::size_t p = 0; p < x.pixels(); ++p)
      out[q * x.pixels() + p] = y.at(q, rows.data() + p, x.pixels());
  return out;
}

}  // namespace

LineFilter::LineFilter(std::size_t nodes, std::size_t pixels) : first_(pixels), start_(pixels + 1, 0) {
  const double ratio = double(nodes - 1) / double(pixels), reach = std::max(1.0, ratio);
  for (std::size_t p = 0; p < pixels; ++p) {
    const double centre = (double(p) + 0.5) * ratio;
    const auto low = std::size_t(std::max(0.0, std::ceil(centre - reach)));
    const auto high = std::min(nodes - 1, std::size_t(std::floor(centre + reach)));
    first_[p] = low;
    double sum = 0;
    for (std::size_t k = low; k <= high; ++k) sum += std::max(0.0, 1 - std::abs(double(k) - centre) / reach);
    for (std::size_t k = low; k <= high; ++k)
      weight_.push_back(float(std::max(0.0, 1 - std::abs(double(k) - centre) / reach) / sum));
    start_[p + 1] = weight_.size();
  }
}

Image resample(std::span<const float> values, const std::vector<std::uint8_t>& inside, std::size_t nx,
               std::size_t ny, const LineFilter& x, const LineFilter& y) {
  Image image{x.pixels(), y.pixels(), {}, {}};
  if (inside.empty()) {
    image.values = filter<float>(values, nx, ny, x, y);
    return image;
  }
  std::vector<float> counted(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) counted[k] = inside[k] ? values[k] : 0;
  image.values = filter<float>(counted, nx, ny, x, y);
  image.inside = filter<std::uint8_t>(inside, nx, ny, x, y);
  for (std::size_t k = 0; k < image.values.size(); ++k)
    if (image.inside[k] > 0) image.values[k] /= image.inside[k];
  return image;
}

}  // namespace wavesim
