#include "output/pictures/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/pictures/cairo_pen.hpp"
#include "output/pictures/plot_axes.hpp"
#include "output/pictures/plot_pens.hpp"

namespace wavesim {

namespace {

using namespace plotting;

/// The curve's points on the sheet, in parts where it has gaps; of many points in one column of pixels only
/// the lowest and the highest.
std::vector<std::vector<Point>> parts_of(const Curve& c, const Axes& axes) {
  std::vector<std::vector<Point>> parts(1);
  constexpr double far = 1e6;  // from the sheet, which no pen reaches
  const auto gap = [&](std::size_t i) {
    return (axes.log_y && !(c.y[i] > 0)) || !std::isfinite(c.y[i]) ||
           !std::isfinite(axes.place_x(c.x[i]) + axes.place_y(c.y[i]));
  };
  std::size_t k = 0;
  while (k < c.x.size()) {
    if (gap(k)) {
      if (!parts.back().empty()) parts.emplace_back();
      ++k;
      continue;
    }
    const double column = std::floor(axes.place_x(c.x[k]));
    std::size_t low = k, high = k, end = k;
    for (; end < c.x.size() && std::floor(axes.place_x(c.x[end])) == column && !gap(end); ++end) {
      if (c.y[end] < c.y[low]) low = end;
      if (c.y[end] > c.y[high]) high = end;
    }
    const auto add = [&](std::size_t i) {
      parts.back().push_back(
          {std::clamp(axes.place_x(c.x[i]), -far, far), std::clamp(axes.place_y(c.y[i]), -far, far)});
    };
    add(std::min(low, high));
    if (low != high) add(std::max(low, high));
    k = std::max(end, k + 1);
  }
  return parts;
}

constexpr int title_size = 19, name_size = 17, number_size = 16;

std::vector<double> decades(const Span& y) {
  const double each = std::max(1.0, std::ceil((y.high - y.low) / 8));
  std::vector<double> ticks;
  for (double v = std::ceil(y.low / each - 1e-9) * each; v <= y.high + 1e-9 * each; v += each)
    ticks.push_back(v);
  return ticks;
}

void draw_axes(Pen& pen, const Axes& a, const Plot& plot) {
  pen.text({a.left, 26}, plot.title, title_size, Canvas::left);
  pen.text({(a.left + a.right) / 2, height - 14}, a.x_scale.label(plot.x_name), name_size, Canvas::middle);
  if (!plot.x_note.empty()) pen.text({a.right, height - 14}, plot.x_note, number_size, Canvas::right);
  const int most_x = a.right - a.left < 500 ? 4 : 8;
  constexpr int most_y = 6;
  const double x_low = a.x.low * a.x_scale.factor, x_high = a.x.high * a.x_scale.factor;
  for (double v : round_ticks(x_low, x_high, most_x)) {
    const double x = a.left + (v - x_low) / (x_high - x_low) * (a.right - a.left);
    pen.line({{x, a.top}, {x, a.bottom}}, -1, 0.5);
    pen.text({x, a.bottom + 22}, tick_label(v, tick_step(x_high - x_low, most_x)), number_size,
             Canvas::middle);
  }
  const double low = a.y.low * a.y_scale.factor, high = a.y.high * a.y_scale.factor;
  for (double v : a.log_y ? decades(a.y) : round_ticks(low, high, most_y)) {
    const double y = a.bottom - (v - low) / (high - low) * (a.bottom - a.top);
    pen.line({{a.left, y}, {a.right, y}}, -1, 0.5);
    pen.text({a.left - 8, y + 6},
             a.log_y ? power_of_ten(int(std::lround(v))) : tick_label(v, tick_step(high - low, most_y)),
             number_size, Canvas::right);
  }
  pen.text({22, (a.top + a.bottom) / 2}, a.y_scale.label(plot.y_name), name_size, Canvas::middle, true);
  pen.line({{a.left, a.top}, {a.right, a.top}, {a.right, a.bottom}, {a.left, a.bottom}, {a.left, a.top}}, -1,
           1);
}

/// The names of curves: at the end of the line of the title, or where they have no room there, in rows below it.
struct Legend {
  struct Entry {
    double x, y;  // of the name's left end
  };
  std::vector<Entry> entries;
  int rows = 0;
};

Legend legend_of(const Plot& plot, double left, double right) {
  constexpr double stroke = 26, apart = 16, title_line = 26;
  Legend legend;
  if (plot.curves.size() < 2) return legend;
  std::vector<double> widths;
  double all = 0;
  for (const Curve& c : plot.curves) {
    widths.push_back(stroke + text_width(c.name, number_size) + apart);
    all += widths.back();
  }
  const bool beside = text_width(plot.title, title_size) + apart + all - apart <= right - left;
  double x = beside ? right - all + apart : left;
  if (!beside) legend.rows = 1;
  for (const double w : widths) {
    if (!beside && x > left && x + w - apart > right) x = left, ++legend.rows;
    legend.entries.push_back({x + stroke, title_line + legend.rows * legend_row});
    x += w;
  }
  return legend;
}

Axes place_axes(const Plot& plot, double width) {
  const Axes a = axes_of(plot, width);
  return axes_of(plot, width, legend_of(plot, a.left, a.right).rows);
}

void draw_curves(Pen& pen, const Plot& plot, const Axes& a) {
  draw_axes(pen, a, plot);
  const Legend legend = legend_of(plot, a.left, a.right);
  for (std::size_t k = plot.curves.size(); k-- > 0;) {
    for (const auto& part : parts_of(plot.curves[k], a))
      if (part.size() == 1)
        pen.line({{part[0].x - 2, part[0].y}, {part[0].x + 2, part[0].y}}, int(k), 2);
      else if (!part.empty())
        pen.line(part, int(k), 2);
    if (legend.entries.empty()) continue;
    const auto [x, y] = legend.entries[k];
    pen.text({x, y}, plot.curves[k].name, number_size, Canvas::left);
    pen.line({{x - 26, y - 5}, {x - 6, y - 5}}, int(k), 3);
  }
}

/// Those that come first keep their place; others rise above what is in their way, a few lines at most.
void draw_notes(Pen& pen, const Plot& plot, const Axes& a) {
  constexpr int line = number_size + 2, most_lines = 3;
  struct Place {
    double x, y, half;
  };
  std::vector<Place> taken;
  for (const Plot::Note& note : plot.notes) {
    const double half = text_width(note.text, number_size) / 2 + 4;
    Place here{std::clamp(a.place_x(note.x), a.left + half, a.right - half),
               std::max(a.place_y(note.y) - 8, a.top + 16), half};
    const auto free = [&] {
      return std::none_of(taken.begin(), taken.end(), [&](const Place& p) {
        return std::abs(p.x - here.x) < p.half + half && std::abs(p.y - here.y) < line;
      });
    };
    const double wanted = here.y;
    for (int k = 0; k < most_lines && !free() && here.y - line >= a.top + 16; ++k) here.y -= line;
    if (!free()) continue;
    if (here.y < wanted) pen.line({{here.x, here.y + 3}, {here.x, wanted + 6}}, note.curve, 1);
    taken.push_back(here);
    pen.text({here.x, here.y}, note.text, number_size, Canvas::middle, false,
             plot.curves.size() > 1 ? note.curve : -1);
  }
}

}  // namespace

Figure figure_of(const Plot& plot) {
  return {plot.title, height, [plot](Pen& pen, double width) {
            const Axes a = place_axes(plot, width);
            draw_curves(pen, plot, a);
            draw_notes(pen, plot, a);
          }};
}

}  // namespace wavesim
