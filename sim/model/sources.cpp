#include <set>

#include "sim/fourth_order/interpolation.hpp"
#include "sim/input/text.hpp"
#include "sim/model/model_parts.hpp"

namespace wavesim {

namespace {

bool is_unknown(const Model& model, std::size_t node) {
  const auto [ix, iy] = model.grid.place(node);
  return is_unknown(model, ix, iy);
}

/// Spread by the weights of interpolation; the mass matrix divides by the dual cells, so that the amplitude is the
/// integral of f.
void point_source(const SourceConfig& c, const Interpolation& interpolation, Model& model, Source& source) {
  const auto [x, y] = *c.at;
  const std::string named = "the source '" + source.name + "' at " + text(*c.at);
  if (!in_rectangle(model.grid, x, y))
    c.where.fail(named + " is outside the grid (" + rectangle_text(model.grid) + "); move it inside");
  double lost = 0;
  for (const auto& [node, weight] : interpolation.weights(x, y)) {
    if (weight == 0) continue;
    if (!is_unknown(model, node)) {
      lost += weight;
      continue;
    }
    source.node.push_back(node);
    source.weight.push_back(weight);
  }
  if (source.node.empty())
    c.where.fail(named +
                 " has only nodes round it that cannot move (outside the shape or on a fixed edge); "
                 "move it into the region");
  if (lost > 0 && model.space_order == 2)
    model.notes.push_back(named + " lies within a cell of a rim or fixed edge: " + text(100 * lost) +
                          " % of it falls on nodes that cannot move and is lost");
}

/// What the half cells along free edges have of the slope of g across them: h^2 g_n / 24 of what S'F leaves out of
/// h^2 g_n / 12 (docs/math.md, section 2).
double slope_over_half_cells(const Model& model, const NodeField& field, long ix, long iy) {
  const Grid& g = model.grid;
  const std::array<long, 2> at{ix, iy};
  double sum = 0;
  for (int axis = 0; axis < 2; ++axis)
    for (const int end : {0, 1}) {
      if (at[axis] != (end == 0 ? 0 : g.cells[axis]) || g.cells[axis] < 2 ||
          model.edges[2 * axis + end].kind != EdgeCondition::free)
        continue;
      const auto inwards = [&](long k) {
        std::array<long, 2> to = at;
        to[axis] += end == 0 ? k : -k;
        return field[g.index(to[0], to[1])];
      };
      const bool corner = !g.periodic[1 - axis] && (at[1 - axis] == 0 || at[1 - axis] == g.cells[1 - axis]);
      sum += (-3 * inwards(0) + 4 * inwards(1) - inwards(2)) / 48 * (corner ? 0.5 : 1);
    }
  return sum * g.spacing[0] * g.spacing[1];
}

/// g times the area of the dual cell: half of a cell at an edge, a quarter at a corner.
void area_source(const SourceConfig& c, Model& model, Source& source) {
  const Grid& g = model.grid;
  const NodeField field = evaluate(c.area, g);
  const auto share = [&](int axis, long i) {
    const bool end = !g.periodic[axis] && (i == 0 || i == g.cells[axis]);
    return g.spacing[axis] * (end ? 0.5 : 1);
  };
  const long nx = g.nodes(0) - g.periodic[0], ny = g.nodes(1) - g.periodic[1];
  const bool wide = model.space_order == 4;
  bool moves = false;
  for (long iy = 0; iy < ny; ++iy)
    for (long ix = 0; ix < nx; ++ix) {
      const std::size_t i = g.index(ix, iy);
      // with nine points a force on a fixed edge acts on the nodes beside it (Filter::load)
      if (!is_inside(model, i) || !(wide || is_unknown(model, ix, iy))) continue;
      const double weight = field[i] * share(0, ix) * share(1, iy) * model.rim.cell_share[i] +
                            (wide ? slope_over_half_cells(model, field, ix, iy) : 0);
      if (weight == 0) continue;
      source.node.push_back(i);
      source.weight.push_back(weight);
      moves = moves || is_unknown(model, ix, iy);
    }
  if (!moves)
    c.where.fail("the source '" + source.name +
                 "' is zero on all nodes that can move; let its area overlap the region");
}

}  // namespace

void build_sources(const Config& config, Model& model) {
  std::set<std::string> names;
  const Interpolation interpolation(model);
  for (std::size_t i = 0; i < config.sources.size(); ++i) {
    const SourceConfig& c = config.sources[i];
    Source source;
    source.name = c.name.empty() ? "source-" + std::to_string(i + 1) : c.name;
    if (!names.insert(source.name).second)
      c.where.fail("two sources are named '" + source.name + "'; give each its own name");
    if (c.at.has_value() == !c.area.empty())
      c.where.fail("the source '" + source.name + "' needs either 'at' (a point) or 'area' (a field), " +
                   (c.at ? "not both" : "and has neither"));
    if (!c.signal)
      c.where.fail("the source '" + source.name + "' needs a signal, for example ricker: {frequency: 300}");
    source.signal = c.signal;
    source.signal->prepare();
    if (c.at)
      point_source(c, interpolation, model, source);
    else
      area_source(c, model, source);
    model.sources.push_back(std::move(source));
  }
}

}  // namespace wavesim
