// Rims of shapes that a signal moves, u = s(t) on the rim: fixed rims whose faces push their unknowns with
// T s / (share h^2) (docs/math.md, section 2).

#include <algorithm>

#include "sim/model/model_parts.hpp"
#include "sim/shapes/region_outline.hpp"

namespace wavesim {

namespace {

bool is_driven(const Shape& shape) { return shape.edge->condition().kind == EdgeCondition::driven; }

/// The signals of the driven rims, prepared, with their shapes.
class Drives {
 public:
  Drives(const Config& config, Rim& rim) {
    for (const auto& shape : config.shape) {
      const Shape* const own = shape->taken_away() ? shape->taken_away() : shape.get();
      if (!is_driven(*own)) continue;
      shapes_.push_back(shape.get());
      rim.signals.push_back(own->edge->condition().driven_by);
      rim.signals.back()->prepare();
    }
  }
  bool empty() const { return shapes_.empty(); }
  /// The number of the signal that moves the rim between a point inside and one outside; -1: none does.
  int between(const RegionOutline::Found& inside, const RegionOutline::Found& outside) const {
    const auto at = std::find(shapes_.begin(), shapes_.end(), outside.by ? outside.by : inside.by);
    return at == shapes_.end() ? -1 : int(at - shapes_.begin());
  }
  const Shape& shape(int signal) const { return *shapes_[std::size_t(signal)]; }

 private:
  std::vector<const Shape*> shapes_;
};

bool is_in_layer(const Grid& g, long ix, long iy) {
  const auto outside = [&](int axis, long i) {
    return i < g.layer[axis][0] || i > g.cells[axis] - g.layer[axis][1];
  };
  return outside(0, ix) || outside(1, iy);
}

}  // namespace

void build_driven_rims(const Config& config, Model& model) {
  if (model.region.empty()) return;
  const Drives drives(config, model.rim);
  if (drives.empty()) return;
  const Grid& g = model.grid;
  RegionOutline outline(config.shape, g);
  std::optional<NodeValue> in_layer;  // the first of them, and its signal
  for (long iy = g.first_row(); iy < g.end_row(); ++iy)
    for (long ix = 0; ix < g.nodes(0); ++ix)
      for (int axis = 0; axis < 2; ++axis) {
        if (!g.has_next(axis, ix, iy)) continue;
        const std::size_t node = g.index(ix, iy), next = g.next(axis, node);
        const bool first = is_inside(model, node);
        if (first == is_inside(model, next) || !((axis == 0 ? model.face_x : model.face_y)[node] < 0))
          continue;
        const auto [jx, jy] = g.place(next);
        const auto here = outline.at(g.x(ix), g.y(iy)), there = outline.at(g.x(jx), g.y(jy));
        const int signal = first ? drives.between(here, there) : drives.between(there, here);
        if (signal < 0) continue;
        if (!in_layer && g.is_sure(iy) && (is_in_layer(g, ix, iy) || is_in_layer(g, jx, jy)))
          in_layer = NodeValue{node, double(signal)};
        model.rim.driven.push_back({node, axis, signal});
      }
  if (const auto first = g.own.first_found(in_layer))
    drives.shape(int(first->value))
        .where.fail(
            "a driven rim goes through an absorbing layer, which would have to know its waves; "
            "end the shape before the layer, or let its rim be fixed or free");
}

}  // namespace wavesim
