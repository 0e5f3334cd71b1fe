#include "output/pictures/gather.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "output/pictures/even_series.hpp"
#include "output/pictures/range_finder.hpp"
#include "output/pictures/scene.hpp"

namespace wavesim {

namespace {

using Members = std::vector<std::size_t>;

/// Receivers "NAME[0]", "NAME[1]", ... by NAME, in this order.
std::map<std::string, Members> lines_of(const std::vector<ReceiverInfo>& all) {
  std::map<std::string, Members> lines;
  for (std::size_t r = 0; r < all.size(); ++r) {
    const std::string& name = all[r].name;
    const auto bracket = name.rfind('[');
    if (bracket == name.npos || name.back() != ']') continue;
    Members& line = lines[name.substr(0, bracket)];
    if (name.substr(bracket) == "[" + std::to_string(line.size()) + "]") line.push_back(r);
  }
  return lines;
}

struct Places {
  std::string name = "receiver", unit;
  std::vector<double> values;
};

/// Along the line from the foot of its only source; without one along an axis, or from its first receiver.
Places places_on(const std::vector<ReceiverInfo>& all, const Members& line, const Mark* only_source) {
  const ReceiverInfo &first = all[line.front()], &last = all[line.back()];
  const double length = std::hypot(last.x - first.x, last.y - first.y);
  Places p;
  if (!(length > 0)) return p;
  p.unit = "m";
  const double dx = (last.x - first.x) / length, dy = (last.y - first.y) / length;
  const double across =
      only_source ? std::abs((only_source->x - first.x) * dy - (only_source->y - first.y) * dx) : 0;
  double from_x = first.x, from_y = first.y;
  p.name = "distance";
  if (only_source && across < 0.1 * length)
    p.name = "offset", from_x = only_source->x, from_y = only_source->y;
  else if (std::abs(dy) < 1e-9 && dx > 0)
    p.name = "x", from_x = 0;
  else if (std::abs(dx) < 1e-9 && dy > 0)
    p.name = "y", from_y = 0;
  for (std::size_t r : line) p.values.push_back((all[r].x - from_x) * dx + (all[r].y - from_y) * dy);
  return p;
}

ShotGather gather_of(const std::string& line, const std::vector<ReceiverInfo>& all, const Members& members,
                     const ReceiverSeries& series, const Mark* only_source, double gain) {
  ShotGather g;
  g.line = line;
  if (line.empty())
    for (std::size_t r : members) g.names.push_back(all[r].name);
  const Places places = line.empty() ? Places{} : places_on(all, members, only_source);
  g.place_name = places.name, g.place_unit = places.unit, g.places = places.values;
  if (g.places.empty())
    for (std::size_t k = 0; k < members.size(); ++k) g.places.push_back(double(k));
  g.gain = gain;
  RangeFinder finder;
  for (std::size_t r : members) {
    EvenSeries even = even_series(series.time, series.values[r]);
    g.time = even.time;
    const double end = g.time.back();
    if (gain != 0 && end > 0)
      for (std::size_t k = 0; k < even.value.size(); ++k)
        even.value[k] *= std::pow(std::max(0.0, g.time[k]) / end, gain);
    for (double v : even.value) {
      finder.add(float(v));
      if (std::isfinite(v)) g.low = std::min(g.low, v), g.high = std::max(g.high, v);
    }
    g.traces.push_back(std::move(even.value));
  }
  constexpr double part_beyond = 0.02;  // the colours
  const double clip = finder.range(part_beyond);
  if (clip > 0) g.clip = clip, g.clipped = finder.range(0) > clip;
  return g;
}

}  // namespace

std::vector<std::size_t> receivers_apart(const std::vector<ReceiverInfo>& receivers, std::size_t least) {
  std::vector<bool> taken(receivers.size(), false);
  for (const auto& [name, members] : lines_of(receivers))
    if (members.size() > least)
      for (std::size_t r : members) taken[r] = true;
  Members apart;
  for (std::size_t r = 0; r < receivers.size(); ++r)
    if (!taken[r]) apart.push_back(r);
  return apart;
}

std::vector<ShotGather> gathers_of(const ResultReader& result, double gain, std::size_t least) {
  const ReceiverSeries series = result.receivers();
  if (!rises(series.time)) return {};
  const std::vector<ReceiverInfo>& all = result.info().receivers;
  const Scene scene = scene_of(result.info());
  std::map<std::string, Members> lines = lines_of(all);
  std::erase_if(lines, [&](const auto& line) { return line.second.size() <= least; });
  if (const Members apart = receivers_apart(all, least); apart.size() > least) lines[""] = apart;
  std::vector<ShotGather> gathers;
  for (const auto& [name, members] : lines) {
    ShotGather g = gather_of(name, all, members, series, scene.only_source(), gain);
    g.name = name_of("displacement", scene.model), g.unit = unit_of("displacement", scene.model);
    g.title =
        fmt::format("{}, {} receivers", name.empty() ? scene.name : scene.name + ": " + name, members.size());
    gathers.push_back(std::move(g));
  }
  return gathers;
}

}  // namespace wavesim
