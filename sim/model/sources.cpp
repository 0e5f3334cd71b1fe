#include <set>

#include "sim/input/text.hpp"
#include "sim/model/model_parts.hpp"

namespace wavesim {

namespace {

bool is_unknown(const Model& model, std::size_t node) {
  const std::size_t nx = std::size_t(model.grid.nodes(0));
  return is_unknown(model, long(node % nx), long(node / nx));
}

/// Spread bilinearly; the mass matrix divides by the dual cells, so that the amplitude is the integral of f.
void point_source(const SourceConfig& c, Model& model, Source& source) {
  const auto [x, y] = *c.at;
  const std::string named = "the source '" + source.name + "' at " + text(*c.at);
  if (!in_rectangle(model.grid, x, y))
    c.where.fail(named + " is outside the grid (" + rectangle_text(model.grid) + "); move it inside");
  const Bilinear b = locate(model, x, y);
  double lost = 0;
  for (int k = 0; k < 4; ++k) {
    if (b.weight[k] == 0) continue;
    if (!is_unknown(model, b.node[k])) {
      lost += b.weight[k];
      continue;
    }
    source.node.push_back(b.node[k]);
    source.weight.push_back(b.weight[k]);
  }
  if (source.node.empty())
    c.where.fail(named +
                 " has only nodes round it that cannot move (outside the shape or on a fixed edge); "
                 "move it into the region");
  if (lost > 0)
    model.notes.push_back(named + " lies within a cell of a rim or fixed edge: " + text(100 * lost) +
                          " % of it falls on nodes that cannot move and is lost");
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
  for (long iy = 0; iy < ny; ++iy)
    for (long ix = 0; ix < nx; ++ix) {
      const std::size_t i = g.index(ix, iy);
      if (field[i] == 0 || !is_unknown(model, ix, iy)) continue;
      source.node.push_back(i);
      source.weight.push_back(field[i] * share(0, ix) * share(1, iy) * model.rim.cell_share[i]);
    }
  if (source.node.empty())
    c.where.fail("the source '" + source.name +
                 "' is zero on all nodes that can move; let its area overlap the region");
}

}  // namespace

void build_sources(const Config& config, Model& model) {
  std::set<std::string> names;
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
      point_source(c, model, source);
    else
      area_source(c, model, source);
    model.sources.push_back(std::move(source));
  }
}

}  // namespace wavesim
