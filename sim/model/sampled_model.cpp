#include "sim/model/sampled_model.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/backend/errors.hpp"
#include "sim/model/model_parts.hpp"

namespace wavesim {

namespace {

using Terms = std::vector<std::shared_ptr<Field2>>;

bool varies(const Terms& terms) {
  return std::any_of(terms.begin(), terms.end(), [](const auto& term) { return !term->uniform(); });
}

void stand_for_array(NodeField& field, bool is_array) {
  if (is_array) field.values.assign(1, 0);
}

}  // namespace

Model outline_of(const Config& config) {
  Model m;
  m.space_order = config.space.order;
  build_grid(config, m);
  const MediumConfig& medium = config.medium;
  const bool dense = varies(medium.density) || varies(medium.mass),
             fast = varies(medium.speed) || varies(medium.depth) || varies(medium.tension);
  const auto any = [&](double EdgeCondition::*rate) {
    return std::any_of(m.edges.begin(), m.edges.end(), [&](const EdgeCondition& e) { return e.*rate > 0; });
  };
  if (any(&EdgeCondition::pml_rate))
    for (int axis = 0; axis < 2; ++axis) {
      auto& rate = m.pml.rate[axis];
      rate.assign(std::size_t(m.grid.cells[axis]), 0);
      if (m.edges[2 * axis].pml_rate > 0) std::fill_n(rate.begin(), m.grid.layer[axis][0], 1.0);
      if (m.edges[2 * axis + 1].pml_rate > 0) std::fill_n(rate.rbegin(), m.grid.layer[axis][1], 1.0);
    }
  const bool shaped = !config.shape.empty();
  stand_for_array(m.speed, fast || varies(medium.mass));
  stand_for_array(m.mass, dense || (fast && medium.model == "acoustic"));
  for (NodeField* face : {&m.face_x, &m.face_y})
    stand_for_array(*face, dense || fast || shaped || !m.pml.empty());
  stand_for_array(m.damping, varies(medium.damping) || any(&EdgeCondition::sponge_damping));
  stand_for_array(m.displacement, varies(config.initial.displacement));
  stand_for_array(m.velocity, varies(config.initial.velocity));
  if (shaped) m.region.assign(1, Node::outside);
  return m;
}

SampledModel build_sampled_model(const Config& config, double most_nodes) {
  const Model whole = outline_of(config);
  const double nodes = double(whole.grid.node_count());
  const long stride = long(std::ceil(std::sqrt(nodes / most_nodes)));
  if (stride <= 2) return {build_model(config), 1};
  Config coarse = config;
  for (long& cells : coarse.grid.cells) cells = std::max(std::min(cells, 16L), cells / stride);
  try {
    Model model = build_model(coarse);
    model.grid = whole.grid;
    model.pml = whole.pml;
    return {std::move(model), stride};
  } catch (const InputError&) {
    if (!is_countable(config, whole, 1)) throw;
    return {build_model(config), 1};
  }
}

}  // namespace wavesim
