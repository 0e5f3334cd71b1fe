#include "output/pictures/picture.hpp"

#include <algorithm>
#include <cmath>

#include "output/pictures/ticks.hpp"

namespace wavesim {

namespace {

using plotting::CairoPen;
using plotting::ink;

/// Letters of 1/48 of the width: 20 pixels at 960, 40 at 1920, 10 points on 17 cm of paper.
constexpr int letters_across = 48;
constexpr double above = 2, below = 3.3, tick = 0.35;  // heights of the font
constexpr int most_ticks = 8;

double widest_label(double low, double high) {
  const double step = tick_step(high - low, most_ticks);
  double widest = 0;
  for (double v : round_ticks(low, high, most_ticks))
    widest = std::max(widest, plotting::text_width(tick_label(v, step), 1000));
  return widest / 1000;
}

}  // namespace

double two_digits(double v) {
  if (!(v > 0) || std::isinf(v)) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(v)) - 1);
  return std::ceil(v / unit - 1e-9) * unit;
}

Picture::Picture(const Scene& scene, const PicturesOutput& look)
    : name_(scene.name),
      unit_(scene.moments.frequencies.empty() ? unit_of(look.quantity, scene.model) : ""),
      quantity_(name_of(look.quantity, scene.model)),
      moments_(scene.moments),
      up_(look.y == "up") {
  for (int d = 0; d < 2; ++d) {
    low_[d] = scene.origin[d];
    high_[d] = scene.origin[d] + scene.spacing[d] * double((d == 0 ? scene.nx : scene.ny) - 1);
  }
  width_ = std::max(int(look.width), 64);
  font_ = std::max(width_ / letters_across, 9);
  const Scale scale = length_scale();
  const double labels = widest_label(low_[1] * scale.factor, high_[1] * scale.factor);
  left_ = int(std::lround((2.3 + labels + tick) * font_));
  const int right = int(std::lround((1 + 1 + bar_labels) * font_));
  const double aspect = scene.aspect();
  int plot_width = std::max(16, width_ - left_ - right);
  int plot_height = int(std::lround(plot_width * aspect));
  if (plot_height > 2 * width_) {  // a tall domain: keep the picture a picture
    plot_height = 2 * width_;
    plot_width = std::max(1, int(std::lround(plot_height / aspect)));
  }
  width_ = left_ + plot_width + right;
  plot_height = std::max(plot_height, 8);
  bottom_ = int(std::lround(below * font_));
  height_ = plot_height + bottom_ + int(std::lround(above * font_));
  field_.emplace(scene, look, plot_width, plot_height);
}

Scale Picture::length_scale() const {
  double largest = 0;
  for (int d = 0; d < 2; ++d) largest = std::max({largest, std::abs(low_[d]), std::abs(high_[d])});
  return scale_of("m", largest);
}

void Picture::draw_axes(CairoPen& pen) const {
  const double line = std::max(1.0, std::round(font_ / 16.0));
  const int wide = field_->width(), high = field_->height(), top = height_ - bottom_ - high;
  pen.box(left_ - line, top - line, wide + 2 * line, high + 2 * line, ink);
  const Scale scale = length_scale();
  const auto each_tick = [&](int axis, int most, const auto& draw) {
    const double low = low_[axis] * scale.factor, length = high_[axis] * scale.factor - low;
    const double step = tick_step(length, most);
    for (double v : round_ticks(low, low + length, most)) draw((v - low) / length, tick_label(v, step));
  };
  const double under = top + high + line, length = std::round(tick * font_);
  // As many as have room beside each other.
  const double room = (widest_label(low_[0] * scale.factor, high_[0] * scale.factor) + 1.2) * font_;
  each_tick(0, std::clamp(int(wide / room), 1, most_ticks), [&](double part, const std::string& label) {
    const double x = left_ + std::round(part * (wide - 1));
    pen.box(x - std::floor((line - 1) / 2), under, line, length, ink);
    pen.text({x + 0.5, under + length + font_}, label, font_, Canvas::middle);
  });
  pen.text({left_ + wide / 2.0, height_ - 0.5 * font_}, scale.label("x"), font_, Canvas::middle);
  each_tick(1, std::clamp(int(high / (2.2 * font_)), 1, most_ticks),
            [&](double part, const std::string& label) {
              const double y = top + std::round((up_ ? 1 - part : part) * (high - 1));
              pen.box(left_ - line - length, y - std::floor((line - 1) / 2), length, line, ink);
              pen.text({left_ - line - length - 0.3 * font_, y + 0.36 * font_}, label, font_, Canvas::right);
            });
  pen.text({1.2 * font_, top + high / 2.0}, scale.label("y"), font_, Canvas::middle, true);
}

ColourBar Picture::bar_of(double range, Beyond beyond) const {
  return {field_->colours(), field_->with_sign(), range, quantity_, unit_, beyond};
}

void Picture::draw_around(CairoPen& pen, double range, Beyond beyond) const {
  draw_axes(pen);
  bar_of(range, beyond)
      .draw(pen, left_ + field_->width() + font_, height_ - bottom_ - field_->height(), font_,
            field_->height(), width_ - 0.4 * font_, font_);
}

std::string Picture::title(double time) const { return name_ + "    " + moments_.text(time); }

Canvas Picture::around(double range, Beyond beyond) {
  const std::lock_guard alone(drawing_);
  for (const Frame& f : frames_)
    if (f.range == range && f.beyond.below == beyond.below && f.beyond.above == beyond.above) return f.canvas;
  CairoPen pen = CairoPen::pixels(width_, height_);
  draw_around(pen, range, {beyond.below, beyond.above});
  constexpr std::size_t kept = 4;  // arrows come and go
  if (frames_.size() == kept) frames_.pop_front();
  frames_.push_back({range, beyond, pen.canvas()});
  return frames_.back().canvas;
}

Canvas Picture::draw(const Image& image, double time, double range) {
  const Beyond beyond = field_->beyond(image, range);
  Canvas canvas = around(range, beyond);
  constexpr double descent = 0.25;  // heights of the font, of letters below their line
  for (const ColourBar::Label& extreme :
       bar_of(range, beyond)
           .extremes(left_ + field_->width() + font_, height_ - bottom_ - field_->height(), font_,
                     field_->height(), width_ - 0.4 * font_, font_))
    canvas.text(int(std::lround(extreme.at.x)), int(std::lround(height_ - extreme.at.y - descent * font_)),
                extreme.text, font_, ink, Canvas::left);
  canvas.text(left_, bottom_ + field_->height() + font_ / 2, title(time), font_ + font_ / 5, ink,
              Canvas::left);
  field_->paint(canvas, left_, bottom_, image, range, time);
  return canvas;
}

std::string Picture::pdf(const Image& image, double time, double range) const {
  CairoPen pen = CairoPen::pdf(width_, height_, plotting::paper_width, title(time));
  draw_around(pen, range, field_->beyond(image, range));
  const int top = height_ - bottom_ - field_->height();
  pen.text({double(left_), top - font_ / 2.0}, title(time), font_ + font_ / 5, Canvas::left);
  Canvas canvas(field_->width(), field_->height(), {});
  field_->paint(canvas, 0, 0, image, range, time);
  pen.image(left_, top, field_->width(), field_->height(), canvas);
  return pen.bytes();
}

}  // namespace wavesim
