#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/fields/on_nodes.hpp"
#include "sim/input/text.hpp"
#include "sim/model/layers.hpp"
#include "sim/model/model_parts.hpp"

namespace wavesim {

namespace {

using Terms = std::vector<std::shared_ptr<Field2>>;

/// A quantity of the medium: evaluated on the user's rectangle, carried on into the layers.
NodeField medium_field(const Terms& terms, const Model& model) {
  NodeField field = extend_into_layers(evaluate(terms, without_layers(model.grid)), model.grid);
  copy_periodic(field.values, model.grid);
  return field;
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
  const long nx = g.nodes(0), ny = g.nodes(1);
#pragma omp parallel for schedule(static)
  for (long iy = 0; iy < ny; ++iy)
    for (long ix = 0; ix < nx; ++ix) {
      const std::size_t i = g.index(ix, iy);
      if (good(field.values[i])) continue;
      double sum = 0, count = 0;
      const auto add = [&](bool there, std::size_t k) {
        if (there && is_inside(model, k)) sum += field.values[k], ++count;
      };
      add(ix > 0, i - 1);
      add(ix + 1 < nx, i + 1);
      add(iy > 0, i - std::size_t(nx));
      add(iy + 1 < ny, i + std::size_t(nx));
      field.values[i] = count > 0 ? sum / count : other;
    }
}

/// The first node inside where the value is not good, or none.
template <class Good>
std::optional<std::size_t> first_bad(const NodeField& field, const Model& model, const Good& good) {
  if (field.uniform()) return good(field.constant) ? std::optional<std::size_t>{} : std::size_t(0);
  const std::size_t n = field.values.size();
  std::size_t first = n;
#pragma omp parallel for schedule(static) reduction(min : first)
  for (std::size_t i = 0; i < n; ++i)
    if (i < first && !good(field.values[i]) && is_inside(model, i)) first = i;
  return first < n ? std::optional(first) : std::nullopt;
}

struct Range {
  double least, most;
};
Range range_inside(const NodeField& field, const Model& model) {
  if (field.uniform()) return {field.constant, field.constant};
  const std::size_t n = field.values.size();
  double least = std::numeric_limits<double>::max(), most = -least;
#pragma omp parallel for schedule(static) reduction(min : least) reduction(max : most)
  for (std::size_t i = 0; i < n; ++i)
    if (is_inside(model, i)) {
      least = std::min(least, field.values[i]);
      most = std::max(most, field.values[i]);
    }
  return {least, most};
}

/// A quantity that must be positive and finite inside; outside it is replaced.
NodeField positive_field(const char* name, const char* unit, const char* remedy, const Terms& terms,
                         const Model& model) {
  NodeField field = medium_field(terms, model);
  const auto good = [](double v) { return v > 0 && std::isfinite(v); };
  if (const auto i = first_bad(field, model, good))
    terms.front()->where.fail(std::string("the ") + name + " is " + text(field[*i]) + " " + unit +
                              (field.uniform() ? std::string() : " at " + place_text(model.grid, *i)) +
                              "; it must be greater than 0" + remedy);
  repair_outside(field, model, field.uniform() ? field.constant : range_inside(field, model).most, good);
  return field;
}

}  // namespace

void build_medium(const Config& config, Model& model) {
  const MediumConfig& c = config.medium;
  const bool membrane = c.model == "membrane", water = c.model == "shallow-water",
             acoustic = c.model == "acoustic";
  if (!membrane && !water && !acoustic)
    c.where.fail("the medium's model '" + c.model +
                 "' is unknown; write membrane, shallow-water or acoustic");
  if (water && !c.density.empty())
    c.density.front()->where.fail("shallow-water has no density; leave it out");
  if (!water && !c.depth.empty())
    c.depth.front()->where.fail(
        "'depth' belongs to model: shallow-water; give 'speed' to a medium of model " + c.model);
  if (!c.depth.empty() && !c.speed.empty())
    c.depth.front()->where.fail("the medium has both 'depth' and 'speed'; give one of them");
  if (c.depth.empty() && c.speed.empty())
    c.where.fail(water ? "the medium needs 'depth' (m) or 'speed' (m/s)" : "the medium needs 'speed' (m/s)");

  if (c.depth.empty()) {
    model.speed = positive_field("speed", "m/s", " wherever the wave goes", c.speed, model);
  } else {
    if (!(c.gravity > 0)) c.where.fail("gravity is " + text(c.gravity) + " m/s^2; it must be greater than 0");
    const NodeField depth =
        positive_field("depth", "m",
                       " wherever there is water: cut the land out with a shape, for example "
                       "{expression: ..., edge: free} or {file: ..., dataset: /sea, edge: free}",
                       c.depth, model);
    model.speed = combine(depth, depth, [g = c.gravity](double h, double) { return std::sqrt(g * h); });
  }
  const Range speeds = range_inside(model.speed, model);
  model.smallest_speed = speeds.least;
  model.largest_speed = speeds.most;

  const NodeField density = c.density.empty() ? NodeField{1, {}}
                                              : positive_field("density", membrane ? "kg/m^2" : "kg/m^3",
                                                               " wherever the wave goes", c.density, model);
  if (membrane) {
    model.mass = density;
    model.tension = combine(density, model.speed, [](double rho, double v) { return rho * v * v; });
  } else if (water) {
    model.mass = {1, {}};
    model.tension = combine(model.speed, model.speed, [](double v, double) { return v * v; });
  } else {
    model.mass = combine(density, model.speed, [](double rho, double v) { return 1 / (rho * v * v); });
    model.tension = combine(density, density, [](double rho, double) { return 1 / rho; });
  }

  NodeField damping = medium_field(c.damping, model);
  const auto good = [](double v) { return v >= 0 && std::isfinite(v); };
  if (const auto i = first_bad(damping, model, good))
    c.damping.front()->where.fail("the damping is " + text(damping[*i]) + " 1/s" +
                                  (damping.uniform() ? "" : " at " + place_text(model.grid, *i)) +
                                  "; it must not be negative: the wave would grow without bound");
  repair_outside(damping, model, 0, good);
  model.damping = damping.uniform() && damping.constant == 0
                      ? NodeField{}
                      : combine(damping, model.mass, [](double rate, double m) { return rate * m; });
}

}  // namespace wavesim
