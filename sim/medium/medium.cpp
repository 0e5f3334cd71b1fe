#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/fields/on_nodes.hpp"
#include "sim/input/text.hpp"
#include "sim/medium/between_nodes.hpp"
#include "sim/medium/medium.hpp"
#include "sim/model/layers.hpp"
#include "sim/model/model_parts.hpp"

namespace wavesim {

namespace {

using Terms = std::vector<std::shared_ptr<Field2>>;

/// A quantity of the medium: its nodes in the user's rectangle, carried on into the layers.
FieldSum medium_field(const Terms& terms, const Model& model) {
  FieldSum sum = sum_of(terms, without_layers(model.grid));
  sum.nodes = extend_into_layers(std::move(sum.nodes), model.grid);
  copy_periodic(sum.nodes.values, model.grid);
  return sum;
}

/// Whether a node lies within the shapes: a free rim may make one beyond it an unknown.
bool is_within(const Model& model, std::size_t node) {
  return is_inside(model, node) && (model.region.empty() || model.region[node] != Node::beyond_free_rim);
}

/// Values outside the region take no part in the wave: those that are not `good` are replaced by the mean of
/// the good neighbours inside, elsewhere by `other`, so that all that is computed from them stays finite.
template <class Good>
void repair_outside(NodeField& field, const Model& model, double other, const Good& good) {
  if (field.uniform()) {
    if (!good(field.constant)) field.constant = other;
    return;
  }
  const Grid& g = model.grid;
  const long nx = g.nodes(0);
#pragma omp parallel for schedule(static)
  for (long iy = g.first_row(); iy < g.end_row(); ++iy)
    for (long ix = 0; ix < nx; ++ix) {
      const std::size_t i = g.index(ix, iy);
      if (good(field.values[i])) continue;
      double sum = 0, count = 0;
      const auto add = [&](bool there, std::size_t k) {
        if (there && is_within(model, k)) sum += field.values[k], ++count;
      };
      add(ix > 0, i - 1);
      add(ix + 1 < nx, i + 1);
      add(iy > g.first_row(), i - std::size_t(nx));
      add(iy + 1 < g.end_row(), i + std::size_t(nx));
      field.values[i] = count > 0 ? sum / count : other;
    }
}

/// The first node within the shapes where the value is not good, or none.
template <class Good>
std::optional<NodeValue> first_bad(const NodeField& field, const Model& model, const Good& good) {
  if (field.uniform())
    return good(field.constant) ? std::nullopt : std::optional(NodeValue{0, field.constant});
  const std::size_t begin = model.grid.first_sure_node(), end = model.grid.end_sure_node();
  std::size_t first = end;
#pragma omp parallel for schedule(static) reduction(min : first)
  for (std::size_t i = begin; i < end; ++i)
    if (i < first && !good(field.values[i]) && is_within(model, i)) first = i;
  return model.grid.own.first_found(first < end ? std::optional(NodeValue{first, field.values[first]})
                                                : std::nullopt);
}

struct Range {
  double least, most;
};
Range range_inside(const NodeField& field, const Model& model) {
  if (field.uniform()) return {field.constant, field.constant};
  const std::size_t begin = model.grid.first_sure_node(), end = model.grid.end_sure_node();
  double least = std::numeric_limits<double>::max(), most = -least;
#pragma omp parallel for schedule(static) reduction(min : least) reduction(max : most)
  for (std::size_t i = begin; i < end; ++i)
    if (is_within(model, i)) {
      least = std::min(least, field.values[i]);
      most = std::max(most, field.values[i]);
    }
  return {model.grid.own.least(least), model.grid.own.most(most)};
}

/// A quantity that must be positive and finite inside; outside it is replaced.
FieldSum positive_field(const char* name, const char* unit, const char* remedy, const Terms& terms,
                        const Model& model) {
  FieldSum sum = medium_field(terms, model);
  NodeField& field = sum.nodes;
  const auto good = [](double v) { return v > 0 && std::isfinite(v); };
  if (const auto bad = first_bad(field, model, good))
    terms.front()->where.fail(std::string("the ") + name + " is " + text(bad->value) + " " + unit +
                              (field.uniform() ? std::string() : " at " + place_text(model.grid, bad->node)) +
                              "; it must be greater than 0" + remedy);
  repair_outside(field, model, field.uniform() ? field.constant : range_inside(field, model).most, good);
  return sum;
}

/// What goes with what.
void check_keys_of_medium(const MediumConfig& c) {
  const bool membrane = c.model == "membrane", water = c.model == "shallow-water";
  if (!membrane && !water && c.model != "acoustic")
    c.where.fail("the medium's model '" + c.model +
                 "' is unknown; write membrane, shallow-water or acoustic");
  for (const auto& [name, terms] : {std::pair{"tension", &c.tension}, std::pair{"mass", &c.mass}}) {
    if (terms->empty()) continue;
    const Where& where = terms->front()->where;
    const std::string key = "'" + std::string(name) + "'";
    if (!membrane)
      where.fail(key + " belongs to model: membrane; give 'speed' to a medium of model " + c.model);
    if (!c.speed.empty() || !c.density.empty())
      where.fail("the medium has both " + key + " and '" + (c.speed.empty() ? "density" : "speed") +
                 "'; give tension and mass, or speed and density");
  }
  if (c.tension.empty() != c.mass.empty())
    c.where.fail(c.mass.empty() ? "'tension' (N/m) needs 'mass' (kg/m^2); add it"
                                : "'mass' (kg/m^2) needs 'tension' (N/m); add it");
  if (water && !c.density.empty())
    c.density.front()->where.fail("shallow-water has no density; leave it out");
  if (!water && !c.depth.empty())
    c.depth.front()->where.fail(
        "'depth' belongs to model: shallow-water; give 'speed' to a medium of model " + c.model);
  if (!c.depth.empty() && !c.speed.empty())
    c.depth.front()->where.fail("the medium has both 'depth' and 'speed'; give one of them");
  if (c.depth.empty() && c.speed.empty() && c.tension.empty())
    c.where.fail(water      ? "the medium needs 'depth' (m) or 'speed' (m/s)"
                 : membrane ? "the medium needs 'speed' (m/s), or 'tension' (N/m) and 'mass' (kg/m^2)"
                            : "the medium needs 'speed' (m/s)");
  if (!c.depth.empty() && !(c.gravity > 0))
    c.where.fail("gravity is " + text(c.gravity) + " m/s^2; it must be greater than 0");
}

}  // namespace

PointMedium build_medium(const Config& config, Model& model) {
  const MediumConfig& c = config.medium;
  const bool membrane = c.model == "membrane", acoustic = c.model == "acoustic";
  check_keys_of_medium(c);
  const bool by_depth = !c.depth.empty(), by_tension = !c.tension.empty();
  FieldSum speed =
      by_depth     ? positive_field("depth", "m",
                                    " wherever there is water: cut the land out with a shape, for example "
                                        "{expression: ..., edge: free} or {file: ..., dataset: /sea, edge: free}",
                                    c.depth, model)
      : by_tension ? positive_field("tension", "N/m", " wherever the wave goes", c.tension, model)
                   : positive_field("speed", "m/s", " wherever the wave goes", c.speed, model);
  FieldSum density;
  density.nodes.constant = 1;
  if (by_tension)
    density = positive_field("mass", "kg/m^2", " wherever the wave goes", c.mass, model);
  else if (!c.density.empty())
    density = positive_field("density", membrane ? "kg/m^2" : "kg/m^3", " wherever the wave goes", c.density,
                             model);

  using Kind = PointMedium::Kind;
  const PointMedium medium(by_tension ? Kind::membrane_of_tension
                           : membrane ? Kind::membrane
                           : acoustic ? Kind::acoustic
                           : by_depth ? Kind::water_of_depth
                                      : Kind::water_of_speed,
                           c.gravity, std::move(speed.points), std::move(density.points), model.grid);
  model.mass = combine(model.grid, density.nodes, acoustic ? speed.nodes : NodeField{1, {}},
                       [&](double rho, double v) { return medium.of(v, rho).mass; });
  if (speed.nodes.uniform() && density.nodes.uniform()) {
    const double tension = medium.of(speed.nodes.constant, density.nodes.constant).tension;
    model.face_x = model.face_y = {tension, {}};
  } else {
    Tensions t = tensions_between_nodes(medium, model.grid, model.mass);
    model.face_x = std::move(t.x), model.face_y = std::move(t.y);
    // Differences of eighth order are for one tension. (The medium has averaged the mass above.)
    if (model.space_order == 8 && acoustic && density.nodes.uniform())
      model.face_x = model.face_y = {medium.of(1, density.nodes.constant).tension, {}};
    if (model.space_order == 8 && by_tension && speed.nodes.uniform())
      model.face_x = model.face_y = {speed.nodes.constant, {}};
  }
  model.speed = by_depth     ? combine(model.grid, speed.nodes, speed.nodes,
                                       [g = c.gravity](double h, double) { return std::sqrt(g * h); })
                : by_tension ? combine(model.grid, speed.nodes, density.nodes,
                                       [](double tension, double mass) { return std::sqrt(tension / mass); })
                             : std::move(speed.nodes);
  const Range speeds = range_inside(model.speed, model);
  const auto is_normal = [](double v) { return std::isnormal(v); };
  for (const NodeField* f : {&model.mass, &model.face_x, &model.face_y})
    if (f->uniform() && !is_normal(f->constant))
      (by_depth     ? c.depth
       : by_tension ? c.tension
                    : c.speed)
          .front()
          ->where.fail("the medium's mass or tension, " + text(f->constant) +
                       ", is no number that can be computed with; take other units");
  model.smallest_speed = speeds.least;
  model.largest_speed = speeds.most;

  NodeField damping = medium_field(c.damping, model).nodes;
  const auto good = [](double v) { return v >= 0 && std::isfinite(v); };
  if (const auto bad = first_bad(damping, model, good))
    c.damping.front()->where.fail("the damping is " + text(bad->value) + " 1/s" +
                                  (damping.uniform() ? "" : " at " + place_text(model.grid, bad->node)) +
                                  "; it must not be negative: the wave would grow without bound");
  repair_outside(damping, model, 0, good);
  model.damping =
      damping.uniform() && damping.constant == 0
          ? NodeField{}
          : combine(model.grid, damping, model.mass, [](double rate, double m) { return rate * m; });
  return medium;
}

}  // namespace wavesim
