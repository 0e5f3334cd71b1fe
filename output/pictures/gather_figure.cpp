#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/pictures/cairo_pen.hpp"
#include "output/pictures/colour_bar.hpp"
#include "output/pictures/gather.hpp"
#include "output/pictures/resample.hpp"
#include "output/pictures/ticks.hpp"
#include "output/run/one_line.hpp"

namespace wavesim {

namespace {

using namespace plotting;

constexpr double height = 720, left = 96, beside = 150, top = 48;
constexpr int title_size = 19, letters = 17, name_letters = 15;
constexpr int pixels_across = 1071, pixels_down = 900;  // one and a half a unit

/// Every sample, from the top: what pixels cannot show is averaged. `columns` are interpolated between traces.
Image resampled(const std::vector<const std::vector<double>*>& traces, std::size_t columns) {
  const std::size_t count = traces.size(), samples = traces.front()->size();
  std::vector<float> values(count * samples);
  for (std::size_t r = 0; r < count; ++r)
    for (std::size_t k = 0; k < samples; ++k) values[k * count + r] = float((*traces[r])[k]);
  return Resampler(count, samples, columns, pixels_down, {})(values);
}

/// A trace is in the middle of its column, so that there is half a column on both sides. Traces of a line are interpolated;
/// those of places that have nothing to do with each other have a column each.
Canvas colours_of(const ShotGather& g) {
  const std::size_t traces = g.traces.size();
  const ColourMap& map = colour_maps().front();
  Canvas canvas(pixels_across, pixels_down, {});
  const auto paint = [&](int from, int to, const Image& image, std::size_t column) {
    for (int row = 0; row < pixels_down; ++row) {
      const float value = image.values[std::size_t(row) * image.width + column];
      const Colour c = map.at(float(0.5 + 0.5 * double(value) / g.clip));
      for (int k = from; k < to; ++k) canvas.set(k, pixels_down - 1 - row, c);
    }
  };
  const auto edge = [&](std::size_t r) { return int(r * std::size_t(pixels_across) / traces); };
  if (!g.names.empty() || traces < 2) {
    for (std::size_t r = 0; r < traces; ++r)
      paint(edge(r), edge(r + 1), resampled({&g.traces[r], &g.traces[r]}, 1), 0);
    return canvas;
  }
  std::vector<const std::vector<double>*> all;
  for (const std::vector<double>& trace : g.traces) all.push_back(&trace);
  const int between = std::max(1, int(std::lround(pixels_across * double(traces - 1) / double(traces)))),
            margin = (pixels_across - between) / 2;
  const Image image = resampled(all, std::size_t(between));
  for (int k = 0; k < pixels_across; ++k)
    paint(k, k + 1, image, std::size_t(std::clamp(k - margin, 0, between - 1)));
  return canvas;
}

struct Area {
  double low_place, high_place, low_time, high_time, right, bottom;
  double x(double place) const {
    return left + (place - low_place) / (high_place - low_place) * (right - left);
  }
  double y(double time) const { return top + (time - low_time) / (high_time - low_time) * (bottom - top); }
};

/// Of the samples in one pixel of time the lowest and the highest; in parts, without long silences.
std::vector<std::vector<Point>> wiggle(const ShotGather& g, const std::vector<double>& trace,
                                       const Area& area, double x, double reach) {
  constexpr double most = 3;                // as far as this many times the clip
  constexpr double silent = 5e-3;           // parts of the clip
  constexpr std::size_t long_silence = 24;  // points
  const auto point = [&](std::size_t k) {
    return Point{x + reach * std::clamp(trace[k] / g.clip, -most, most), area.y(g.time[k])};
  };
  std::vector<std::vector<Point>> parts(1);
  std::vector<Point> silence;
  for (std::size_t k = 0; k < trace.size();) {
    const double row = std::floor(area.y(g.time[k]));
    std::size_t low = k, high = k;
    for (++k; k < trace.size() && std::floor(area.y(g.time[k])) == row; ++k) {
      if (trace[k] < trace[low]) low = k;
      if (trace[k] > trace[high]) high = k;
    }
    const bool heard = std::max(-trace[low], trace[high]) > silent * g.clip;
    if (heard) {
      if (silence.size() < long_silence)
        parts.back().insert(parts.back().end(), silence.begin(), silence.end());
      else if (!parts.back().empty())
        parts.emplace_back();
      silence.clear();
    }
    std::vector<Point>& into = heard ? parts.back() : silence;
    into.push_back(point(std::min(low, high)));
    if (low != high) into.push_back(point(std::max(low, high)));
  }
  return parts;
}

void draw_wiggles(Pen& pen, const ShotGather& g, const Area& area) {
  constexpr double apart = 11;
  const double spacing = (area.right - left) / double(g.traces.size());
  const auto every = std::size_t(std::max(1.0, std::ceil(apart / spacing)));
  const double reach = 0.6 * double(every) * spacing;
  for (std::size_t r = every / 2; r < g.traces.size(); r += every) {
    for (std::vector<Point>& part :
         wiggle(g, g.traces[r], area, area.x(g.places[r]), std::min(reach, 20.0))) {
      for (Point& p : part) p.x = std::clamp(p.x, left, area.right);
      if (part.size() > 1) pen.line(part, -1, 1);
    }
  }
}

/// Of receivers that are on no line: below their columns if they have room there, else upwards.
struct Names {
  std::vector<std::string> text;
  bool turned = false;
  double longest = 0;
};

Names names_of(const ShotGather& g, double across) {
  constexpr std::size_t most_letters = 24;
  Names names;
  for (std::string name : g.names) {
    name = one_line(name);
    if (name.size() > most_letters) {
      std::size_t end = most_letters - 1;
      while (end > 0 && (name[end] & 0xC0) == 0x80) --end;  // not within a letter of UTF-8
      name = name.substr(0, end) + "\u2026";
    }
    names.longest = std::max(names.longest, text_width(name, name_letters));
    names.text.push_back(std::move(name));
  }
  names.turned = names.longest + 10 > across / double(std::max<std::size_t>(1, g.traces.size()));
  return names;
}

void draw_names(Pen& pen, const ShotGather& g, const Names& names, const Area& area) {
  constexpr double apart = name_letters + 4;
  const double column = (area.right - left) / double(g.traces.size());
  const auto every = names.turned ? std::size_t(std::max(1.0, std::ceil(apart / column))) : 1;
  for (std::size_t r = 0; r < names.text.size(); r += every) {
    const double x = area.x(g.places[r]);
    pen.line({{x, area.bottom}, {x, area.bottom + 6}}, -1, 1);
    if (names.turned)
      pen.text({x + 0.36 * name_letters, area.bottom + 10}, names.text[r], name_letters, Canvas::right, true);
    else
      pen.text({x, area.bottom + 24}, names.text[r], name_letters, Canvas::middle);
  }
}

void draw_places(Pen& pen, const Scale& across, const Area& area) {
  const int most_across = area.right - left < 400 ? 4 : 8;
  const double p0 = area.low_place * across.factor, p1 = area.high_place * across.factor;
  for (double v : round_ticks(p0, p1, most_across)) {
    const double x = area.x(v / across.factor);
    pen.line({{x, area.bottom}, {x, area.bottom + 6}}, -1, 1);
    pen.text({x, area.bottom + 24}, tick_label(v, tick_step(p1 - p0, most_across)), letters, Canvas::middle);
  }
}

void draw_axes(Pen& pen, const ShotGather& g, const Names& names, const Area& area) {
  constexpr int most_down = 10;
  constexpr double tick = 6;
  pen.text({left, 28}, g.title, title_size, Canvas::left);
  const Scale across = scale_of(g.place_unit, std::max(std::abs(area.low_place), std::abs(area.high_place))),
              down = scale_of("s", area.high_time);
  if (g.names.empty())
    draw_places(pen, across, area);
  else
    draw_names(pen, g, names, area);
  pen.text({(left + area.right) / 2, height - 16}, across.label(g.place_name), letters, Canvas::middle);
  const double t0 = area.low_time * down.factor, t1 = area.high_time * down.factor;
  for (double v : round_ticks(t0, t1, most_down)) {
    const double y = area.y(v / down.factor);
    pen.line({{left - tick, y}, {left, y}}, -1, 1);
    pen.text({left - 10, y + 6}, tick_label(v, tick_step(t1 - t0, most_down)), letters, Canvas::right);
  }
  pen.text({22, (top + area.bottom) / 2}, down.label("t"), letters, Canvas::middle, true);
  pen.line({{left, top}, {area.right, top}, {area.right, area.bottom}, {left, area.bottom}, {left, top}}, -1,
           1);
}

/// "pressure", "pressure × t / 3 s", "pressure × (t / 3 s)^2"
std::string value_name(const ShotGather& g) {
  if (g.gain == 0) return g.name;
  const std::string part = "t / " + time_text(g.time.back());
  return g.gain == 1 ? g.name + " \u00d7 " + part
                     : fmt::format("{} \u00d7 ({})^{:.3g}", g.name, part, g.gain);
}

void draw(Pen& pen, const ShotGather& g, double width) {
  const double right = width - beside;
  const Names names = names_of(g, right - left);
  const double bottom = height - 72 - (names.turned ? std::max(0.0, names.longest - 20) : 0);
  const double half =
      g.places.size() > 1 ? (g.places.back() - g.places.front()) / double(g.places.size() - 1) / 2 : 0.5;
  const Area area{
      g.places.front() - half, g.places.back() + half, g.time.front(), g.time.back(), right, bottom};
  pen.image(left, top, right - left, bottom - top, colours_of(g));
  draw_wiggles(pen, g, area);
  draw_axes(pen, g, names, area);
  const ColourBar bar{colour_maps().front(), true,   g.clip,
                      value_name(g),         g.unit, {g.clipped, g.clipped, g.low, g.high}};
  bar.draw(pen, right + 20, top, 18, bottom - top, width - 4, letters);
}

}  // namespace

Figure figure_of(const ShotGather& gather) {
  return {gather.title, height, [gather](Pen& pen, double width) { draw(pen, gather, width); }};
}

}  // namespace wavesim
