#include <set>

#include "sim/fourth_order/interpolation.hpp"
#include "sim/input/text.hpp"
#include "sim/model/model_parts.hpp"

namespace wavesim {

namespace {

void add_receiver(const ReceiverConfig& c, const std::string& name, double x, double y,
                  const Interpolation& interpolation, Model& model, std::set<std::string>& names) {
  if (!names.insert(name).second)
    c.where.fail("two receivers are named '" + name + "'; give each its own name");
  const std::string named = "the receiver '" + name + "' at " + text(std::array<double, 2>{x, y});
  if (!in_rectangle(model.grid, x, y))
    c.where.fail(named + " is outside the grid (" + rectangle_text(model.grid) + "); move it inside");
  Receiver receiver{name, x, y, {}, {}, held_by_rims(model, x, y)};
  bool moves = !receiver.held.empty();
  for (const auto& [node, weight] : interpolation.readings(x, y)) {
    receiver.node.push_back(node);
    receiver.weight.push_back(weight);
    if (weight == 0 || !is_inside(model, node)) continue;
    const auto [ix, iy] = model.grid.place(node);
    const int side = holding_side(model, ix, iy);
    moves = moves || side < 0 || model.edges[side].kind == EdgeCondition::driven;
  }
  if (!moves)
    model.notes.push_back(named + " lies outside the shape or on a fixed edge: it will record 0 only");
  model.receivers.push_back(std::move(receiver));
}

}  // namespace

void build_receivers(const Config& config, Model& model) {
  std::set<std::string> names;
  const Interpolation interpolation(model);
  for (std::size_t i = 0; i < config.receivers.size(); ++i) {
    const ReceiverConfig& c = config.receivers[i];
    const std::string name = c.name.empty() ? "receiver-" + std::to_string(i + 1) : c.name;
    const std::string named = "the receiver '" + name + "'";
    const bool line = c.is_line();
    if (c.at.has_value() == line || c.from.has_value() != c.to.has_value())
      c.where.fail(named + " needs either 'at' (a point) or both 'from' and 'to' (a line)");
    if (!line) {
      if (c.count != 1)
        c.where.fail(named + " is a point, but 'count' is " + std::to_string(c.count) +
                     "; leave it out or give 'from' and 'to'");
      add_receiver(c, name, (*c.at)[0], (*c.at)[1], interpolation, model, names);
      continue;
    }
    if (c.count < 2)
      c.where.fail(named + " is a line, but 'count' is " + std::to_string(c.count) +
                   "; a line has at least 2 points, its ends included");
    const std::vector<std::array<double, 2>> points = c.points();
    for (std::size_t k = 0; k < points.size(); ++k)
      add_receiver(c, name + "[" + std::to_string(k) + "]", points[k][0], points[k][1], interpolation, model,
                   names);
  }
}

}  // namespace wavesim
