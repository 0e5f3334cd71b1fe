#include <algorithm>

#include "sim/model/model_parts.hpp"
#include "sim/run/output_plan.hpp"
#include "sim/run/values_of_ranks.hpp"

namespace wavesim {

namespace {

/// f(node) over rows `from` to `to` - 1 of a window, row by row.
template <class P, class F>
std::vector<P> on_rows(const Window& w, long from, long to, const Grid& grid, const F& f) {
  std::vector<P> values;
  values.reserve(std::size_t(w.count[0]) * std::size_t(to - from));
  for (long row = from; row < to; ++row)
    for (long col = 0; col < w.count[0]; ++col)
      values.push_back(P(f(grid.index(w.first[0] + col * w.stride, w.first[1] + row * w.stride))));
  return values;
}

/// f(node), which each rank knows in its rows, over a window.
template <class P, class F>
Values plane(const Window& w, const Grid& g, PartsOfRanks* parts, const F& f) {
  Ranks* const ranks = g.own.ranks;
  if (!ranks) return on_rows<P>(w, 0, w.count[1], g, f);
  std::vector<long> first;
  for (const long node : g.partition())
    first.push_back(std::clamp((node - w.first[1] + w.stride - 1) / w.stride, 0L, w.count[1]));
  std::vector<std::size_t> start;
  for (const long row : first) start.push_back(std::size_t(row * w.count[0]) * sizeof(P));
  const std::size_t k = std::size_t(ranks->rank());
  return values_of_ranks<P>(*ranks, parts, on_rows<P>(w, first[k], first[k + 1], g, f), start);
}

}  // namespace

Values speed_on(const Window& w, const Model& model, bool single, PartsOfRanks* parts) {
  const auto speed = [&](std::size_t i) { return model.speed[i]; };
  return single ? plane<float>(w, model.grid, parts, speed) : plane<double>(w, model.grid, parts, speed);
}

Values inside_on(const Window& w, const Model& model, PartsOfRanks* parts) {
  if (model.region.empty()) return {};
  return plane<std::uint8_t>(w, model.grid, parts, [&](std::size_t i) { return is_inside(model.region[i]); });
}

Values rim_on(const Window& w, const Model& model, PartsOfRanks* parts) {
  const Array<float> distance = rim_distance(model);
  if (distance.empty()) return {};
  return plane<float>(w, model.grid, parts, [&](std::size_t i) { return distance[i]; });
}

PlanesOfModel planes_of_model(const Config& config, const Model& model, const TimePlan& plan,
                              PartsOfRanks* parts) {
  const RunInfo outline = output_outline(config, model, plan);
  const Window window = output_window(*config.output.frames, model.grid);
  PlanesOfModel planes;
  if (!outline.once.empty()) planes.speed = speed_on(window, model, outline.single, parts);
  planes.inside = inside_on(window, model, parts);
  if (window.stride == 1) planes.rim = rim_on(window, model, parts);
  return planes;
}

}  // namespace wavesim
