#include "output/pictures/field_painter.hpp"

#include <algorithm>
#include <cmath>

#include "output/run/in_threads.hpp"

namespace wavesim {

namespace {

constexpr Colour paper{255, 255, 255}, ink{40, 40, 40}, outside{158, 158, 158}, unknown{225, 225, 225};

const ColourMap& map_of(const PicturesOutput& look) {
  const std::string name = look.colours != "auto"    ? look.colours
                           : has_sign(look.quantity) ? "blue-red"
                                                     : "violet-yellow";
  const ColourMap* map = find_colour_map(name);
  return map ? *map : colour_maps().front();
}

double clip_of(const PicturesOutput& look) {
  constexpr double of_maxima = 0.04;  // of what may be beyond in a wave
  const bool usual = look.clip == PicturesOutput{}.clip;
  return usual && look.quantity == "max-displacement" ? of_maxima * look.clip : look.clip;
}

constexpr float darkest = 0.8f;

/// How dark the medium makes each pixel: the slowest 0.8, the fastest 1. Empty where it is constant.
std::vector<float> shade_of(const Scene& scene, const Resampler& resample) {
  if (scene.speed.size() == 0) return {};
  Image image = resample.in_parts(scene.speed);
  float least = HUGE_VALF, most = -HUGE_VALF;
  for (std::size_t k = 0; k < image.values.size(); ++k)
    if (resample.inside().empty() || resample.inside()[k] > 0.5f) {
      least = std::min(least, image.values[k]);
      most = std::max(most, image.values[k]);
    }
  if (!(most > least * 1.0001f)) return {};
  for (float& v : image.values)
    v = darkest + (1 - darkest) * std::clamp((v - least) / (most - least), 0.0f, 1.0f);
  return image.values;
}

/// Darker below 1, towards white above.
Colour lit(const Colour& c, float brightness) {
  const float up = std::clamp(brightness - 1, 0.0f, 1.0f), down = std::min(brightness, 1.0f);
  Colour lit;
  for (std::size_t k = 0; k < 3; ++k) {
    const float channel = float(c[k]) * down;
    lit[k] = std::uint8_t(channel + up * (float(paper[k]) - channel) + 0.5f);
  }
  return lit;
}

}  // namespace

FieldPainter::FieldPainter(const Scene& scene, const PicturesOutput& look, int width, int height)
    : width_(width),
      height_(height),
      up_(look.y == "up"),
      sign_(has_sign(look.quantity)),
      clip_(clip_of(look)),
      colours_(&map_of(look)),
      resample_(scene.nx, scene.ny, std::size_t(width), std::size_t(height), scene.inside, scene.rim) {
  for (int d = 0; d < 2; ++d) {
    low_[d] = scene.origin[d];
    length_[d] = scene.spacing[d] * double((d == 0 ? scene.nx : scene.ny) - 1);
  }
  relief_ = look.shading.relief * width;
  if (look.shading.stated) light_.emplace(look.shading, up_, resample_.inside(), resample_.seen());
  // Where zero is white it darkens the white; other colours would be those of other values.
  if (look.medium && colours_->diverging && look.quantity != "speed") shade_ = shade_of(scene, resample_);
  if (!look.marks) return;
  for (const Mark& m : scene.marks)
    if (const auto spot = spot_of(m)) spots_.push_back(*spot);
  moving_ = scene.moving;
}

/// None where it lies outside.
std::optional<FieldPainter::Spot> FieldPainter::spot_of(const Mark& mark) const {
  const double x = (mark.x - low_[0]) / length_[0];
  double y = (mark.y - low_[1]) / length_[1];
  if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1)) return std::nullopt;
  if (!up_) y = 1 - y;
  return Spot{mark.source, int(std::lround(x * (width_ - 1))), int(std::lround(y * (height_ - 1)))};
}

void FieldPainter::count(const Image& image, RangeFinder& finder) const {
  const std::vector<float>& part = resample_.inside();
  for (std::size_t k = 0; k < image.values.size(); ++k)
    if (part.empty() || part[k] > 0.5f) finder.add(image.values[k]);
}

float FieldPainter::range(const Image& image) const {
  RangeFinder finder;
  count(image, finder);
  return range(finder);
}

Beyond FieldPainter::beyond(const Image& image, double range) const {
  const std::vector<float>& part = resample_.inside();
  const float most = float(range * (1 + 1e-6));
  if (!(range > 0)) return {};
  float low = 0, high = 0;
  for (std::size_t k = 0; k < image.values.size(); ++k) {
    if (!part.empty() && !(part[k] > 0.5f)) continue;
    low = std::min(low, image.values[k]);
    high = std::max(high, image.values[k]);
  }
  return {low<-most, high> most, image.low, image.high};
}

void FieldPainter::paint(Canvas& canvas, int left, int bottom, const Image& image, double range,
                         double time) const {
  const float middle = sign_ ? 0.5f : 0, slope = range > 0 ? float((sign_ ? 0.5 : 1) / range) : 0;
  const std::vector<float>& part = resample_.inside();
  constexpr int rows = 32;
  in_threads(std::size_t((height_ + rows - 1) / rows), [&](std::size_t piece) {
    std::vector<float> light(light_ ? std::size_t(width_) : 0);
    for (int row = int(piece) * rows; row < std::min(height_, (int(piece) + 1) * rows); ++row) {
      const auto image_row = std::size_t(up_ ? row : height_ - 1 - row);
      const std::size_t from = image_row * std::size_t(width_);
      if (light_) light_->row(image, image_row, range > 0 ? relief_ / range : 0, light.data());
      std::uint8_t* to = canvas.row(bottom + row) + 3 * left;
      for (std::size_t k = from; k < from + std::size_t(width_); ++k, to += 3) {
        const float value = image.values[k];
        Colour c = std::isnan(value) ? unknown : colours_->at(middle + slope * value);
        if (!shade_.empty())
          for (std::uint8_t& channel : c) channel = std::uint8_t(float(channel) * shade_[k] + 0.5f);
        if (light_) c = lit(c, light[k - from]);
        if (!part.empty() && part[k] < 1) c = mix(outside, c, double(part[k]));
        to[0] = c[0], to[1] = c[1], to[2] = c[2];
      }
    }
  });
  draw_marks(canvas, left, bottom, time);
}

/// A source is a cross, a receiver a ring; dark on light, so that they are seen on any colour. Where there are many they
/// are small, and receivers dots.
void FieldPainter::draw_marks(Canvas& canvas, int left, int bottom, double time) const {
  std::vector<Spot> spots = spots_;
  for (const MovingPlace& m : moving_) {
    const auto [x, y] = m.at(time);
    if (const auto spot = spot_of({true, x, y})) spots.push_back(*spot);
  }
  const double full = std::clamp(width_ / 120.0, 2.5, 12.0);
  constexpr long most = 60;
  const auto sources = std::count_if(spots.begin(), spots.end(), [](const Spot& s) { return s.source; });
  const bool many = long(spots.size()) - sources > most;
  for (const Spot& s : spots) {
    const double size = s.source && sources > most ? std::max(2.0, full / 2) : full;
    const double x = left + s.x + 0.5, y = bottom + s.y + 0.5;
    for (const bool halo : {true, false}) {
      const Colour c = halo ? paper : ink;
      const double w = halo ? size / 2 + 1 : size / 4 + 0.25;
      if (s.source) {
        canvas.line(x - size, y - size, x + size, y + size, w, c);
        canvas.line(x - size, y + size, x + size, y - size, w, c);
      } else if (many) {
        if (!halo || !colours_->diverging)
          canvas.line(x, y, x, y, std::max(1.5, size / 3) + (halo ? 1.5 : 0), c);
      } else {
        constexpr int corners = 16;
        for (int k = 0; k < corners; ++k) {
          const double a = 2 * M_PI * k / corners, b = 2 * M_PI * (k + 1) / corners;
          canvas.line(x + size * std::cos(a), y + size * std::sin(a), x + size * std::cos(b),
                      y + size * std::sin(b), w, c);
        }
      }
    }
  }
}

}  // namespace wavesim
