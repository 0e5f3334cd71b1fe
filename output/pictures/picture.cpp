#include "output/pictures/picture.hpp"

#include <fmt/format.h>

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

/// How dark the medium makes each pixel: the slowest 0.7, the fastest 1. Empty where it is constant.
std::vector<float> shade_of(const Scene& scene, const Resampler& resample) {
  if (scene.speed.empty()) return {};
  Image image = resample(scene.speed);
  float least = HUGE_VALF, most = -HUGE_VALF;
  for (std::size_t k = 0; k < image.values.size(); ++k)
    if (resample.inside().empty() || resample.inside()[k] > 0.5f) {
      least = std::min(least, image.values[k]);
      most = std::max(most, image.values[k]);
    }
  if (!(most > least * 1.0001f)) return {};
  for (float& v : image.values) v = 0.7f + 0.3f * std::clamp((v - least) / (most - least), 0.0f, 1.0f);
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

void draw_colours(Canvas& canvas, const ColourMap& map, int left, int bottom, int width, int height) {
  canvas.rectangle(left - 1, bottom - 1, width + 2, height + 2, ink);
  for (int row = 0; row < height; ++row)
    canvas.rectangle(left, bottom + row, width, 1, map.at(float((row + 0.5) / height)));
}

/// The bar with its numbers and unit.
void draw_scale(Canvas& canvas, const FieldPainter& field, int left, int bottom, int width, int height,
                int font, double range, const std::string& unit) {
  const int label_height = unit.empty() ? 0 : font + font / 2;
  height -= label_height;
  draw_colours(canvas, field.colours(), left, bottom, width, height);
  canvas.text(left, bottom + height + font / 2, unit, font, ink, Canvas::left);
  if (!(range > 0)) return;
  const int halves = height > 12 * font ? 2 : 1, ticks = 2 * halves;
  for (int k = 0; k <= ticks; ++k) {
    const double part = double(k) / ticks, value = field.with_sign() ? range * (2 * part - 1) : range * part;
    const int y = bottom + int(std::lround(part * (height - 1)));
    canvas.rectangle(left + width, y, font / 3 + 1, 1, ink);
    // The outer numbers stay within the height of the bar.
    const int shift = k == 0 ? 0 : k == ticks ? -font : -font / 2;
    canvas.text(left + width + font / 2 + 1, y + shift, fmt::format("{:.3g}", value), font, ink,
                Canvas::left);
  }
}

/// Height to width; of one row or column of nodes, and of sizes that are none, something that can be drawn.
double aspect_of(const Scene& scene) {
  const double wide = double(scene.nx - 1) * scene.spacing[0], high = double(scene.ny - 1) * scene.spacing[1];
  const double aspect = high / wide;
  return std::isnan(aspect) ? 1 : std::clamp(aspect, 1e-4, 1e4);
}

}  // namespace

double two_digits(double v) {
  if (!(v > 0) || std::isinf(v)) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(v)) - 1);
  return std::ceil(v / unit - 1e-9) * unit;
}

FieldPainter::FieldPainter(const Scene& scene, const PicturesOutput& look, int width, int height)
    : width_(width),
      height_(height),
      up_(look.y == "up"),
      sign_(has_sign(look.quantity)),
      colours_(&map_of(look)),
      resample_(scene.nx, scene.ny, std::size_t(width), std::size_t(height), scene.inside, scene.rim) {
  relief_ = look.shading.relief * width;
  if (look.shading.stated) light_.emplace(look.shading, up_, resample_.inside(), resample_.seen());
  if (look.quantity != "speed") shade_ = shade_of(scene, resample_);
  if (!look.marks) return;
  for (const Mark& m : scene.marks) {
    const double x = (m.x - scene.origin[0]) / (scene.spacing[0] * double(scene.nx - 1));
    double y = (m.y - scene.origin[1]) / (scene.spacing[1] * double(scene.ny - 1));
    if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1)) continue;
    if (!up_) y = 1 - y;
    spots_.push_back({m.source, int(std::lround(x * (width - 1))), int(std::lround(y * (height - 1)))});
  }
}

float FieldPainter::largest(const Image& image) const {
  const std::vector<float>& part = resample_.inside();
  float largest = 0;
  for (std::size_t k = 0; k < image.values.size(); ++k)
    if (part.empty() || part[k] > 0.5f) largest = std::max(largest, std::abs(image.values[k]));
  return largest;
}

void FieldPainter::paint(Canvas& canvas, int left, int bottom, const Image& image, double range) const {
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
  // A source is a cross, a receiver a ring; dark on light, so that they are seen on any colour. Where
  // receivers are many they are dots.
  const double size = std::clamp(width_ / 120.0, 2.5, 12.0);
  const bool many = spots_.size() > 60;
  for (const Spot& s : spots_) {
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

Picture::Picture(const Scene& scene, const PicturesOutput& look)
    : name_(scene.name), unit_(unit_of(look.quantity, scene.model)), quantity_(look.quantity) {
  width_ = std::max(int(look.width), 64);
  font_ = std::clamp(width_ / 60, 9, 48);
  margin_ = font_;
  bar_width_ = font_;
  head_ = 2 * font_;
  const int bar_room = bar_width_ + 6 * font_;
  const double aspect = aspect_of(scene);
  int plot_width = std::max(16, width_ - bar_room - 3 * margin_);
  int plot_height = int(std::lround(plot_width * aspect));
  if (plot_height > 2 * width_) {  // a tall domain: keep the picture a picture
    plot_height = 2 * width_;
    plot_width = std::max(1, int(std::lround(plot_height / aspect)));
    width_ = plot_width + bar_room + 3 * margin_;
  }
  plot_height = std::max(plot_height, 8);
  height_ = plot_height + head_ + 2 * margin_;
  field_.emplace(scene, look, plot_width, plot_height);
}

Canvas Picture::around(double time, double range) {
  const std::lock_guard alone(drawing_);
  if (range != frame_range_) {
    frame_.emplace(width_, height_, paper);
    frame_->rectangle(margin_ - 1, margin_ - 1, field_->width() + 2, field_->height() + 2, ink);
    draw_scale(*frame_, *field_, margin_ + field_->width() + margin_, margin_, bar_width_, field_->height(),
               font_, range, unit_);
    frame_range_ = range;
  }
  Canvas canvas = *frame_;
  const std::string what = quantity_ == "displacement" ? name_ : name_ + ", " + quantity_;
  canvas.text(margin_, margin_ + field_->height() + font_ / 2, fmt::format("{}    t = {:.4g} s", what, time),
              font_ + font_ / 4, ink, Canvas::left);
  return canvas;
}

Canvas Picture::draw(const Image& image, double time, double range) {
  Canvas canvas = around(time, range);
  field_->paint(canvas, margin_, margin_, image, range);
  return canvas;
}

Canvas contact_sheet(const Scene& scene, const PicturesOutput& look, const std::vector<Tile>& tiles) {
  const double aspect = aspect_of(scene);
  const int width = std::max(int(look.width), 64), font = std::clamp(width / 70, 9, 48), gap = font / 2 + 2;
  const int bar_room = 8 * font, count = int(tiles.size());
  // As many columns as make the sheet about 4 : 3.
  const int columns =
      std::clamp(int(std::lround(std::sqrt(count * aspect * 4 / 3))), 1, std::max(1, std::min(count, 12)));
  const int rows = (count + columns - 1) / columns, label = font + font / 2;
  int tile_width = std::max(8, (width - bar_room - (columns + 1) * gap) / columns);
  int tile_height = std::max(4, int(std::lround(tile_width * aspect)));
  if (tile_height > 2 * width) {  // a tall domain, as in Picture
    tile_height = 2 * width;
    tile_width = std::max(1, int(std::lround(tile_height / aspect)));
  }
  const int head = 2 * font + gap, height = head + rows * (tile_height + label + gap) + gap;
  const FieldPainter field(scene, look, tile_width, tile_height);
  std::vector<Image> images;
  float largest = 0;
  for (const Tile& tile : tiles) {
    images.push_back(field.sample(tile.values));
    largest = std::max(largest, field.largest(images.back()));
  }
  const bool each = look.scale == "picture";
  const double range = look.range.value_or(two_digits(largest));
  Canvas canvas(width, height, paper);
  canvas.text(gap, height - font - gap, scene.name + ", " + look.quantity, font + font / 4, ink,
              Canvas::left);
  for (int k = 0; k < count; ++k) {
    const int left = gap + k % columns * (tile_width + gap);
    const int bottom = height - head - (k / columns + 1) * (tile_height + label + gap) + gap;
    canvas.rectangle(left - 1, bottom - 1, tile_width + 2, tile_height + 2, ink);
    const Image& image = images[std::size_t(k)];
    field.paint(canvas, left, bottom, image, each ? two_digits(field.largest(image)) : range);
    canvas.text(left, bottom + tile_height + font / 3, fmt::format("{:.4g} s", tiles[std::size_t(k)].time),
                font, ink, Canvas::left);
  }
  draw_scale(canvas, field, width - bar_room + gap, gap, font, std::min(height - head - 2 * gap, 40 * font),
             font, each ? 0 : range, unit_of(look.quantity, scene.model));
  return canvas;
}

}  // namespace wavesim
