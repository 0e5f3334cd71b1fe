#include "output/pictures/canvas.hpp"

#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "output/pictures/png_file.hpp"

namespace wavesim {

Canvas::Canvas(int width, int height, Colour background)
    : width_(width), height_(height), data_(3 * std::size_t(width) * std::size_t(height)) {
  rectangle(0, 0, width, height, background);
}

void Canvas::blend(int x, int y, Colour c, double part) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_ || part <= 0) return;
  std::uint8_t* p = row(y) + 3 * x;
  const Colour mixed = part >= 1 ? c : mix({p[0], p[1], p[2]}, c, part);
  std::copy(mixed.begin(), mixed.end(), p);
}

void Canvas::rectangle(int x, int y, int width, int height, Colour c) {
  const int right = std::min(x + width, width_), top = std::min(y + height, height_);
  for (int j = std::max(y, 0); j < top; ++j)
    for (int i = std::max(x, 0); i < right; ++i) std::copy(c.begin(), c.end(), row(j) + 3 * i);
}

void Canvas::line(double x0, double y0, double x1, double y1, double width, Colour c) {
  if (!(std::abs(x0) + std::abs(y0) + std::abs(x1) + std::abs(y1) < 1e9)) return;  // on no picture
  const double dx = x1 - x0, dy = y1 - y0, length2 = dx * dx + dy * dy, reach = width / 2 + 1;
  const auto within = [](double v, int size) { return int(std::clamp(v, -1.0, double(size))); };
  const int top = std::min(height_ - 1, within(std::ceil(std::max(y0, y1) + reach), height_));
  for (int j = std::max(0, within(std::floor(std::min(y0, y1) - reach), height_)); j <= top; ++j) {
    // The part of the row near the line.
    double low = std::min(x0, x1), high = std::max(x0, x1);
    if (std::abs(dy) > 1e-9) {
      const double a = x0 + (j - reach - y0) / dy * dx, b = x0 + (j + 1 + reach - y0) / dy * dx;
      low = std::max(low, std::min(a, b)), high = std::min(high, std::max(a, b));
    }
    const int last = std::min(width_ - 1, within(std::ceil(high + reach), width_));
    for (int i = std::max(0, within(std::floor(low - reach), width_)); i <= last; ++i) {
      const double px = i + 0.5 - x0, py = j + 0.5 - y0;
      const double t = length2 > 0 ? std::clamp((px * dx + py * dy) / length2, 0.0, 1.0) : 0;
      const double distance = std::hypot(px - t * dx, py - t * dy);
      blend(i, j, c, std::clamp(width / 2 + 0.5 - distance, 0.0, std::min(1.0, width)));
    }
  }
}

namespace {

struct Destroy {
  void operator()(cairo_surface_t* s) const { cairo_surface_destroy(s); }
  void operator()(cairo_t* c) const { cairo_destroy(c); }
};

/// Shades of one colour in memory, and what draws letters there. Errors of Cairo are of a kind that lasts: what
/// is drawn after one is nothing.
struct Letters {
  std::unique_ptr<cairo_surface_t, Destroy> surface;
  std::unique_ptr<cairo_t, Destroy> pen;
  Letters(int width, int height, int size)
      : surface(cairo_image_surface_create(CAIRO_FORMAT_A8, width, height)),
        pen(cairo_create(surface.get())) {
    cairo_select_font_face(pen.get(), "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(pen.get(), size);
  }
};

}  // namespace

void Canvas::text(int x, int y, const std::string& text, int size, Colour c, Anchor anchor) {
  cairo_text_extents_t word{};
  cairo_font_extents_t line{};
  const Letters measure(1, 1, size);
  cairo_text_extents(measure.pen.get(), text.c_str(), &word);
  cairo_font_extents(measure.pen.get(), &line);
  constexpr int margin = 2;  // letters may reach beyond their place in the line
  const int advance = int(std::ceil(word.x_advance)), above = int(std::ceil(line.ascent)),
            below = int(std::ceil(line.descent));
  const int width = advance + 2 * margin, height = above + below;
  const Letters drawn(width, height, size);
  cairo_move_to(drawn.pen.get(), margin, above);
  cairo_show_text(drawn.pen.get(), text.c_str());
  cairo_surface_flush(drawn.surface.get());
  const std::uint8_t* shades = cairo_image_surface_get_data(drawn.surface.get());
  if (!shades) return;  // a picture without its label is still a picture
  const int stride = cairo_image_surface_get_stride(drawn.surface.get());
  const int from = (anchor == left ? x : anchor == middle ? x - advance / 2 : x - advance) - margin;
  for (int j = 0; j < height; ++j)
    for (int i = 0; i < width; ++i)
      blend(from + i, y + height - 1 - j, c, shades[std::ptrdiff_t(j) * stride + i] / 255.0);
}

void Canvas::copy(const Canvas& from, int x, int y) {
  for (int j = 0; j < from.height_; ++j)
    for (int i = 0; i < from.width_; ++i) {
      const std::uint8_t* p =
          from.data_.data() + 3 * (std::size_t(j) * std::size_t(from.width_) + std::size_t(i));
      set(x + i, y + j, {p[0], p[1], p[2]});
    }
}

std::string Canvas::png() const { return png_of(data_, std::size_t(width_), std::size_t(height_)); }

}  // namespace wavesim
