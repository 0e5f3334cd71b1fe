#include "output/pictures/resample.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "output/run/in_threads.hpp"

namespace wavesim {

namespace {

/// Rows of nodes, where they lie or in memory of its own.
struct OfRows {
  const float* values = nullptr;
  std::vector<char> memory{};
  std::vector<float> floats{};
};
/// The same of numbers as they are.
template <class P>
struct RowsAsTheyAre {
  std::vector<char> memory{};  // before what may lie in it
  const P* values;
  RowsAsTheyAre(const Values& all, std::size_t first, std::size_t count)
      : values(static_cast<const P*>(all.part(first, count, memory))) {}
  RowsAsTheyAre(RowsAsTheyAre&&) noexcept = default;  // a copy's values would lie in the memory of the other
};

/// Along y first: whole rows are added up, which is fast, and the second pass works on the small array. Four
/// rows at a time, so that the sum is loaded and stored once for them. values_of(first row, rows): value(k) of node k,
/// 0 where it does not count, for the nodes of these rows. It is called once for each piece of the image; pieces overlap in nodes.
template <class ValuesOf>
std::vector<float> filter(std::size_t nx, const LineFilter& x, const LineFilter& y, const ValuesOf& values_of,
                          const Pieces& pieces = {}) {
  const std::size_t width = x.pixels(), height = y.pixels();
  std::vector<float> out(height * width);
  const auto work = [&](std::size_t piece) {
    const std::size_t low = piece * pieces.rows, high = std::min(height, low + pieces.rows),
                      end = y.first(high - 1) + y.weights(high - 1).size();
    const auto value = values_of(y.first(low), end - y.first(low));
    std::vector<float> row(nx);
    for (std::size_t q = low; q < high; ++q) {
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
  };
  in_threads((height + pieces.rows - 1) / pieces.rows, work, pieces.threads);
  return out;
}
/// The same of f(number), of a plane of numbers P.
template <class P, class F>
std::vector<float> filter_of(const Values& all, std::size_t nx, const LineFilter& x, const LineFilter& y,
                             const Pieces& pieces, const F& f) {
  return filter(
      nx, x, y,
      [&](std::size_t first_row, std::size_t rows) {
        const std::size_t first = first_row * nx;
        return [here = RowsAsTheyAre<P>(all, first, rows * nx), first, f](std::size_t k) {
          return f(here.values[k - first]);
        };
      },
      pieces);
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
                     const Values& inside, const Values& rim)
    : nx_(nx), ny_(ny), x_(nx, width), y_(ny, height), mask_(inside) {
  if (mask_.empty()) return;
  const Pieces pieces = pieces_of(rim);
  weight_ = filter_of<std::uint8_t>(mask_, nx_, x_, y_, pieces,
                                    [](std::uint8_t here) { return here ? 1.0f : 0.0f; });
  if (rim.empty()) {
    part_ = weight_;
    return;
  }
  // the part of a pixel inside a straight rim; of a node's own cell where pixels are coarser
  const float pixels = float(double(width) / double(nx - 1));
  const auto part = [](float distance) { return std::clamp(0.5f + distance, 0.0f, 1.0f); };
  if (pixels > 1) {
    part_ = filter_of<float>(rim, nx_, x_, y_, pieces, [](float distance) { return distance; });
    for (float& p : part_) p = part(p * pixels);
  } else {
    part_ = filter_of<float>(rim, nx_, x_, y_, pieces, part);
  }
  for (std::size_t k = 0; k < part_.size(); ++k)
    if (weight_[k] <= 0) part_[k] = 0;
}

Image Resampler::operator()(std::span<const float> values) const {
  return image_of(
      [&](std::size_t first, std::size_t) {
        return OfRows{values.data() + first, {}, {}};
      },
      pieces_of({}));
}
Pieces Resampler::pieces_of(const Values& values) const {
  if (values.is_local() && mask_.is_local()) {
    values.data(), mask_.data();  // throws here, where threads must not
    return {};
  }
  // about 16 MiB at a time, by this thread
  const std::size_t bytes = std::max<std::size_t>(1, ny_ / y_.pixels()) * nx_ * sizeof(double);
  return {std::clamp<std::size_t>((std::size_t(16) << 20) / bytes, 1, Pieces().rows), 1};
}
Image Resampler::in_parts(const Values& values) const {
  return image_of(
      [&](std::size_t first, std::size_t count) {
        OfRows rows;
        const void* const part = values.part(first, count, rows.memory);
        if (values.single()) {
          rows.values = static_cast<const float*>(part);
          return rows;
        }
        const double* const doubles = static_cast<const double*>(part);
        rows.floats.assign(doubles, doubles + count);
        rows.values = rows.floats.data();
        return rows;
      },
      pieces_of(values));
}

template <class Part>
Image Resampler::image_of(const Part& part, const Pieces& pieces) const {
  Image image{x_.pixels(), y_.pixels(), {}};
  std::mutex mutex;
  // `mask`: of these rows; null: all count
  const auto rows_of = [&](std::size_t first_row, std::size_t rows, const std::uint8_t* mask) {
    const std::size_t count = rows * nx_;
    OfRows here = part(first_row * nx_, count);
    float low = HUGE_VALF, high = -HUGE_VALF;
    for (std::size_t k = 0; k < count; ++k) {
      if (mask && !mask[k]) continue;
      const float v = here.values[k];
      if (v < low) low = v;
      if (v > high) high = v;
    }
    const std::lock_guard lock(mutex);
    image.low = std::min(image.low, low), image.high = std::max(image.high, high);
    return here;
  };
  if (mask_.empty()) {
    image.values = filter(
        nx_, x_, y_,
        [&](std::size_t first_row, std::size_t rows) {
          return [here = rows_of(first_row, rows, nullptr), first = first_row * nx_](std::size_t k) {
            return here.values[k - first];
          };
        },
        pieces);
    return image;
  }
  image.values = filter(
      nx_, x_, y_,
      [&](std::size_t first_row, std::size_t rows) {
        const std::size_t first = first_row * nx_;
        RowsAsTheyAre<std::uint8_t> mask(mask_, first, rows * nx_);
        OfRows here = rows_of(first_row, rows, mask.values);
        return [here = std::move(here), mask = std::move(mask), first](std::size_t k) {
          return mask.values[k - first] ? here.values[k - first] : 0.0f;
        };
      },
      pieces);
  for (std::size_t k = 0; k < image.values.size(); ++k)
    if (weight_[k] > 0) image.values[k] /= weight_[k];
  return image;
}

}  // namespace wavesim
