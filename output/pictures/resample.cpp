#include "output/pictures/resample.hpp"

#include <algorithm>
#include <cmath>

#include "output/run/in_threads.hpp"

namespace wavesim {

namespace {

constexpr std::size_t rows_a_piece = 32;

/// Along y first: whole rows are added up, which is fast, and the second pass works on the small array. Four
/// rows at a time, so that the sum is loaded and stored once for them. value(k): of node k, 0 where it does
/// not count.
template <class Value>
std::vector<float> filter(std::size_t nx, const LineFilter& x, const LineFilter& y, const Value& value) {
  const std::size_t width = x.pixels(), height = y.pixels();
  std::vector<float> out(height * width);
  in_threads((height + rows_a_piece - 1) / rows_a_piece, [&](std::size_t piece) {
    std::vector<float> row(nx);
    for (std::size_t q = piece * rows_a_piece; q < std::min(height, (piece + 1) * rows_a_piece); ++q) {
      std::fill(row.begin(), row.end(), 0.0f);
      const std::span<const float> down = y.weights(q);
      const std::size_t first = y.first(q) * nx;
      float* const sum_of = row.data();
      std::size_t k = 0;
      for (; k + 4 <= down.size(); k += 4)
        for (std::size_t i = 0, at = first + k * nx; i < nx; ++i, ++at)
          sum_of[i] = sum_of[i] + down[k] * value(at) + down[k + 1] * value(at + nx) +
                      down[k + 2] * value(at + 2 * nx) + down[k + 3] * value(at + 3 * nx);
      for (; k < down.size(); ++k)
        for (std::size_t i = 0, at = first + k * nx; i < nx; ++i, ++at) sum_of[i] += down[k] * value(at);
      for (std::size_t p = 0; p < width; ++p) {
        const std::span<const float> across = x.weights(p);
        const float* in = row.data() + x.first(p);
        float sum = 0;
        for (std::size_t k = 0; k < across.size(); ++k) sum += across[k] * in[k];
        out[q * width + p] = sum;
      }
    }
  });
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

Resampler::Resampler(std::size_t nx, std::size_t ny, std::size_t width, std::size_t height,
                     const std::vector<std::uint8_t>& inside, const std::vector<float>& rim)
    : nx_(nx), ny_(ny), x_(nx, width), y_(ny, height), mask_(inside) {
  if (mask_.empty()) return;
  weight_ = filter(nx_, x_, y_, [mask = mask_.data()](std::size_t k) { return mask[k] ? 1.0f : 0.0f; });
  if (rim.empty()) {
    part_ = weight_;
    return;
  }
  // the part of a pixel inside a straight rim; of a node's own cell where pixels are coarser
  const float pixels = float(double(width) / double(nx - 1));
  const auto part = [](float distance) { return std::clamp(0.5f + distance, 0.0f, 1.0f); };
  if (pixels > 1) {
    part_ = filter(nx_, x_, y_, [&](std::size_t k) { return rim[k]; });
    for (float& p : part_) p = part(p * pixels);
  } else {
    part_ = filter(nx_, x_, y_, [&](std::size_t k) { return part(rim[k]); });
  }
  for (std::size_t k = 0; k < part_.size(); ++k)
    if (weight_[k] <= 0) part_[k] = 0;
}

void Resampler::find_extremes(std::span<const float> values, Image& image) const {
  struct Extremes {
    float low = HUGE_VALF, high = -HUGE_VALF;
  };
  std::vector<Extremes> of_piece((ny_ + rows_a_piece - 1) / rows_a_piece);
  in_threads(of_piece.size(), [&](std::size_t piece) {
    Extremes here;
    const std::size_t end = std::min(ny_, (piece + 1) * rows_a_piece) * nx_;
    for (std::size_t k = piece * rows_a_piece * nx_; k < end; ++k) {
      if (!mask_.empty() && !mask_[k]) continue;
      if (values[k] < here.low) here.low = values[k];
      if (values[k] > here.high) here.high = values[k];
    }
    of_piece[piece] = here;
  });
  for (const Extremes& e : of_piece)
    image.low = std::min(image.low, e.low), image.high = std::max(image.high, e.high);
}

Image Resampler::operator()(std::span<const float> values) const {
  Image image{x_.pixels(), y_.pixels(), {}};
  find_extremes(values, image);
  if (mask_.empty()) {
    image.values = filter(nx_, x_, y_, [in = values.data()](std::size_t k) { return in[k]; });
    return image;
  }
  image.values = filter(nx_, x_, y_, [in = values.data(), mask = mask_.data()](std::size_t k) {
    return mask[k] ? in[k] : 0.0f;
  });
  for (std::size_t k = 0; k < image.values.size(); ++k)
    if (weight_[k] > 0) image.values[k] /= weight_[k];
  return image;
}

}  // namespace wavesim
