#include <algorithm>

#include "sim/model/layers.hpp"
#include "sim/model/model_parts.hpp"
#include "sim/shapes/area.hpp"

namespace wavesim {

namespace {

/// The union of the shapes (the whole rectangle if none adds), less what is cut out. Of several shapes over a
/// node the first in the list rules its rim; of several cut-outs a fixed one.
Array<Node> region_of(const std::vector<std::shared_ptr<Shape>>& shapes, const Grid& grid,
                      std::vector<std::string>& notes) {
  std::vector<const Shape*> adding;
  for (const auto& shape : shapes)
    if (!shape->cuts_out()) adding.push_back(shape.get());
  Array<Node> region = in_own_rows(grid, Node::inside_fixed_rim);
  const std::size_t first = grid.first_node(), end = grid.end_node();
  const auto first_sure = long(grid.first_sure_node()), end_sure = long(grid.end_sure_node());
  if (!adding.empty()) {
    constexpr std::array<Node, 4> node{Node::outside, Node::inside_fixed_rim, Node::inside_fixed_rim,
                                       Node::inside_free_rim};
    const auto ruled = nodes_inside(adding, grid);
    for (std::size_t i = first; i < end; ++i) region[i] = node[std::size_t(ruled[i])];
  }
  for (const auto& shape : shapes) {
    if (!shape->cuts_out()) continue;
    const auto mask = shape->inside(grid);
    const bool free = shape->has_free_rim();
    const bool takes =
        std::find(mask.begin() + first_sure, mask.begin() + end_sure, 0) != mask.begin() + end_sure;
    if (!grid.own.any(takes))
      notes.push_back("the cut-out at " + shape->where.text() +
                      " takes no node away: it lies outside the grid or between the nodes");
    for (std::size_t i = first; i < end; ++i)
      if (!mask[i] && region[i] != Node::outside_fixed)
        region[i] = free ? Node::outside_free : Node::outside_fixed;
  }
  copy_periodic(region, grid);
  const bool any = !std::all_of(region.begin() + first_sure, region.begin() + end_sure,
                                [](Node n) { return is_inside(n); });
  if (grid.own.any(any)) return region;
  return {};
}

}  // namespace

void build_region(const Config& config, Model& model) {
  const Grid& g = model.grid;
  if (!config.shape.empty()) {
    model.region = region_of(config.shape, g, model.notes);
    model.rim = cut_rims(config.shape, g, model.region);
  }
  bool any = false;
  for (long iy = g.first_sure_row(); iy < g.end_sure_row() && !any; ++iy)
    for (long ix = 0; ix < g.nodes(0) && !any; ++ix) any = is_unknown(model, ix, iy);
  if (g.own.any(any)) return;
  if (model.region.empty())
    config.grid.where.fail("all nodes lie on fixed edges: nothing can move; take more cells");
  for (const auto& shape : config.shape)
    if (const std::string why = shape->why_empty(g); !why.empty())
      shape->where.fail("no node of the grid lies inside the shape: nothing can move; " + why);
  config.shape.front()->where.fail(
      "no node of the grid lies inside the shape: nothing can move; check its place and size against the "
      "grid (" +
      rectangle_text(g) + ") or take more cells");
}

}  // namespace wavesim
