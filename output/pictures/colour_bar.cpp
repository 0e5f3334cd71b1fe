#include "output/pictures/colour_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/pictures/cairo_pen.hpp"
#include "output/pictures/ticks.hpp"

namespace wavesim {

namespace {

using plotting::ink;
using plotting::Pen;

constexpr int shades = 256;

Canvas column_of(const ColourMap& map) {
  Canvas column(1, shades, {});
  for (int row = 0; row < shades; ++row) column.set(0, row, map.at(float((row + 0.5) / shades)));
  return column;
}

/// A triangle on the end of the bar at `base`, towards `tip`.
void draw_arrow(Pen& pen, double left, double width, double base, double tip, double line, Colour colour) {
  const double out = tip < base ? -1 : 1;
  pen.fill({{left - line, base}, {left + width / 2, tip + 1.5 * out * line}, {left + width + line, base}},
           ink);
  pen.fill({{left, base}, {left + width / 2, tip}, {left + width, base}}, colour);
}

/// To three digits.
std::string short_number(double v) {
  const double size = std::abs(v);
  const std::string text =
      size >= 1000 && size < 1e7 ? fmt::format("{:.0f}", size) : fmt::format("{:.3g}", size);
  return (v < 0 ? "\u2212" : "") + text;
}

}  // namespace

std::vector<ColourBar::Label> ColourBar::extremes(double left, double top, double width, double height,
                                                  double right, int font) const {
  std::vector<Label> labels;
  const Scale scale = scale_of(unit, range);
  const auto add = [&](const char* name, double value, double y) {
    if (!std::isfinite(value)) return;
    const std::string text = std::string(name) + " " + short_number(value * scale.factor);
    labels.push_back(
        {{std::min(left + width + 0.3 * font, right - plotting::text_width(text, font)), y}, text});
  };
  if (beyond.above) add("max", beyond.high, top - 0.05 * font);
  if (sign && beyond.below) add("min", beyond.low, top + height + 0.75 * font);
  return labels;
}

void ColourBar::draw(Pen& pen, double left, double top, double width, double height, double right,
                     int font) const {
  const double line = std::max(1.0, std::round(font / 16.0)),
               arrow = std::round(std::min(0.9 * font, height / 8));
  const double from = top + arrow, to = top + height - (sign ? arrow : 0), body = to - from;
  pen.box(left - line, from - line, width + 2 * line, body + 2 * line, ink);
  pen.image(left, from, width, body, column_of(colours));
  if (beyond.above) draw_arrow(pen, left, width, from, top, line, colours.at(1));
  if (sign && beyond.below) draw_arrow(pen, left, width, to, to + arrow, line, colours.at(0));

  const Scale scale = scale_of(unit, range);
  double widest = 0;
  if (range > 0) {
    const double high = range * scale.factor, low = sign ? -high : 0;
    int most = std::clamp(int(body / (2.2 * font)), 2, 10);
    // Zero alone tells nothing, as long as there is room for another.
    while (round_ticks(low, high, most).size() < (sign ? 3 : 2) && most < int(body / font)) ++most;
    const double step = tick_step(high - low, most), x = left + width + line;
    for (double v : round_ticks(low, high, most)) {
      const double y = std::round(to - (v - low) / (high - low) * body);
      const std::string label = tick_label(v, step);
      widest = std::max(widest, plotting::text_width(label, font));
      pen.box(x, y - std::floor(line / 2), std::round(0.35 * font), line, ink);
      pen.text({x + 0.65 * font, y + 0.36 * font}, label, font, Canvas::left);
    }
  }
  const std::string label = scale.label(name);
  for (const Label& extreme : extremes(left, top, width, height, right, font))
    pen.text(extreme.at, extreme.text, font, Canvas::left);
  if (plotting::text_width(label, font) <=
      height - 1.5 * font)  // beside the tips of its arrows there may be numbers
    pen.text({left + width + line + 0.65 * font + widest + 1.4 * font, (from + to) / 2}, label, font,
             Canvas::middle, true);
  else  // a bar too short for it
    pen.text({right, top - (beyond.above ? 1.1 : 0.4) * font}, label, font, Canvas::right);
}

}  // namespace wavesim
