#include <algorithm>

#include "sim/fields/field.hpp"
#include "sim/input/text.hpp"

namespace wavesim {

namespace {

struct Layer : Configured {
  double from = 0, value = 0;
  void fields(Section& s) override {
    s("from", from, {.text = "where the layer begins", .unit = "m", .required = true});
    s("value", value, {.text = "in the layer", .required = true});
  }
};

/// {layers: [{from: 0, value: 1500}, {from: 400, value: 2200}], axis: y, direction: up}
/// Each layer reaches from its own `from` to the next one's; a node on an interface belongs to the layer that
/// begins there; the last one reaches to the end. Below the first, its value goes on only into absorbing
/// layers.
struct Layers : Field2 {
  std::vector<Layer> layers;
  std::string axis = "y", direction = "up";

  void fields(Section& s) override {
    s("layers", layers, {.text = "in the order of growing `from`", .required = true});
    s("axis", axis, {.text = "across which they lie", .choices = {"x", "y"}});
    s("direction", direction,
      {.text = "up: `from` is the coordinate; down: it is the depth below the upper edge of grid.size",
       .choices = {"up", "down"}});
  }

  std::unique_ptr<PointValues> values(const Grid& grid) const override {
    const int a = axis == "x" ? 0 : 1;
    const double slack = 1e-9 * grid.spacing[a];
    const bool down = direction == "down";
    if (layers.empty()) where.fail("'layers' is empty; list at least one {from: ..., value: ...}");
    for (std::size_t i = 1; i < layers.size(); ++i)
      if (!(layers[i].from > layers[i - 1].from))
        layers[i].where.fail("the layer from " + text(layers[i].from) + " m follows the one from " +
                             text(layers[i - 1].from) + " m; list them in the order of growing 'from'");
    const double begin = down ? 0 : grid.low(a);
    if (layers.front().from > begin + slack)
      layers.front().where.fail("the first layer begins at " + text(layers.front().from) +
                                " m but the grid at " + text(begin) + " m; let the first 'from' be " +
                                text(begin) + " or less");
    return point_values([this, a, down, slack, high = grid.high(a)](double x, double y) {
      const double at = a == 0 ? x : y, along = down ? high - at : at;
      const auto next = std::upper_bound(layers.begin(), layers.end(), along + slack,
                                         [](double v, const Layer& layer) { return v < layer.from; });
      return next == layers.begin() ? layers.front().value : (next - 1)->value;
    });
  }
};

}  // namespace

Kind<Field2> layers_kind() {
  return {"layers", "constant values in layers across one axis", Form::flat, make_kind<Field2, Layers>};
}

}  // namespace wavesim
