#include <set>

#include "sim/fourth_order/interpolation.hpp"
#include "sim/input/text.hpp"
#include "sim/model/model_parts.hpp"
#include "sim/model/numbers_of_points.hpp"

namespace wavesim {

namespace {

std::string named(const std::string& name, double x, double y) {
  return "the receiver '" + name + "' at " + text(std::array<double, 2>{x, y});
}

void add_receiver(const ReceiverConfig& c, const std::string& name, double x, double y, Model& model,
                  std::set<std::string>& names) {
  if (!names.insert(name).second)
    c.where.fail("two receivers are named '" + name + "'; give each its own name");
  if (!in_rectangle(model.grid, x, y))
    c.where.fail(named(name, x, y) + " is outside the grid (" + rectangle_text(model.grid) +
                 "); move it inside");
  model.receivers.push_back({name, x, y, {}, {}, {}});
}

/// Whether it moves; how many nodes it reads, and each with its weight; signals of driven rims with theirs.
std::vector<double> readings_of(const Receiver& r, const Interpolation& interpolation, const Model& model) {
  const std::map<int, double> held = held_by_rims(model, r.x, r.y);
  const std::vector<Weighted> nodes = interpolation.readings(r.x, r.y);
  bool moves = !held.empty();
  std::vector<double> numbers{0, double(nodes.size())};
  for (const auto& [node, weight] : nodes) {
    numbers.push_back(double(node)), numbers.push_back(weight);
    if (weight == 0 || !is_inside(model, node)) continue;
    const auto [ix, iy] = model.grid.place(node);
    const int side = holding_side(model, ix, iy);
    moves = moves || side < 0 || model.edges[side].kind == EdgeCondition::driven;
  }
  numbers[0] = moves;
  for (const auto& [signal, weight] : held) numbers.push_back(signal), numbers.push_back(weight);
  return numbers;
}

void take_readings(const std::vector<double>& numbers, Model& model, Receiver& r) {
  if (numbers[0] == 0)
    model.notes.push_back(named(r.name, r.x, r.y) +
                          " lies outside the shape or on a fixed edge: it will record 0 only");
  const std::size_t held = 2 + 2 * std::size_t(numbers[1]);
  for (std::size_t k = 2; k < held; k += 2)
    r.node.push_back(std::size_t(numbers[k])), r.weight.push_back(numbers[k + 1]);
  for (std::size_t k = held; k < numbers.size(); k += 2)
    r.held.push_back({model.rim.signals[std::size_t(numbers[k])], numbers[k + 1]});
}

}  // namespace

void build_receivers(const Config& config, Model& model) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < config.receivers.size(); ++i) {
    const ReceiverConfig& c = config.receivers[i];
    const std::string name = c.name.empty() ? "receiver-" + std::to_string(i + 1) : c.name;
    const std::string receiver = "the receiver '" + name + "'";
    const bool line = c.is_line();
    if (c.at.has_value() == line || c.from.has_value() != c.to.has_value())
      c.where.fail(receiver + " needs either 'at' (a point) or both 'from' and 'to' (a line)");
    if (!line) {
      if (c.count != 1)
        c.where.fail(receiver + " is a point, but 'count' is " + std::to_string(c.count) +
                     "; leave it out or give 'from' and 'to'");
      add_receiver(c, name, (*c.at)[0], (*c.at)[1], model, names);
      continue;
    }
    if (c.count < 2)
      c.where.fail(receiver + " is a line, but 'count' is " + std::to_string(c.count) +
                   "; a line has at least 2 points, its ends included");
    const std::vector<std::array<double, 2>> points = c.points();
    for (std::size_t k = 0; k < points.size(); ++k)
      add_receiver(c, name + "[" + std::to_string(k) + "]", points[k][0], points[k][1], model, names);
  }
  if (model.receivers.empty()) return;
  const Interpolation interpolation(model);  // looks at all cells
  const std::vector<Receiver>& all = model.receivers;
  const auto readings = numbers_of_points(
      model.grid, all.size(), [&](std::size_t k) { return model.grid.row_below(all[k].y); },
      [&](std::size_t k) { return readings_of(all[k], interpolation, model); });
  for (std::size_t k = 0; k < all.size(); ++k) take_readings(readings[k], model, model.receivers[k]);
}

}  // namespace wavesim
