#include <algorithm>
#include <set>

#include "sim/input/text.hpp"
#include "sim/model/model_parts.hpp"
#include "sim/model/numbers_of_points.hpp"
#include "sim/model/recorded_sources.hpp"
#include "sim/model/source_points.hpp"

namespace wavesim {

namespace {

void take(SourcePoints points, Source& source) {
  source.node = std::move(points.node);
  source.weight = std::move(points.weight);
}

struct NamedSource {
  std::string name;
  SourceConfig config;
};

bool is_resting_point(const SourceConfig& c) { return c.at && !moves(c); }

/// The nodes of sources that are points at rest, in their order; of others none.
std::vector<SourcePoints> points_at_rest(const std::vector<NamedSource>& sources,
                                         const Interpolation& interpolation, const Model& model) {
  const auto numbers = [&](std::size_t k) {
    const SourceConfig& c = sources[k].config;
    SourcePoints points;
    if (is_resting_point(c))
      for (const Pole& pole : poles_of(c, c.at->point, model)) add_pole(pole, model, interpolation, points);
    std::vector<double> numbers{points.lost};
    for (std::size_t n = 0; n < points.node.size(); ++n)
      numbers.push_back(double(points.node[n])), numbers.push_back(points.weight[n]);
    return numbers;
  };
  const auto row = [&](std::size_t k) {
    const SourceConfig& c = sources[k].config;
    return is_resting_point(c) ? model.grid.row_below(c.at->point[1]) : 0;
  };
  std::vector<SourcePoints> all;
  for (const std::vector<double>& of_one : numbers_of_points(model.grid, sources.size(), row, numbers)) {
    SourcePoints& points = all.emplace_back();
    points.lost = of_one[0];
    for (std::size_t n = 1; n < of_one.size(); n += 2)
      points.node.push_back(std::size_t(of_one[n])), points.weight.push_back(of_one[n + 1]);
  }
  return all;
}

/// Spread by the weights of interpolation; the mass matrix divides by the dual cells, so that the amplitude is the
/// integral of f.
void point_source(const SourceConfig& c, SourcePoints points, Model& model, Source& source) {
  const std::array<double, 2> at = c.at->point;
  const std::string named = "the source '" + source.name + "' at " + text(at);
  for (const Pole& pole : poles_of(c, at, model))
    if (!in_rectangle(model.grid, pole.x, pole.y))
      c.where.fail(named + (c.dipole ? " has a pole outside the grid (" : " is outside the grid (") +
                   rectangle_text(model.grid) + "); move it inside");
  if (points.node.empty())
    c.where.fail(named +
                 " has only nodes round it that cannot move (outside the shape or on a fixed edge); "
                 "move it into the region");
  if (points.lost > 0 && !c.dipole && model.space_order == 2)
    model.notes.push_back(named + " lies within a cell of a rim or fixed edge: " + text(100 * points.lost) +
                          " % of it falls on nodes that cannot move and is lost");
  take(std::move(points), source);
}

void area_source(const SourceConfig& c, Model& model, Source& source) {
  take(area_points(evaluate(c.area, model.grid), model), source);
  const bool moves = std::any_of(source.node.begin(), source.node.end(), [&](std::size_t node) {
    const auto [ix, iy] = model.grid.place(node);
    return is_unknown(model, ix, iy);
  });
  if (!model.grid.own.any(moves))
    c.where.fail("the source '" + source.name +
                 "' is zero on all nodes that can move; let its area overlap the region");
}

/// Its path until the end of the run where that is known, in 256 steps.
void moving_source(const Config& config, const SourceConfig& c, const Interpolation& interpolation,
                   Model& model, Source& source) {
  source.moving = std::make_shared<MovingSource>(c, model.grid);
  take(source.moving->at(0, model, interpolation), source);
  if (!c.at) return;
  bool inside = !source.node.empty();
  std::optional<double> outside;
  for (int k = 0; k <= 256; ++k) {
    const double t = config.time.end.value_or(0) * k / 256;
    const auto [x, y] = source.moving->place(t);
    if (!in_rectangle(model.grid, x, y))
      outside = outside.value_or(t);
    else
      inside = inside || !source.moving->at(t, model, interpolation).node.empty();
  }
  const std::string named = "the source '" + source.name + "', which moves,";
  if (!model.grid.own.any(inside))
    c.where.fail(named + " is never on nodes that can move; let its path cross the region (the grid is " +
                 rectangle_text(model.grid) + ")");
  if (outside)
    model.notes.push_back(named + " is outside the grid at " + text(*outside) +
                          " s, and is not heard while it is");
}

void add_source(const Config& config, const NamedSource& named, SourcePoints at_rest,
                const Interpolation& interpolation, Model& model) {
  const SourceConfig& c = named.config;
  Source source;
  source.name = named.name;
  source.signal = c.signal;
  source.signal->prepare();
  if (moves(c))
    moving_source(config, c, interpolation, model, source);
  else if (c.at)
    point_source(c, std::move(at_rest), model, source);
  else
    area_source(c, model, source);
  model.sources.push_back(std::move(source));
}

}  // namespace

void build_sources(const Config& config, Model& model) {
  std::set<std::string> names;
  std::vector<NamedSource> sources;
  for (std::size_t i = 0; i < config.sources.size(); ++i) {
    const SourceConfig& c = config.sources[i];
    const std::string name = c.name.empty() ? "source-" + std::to_string(i + 1) : c.name;
    if (!names.insert(name).second)
      c.where.fail("two sources are named '" + name + "'; give each its own name");
    if (!c.recorded) {
      sources.push_back({name, c});
      continue;
    }
    const std::vector<SourceConfig> all = recorded_sources(*c.recorded);
    for (std::size_t k = 0; k < all.size(); ++k)
      sources.push_back({name + "[" + std::to_string(k) + "]", all[k]});
  }
  if (sources.empty()) return;
  const Interpolation interpolation(model);  // looks at all cells
  std::vector<SourcePoints> at_rest = points_at_rest(sources, interpolation, model);
  for (std::size_t k = 0; k < sources.size(); ++k)
    add_source(config, sources[k], std::move(at_rest[k]), interpolation, model);
}

}  // namespace wavesim
