#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/pictures/colour_bar.hpp"
#include "output/pictures/gather.hpp"
#include "output/pictures/resample.hpp"
#include "output/pictures/ticks.hpp"

namespace wavesim {

namespace {

using namespace plotting;

constexpr double height = 720, left = 96, right = width - 150, top = 48, bottom = height - 72;
constexpr int title_size = 19, letters = 17;
constexpr int pixels_across = 1071, pixels_down = 900;  // one and a half a unit

/// Every trace, every sample: what pixels cannot show is averaged.
Canvas colours_of(const ShotGather& g) {
  const std::size_t traces = g.traces.size(), samples = g.time.size();
  std::vector<float> values(traces * samples);
  for (std::size_t r = 0; r < traces; ++r)
    for (std::size_t k = 0; k < samples; ++k) values[k * traces + r] = float(g.traces[r][k]);
  const Resampler resample(traces, samples, pixels_across, pixels_down, {});
  const Image image = resample(values);
  const ColourMap& map = colour_maps().front();
  Canvas canvas(pixels_across, pixels_down, {});
  for (int row = 0; row < pixels_down; ++row)
    for (int k = 0; k < pixels_across; ++k)
      canvas.set(
          k, pixels_down - 1 - row,
          map.at(float(0.5 + 0.5 * double(image.values[std::size_t(row) * pixels_across + std::size_t(k)]) /
                                 g.clip)));
  return canvas;
}

struct Area {
  double low_place, high_place, low_time, high_time;
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
  const double spacing = (right - left) / double(g.traces.size() - 1);
  const auto every = std::size_t(std::max(1.0, std::ceil(apart / spacing)));
  const double reach = 0.6 * double(every) * spacing;
  // The ends of the line are the edges of the area: wiggles there would leave it.
  for (std::size_t r = every / 2; r < g.traces.size(); r += every) {
    for (std::vector<Point>& part :
         wiggle(g, g.traces[r], area, area.x(g.places[r]), std::min(reach, 20.0))) {
      for (Point& p : part) p.x = std::clamp(p.x, left, right);
      if (part.size() > 1) pen.line(part, -1, 1);
    }
  }
}

void draw_axes(Pen& pen, const ShotGather& g, const Area& area) {
  constexpr int most_across = 8, most_down = 10;
  constexpr double tick = 6;
  pen.text({left, 28}, g.title, title_size, Canvas::left);
  const Scale across = scale_of(g.place_unit, std::max(std::abs(area.low_place), std::abs(area.high_place))),
              down = scale_of("s", area.high_time);
  const double p0 = area.low_place * across.factor, p1 = area.high_place * across.factor,
               t0 = area.low_time * down.factor, t1 = area.high_time * down.factor;
  for (double v : round_ticks(p0, p1, most_across)) {
    const double x = area.x(v / across.factor);
    pen.line({{x, bottom}, {x, bottom + tick}}, -1, 1);
    pen.text({x, bottom + 24}, tick_label(v, tick_step(p1 - p0, most_across)), letters, Canvas::middle);
  }
  pen.text({(left + right) / 2, height - 16}, across.label(g.place_name), letters, Canvas::middle);
  for (double v : round_ticks(t0, t1, most_down)) {
    const double y = area.y(v / down.factor);
    pen.line({{left - tick, y}, {left, y}}, -1, 1);
    pen.text({left - 10, y + 6}, tick_label(v, tick_step(t1 - t0, most_down)), letters, Canvas::right);
  }
  pen.text({22, (top + bottom) / 2}, down.label("t"), letters, Canvas::middle, true);
  pen.line({{left, top}, {right, top}, {right, bottom}, {left, bottom}, {left, top}}, -1, 1);
}

/// "pressure", "pressure × t / 3 s", "pressure × (t / 3 s)^2"
std::string value_name(const ShotGather& g) {
  if (g.gain == 0) return g.name;
  const std::string part = "t / " + time_text(g.time.back());
  return g.gain == 1 ? g.name + " \u00d7 " + part
                     : fmt::format("{} \u00d7 ({})^{:.3g}", g.name, part, g.gain);
}

void draw(Pen& pen, const ShotGather& g) {
  Area area{g.places.front(), g.places.back(), g.time.front(), g.time.back()};
  pen.image(left, top, right - left, bottom - top, colours_of(g));
  draw_wiggles(pen, g, area);
  draw_axes(pen, g, area);
  const ColourBar bar{colour_maps().front(), true, g.clip, value_name(g), g.unit, {g.clipped, g.clipped}};
  bar.draw(pen, right + 20, top, 18, bottom - top, width - 4, letters);
}

}  // namespace

Figure figure_of(const ShotGather& gather) {
  return {gather.title, height, [gather](Pen& pen) { draw(pen, gather); }};
}

}  // namespace wavesim
