// What does not go with differences of eighth order.

#include "sim/model/model_parts.hpp"
#include "sim/time/scheme.hpp"

namespace wavesim {

std::optional<Refusal> refusal_of_eighth_order(const Config& config, const Model& model) {
  const Where& space = config.space.where;
  const std::string instead = "; write space: {order: 4} and scheme: numerov, or space: {order: 2}";
  if (!model.region.empty())
    return Refusal{
        &space,
        "space: {order: 8} is for rectangles: its differences reach four nodes, across rims" + instead};
  if (!model.pml.empty())
    return Refusal{&space,
                   "space: {order: 8} does not go with perfectly matched layers; write absorbing: {sponge: "
                   "{thickness: ...}} or {radiation: {}}, or space: {order: 2}"};
  if (!model.face_x.uniform() || !model.face_y.uniform())
    return Refusal{
        &space,
        "space: {order: 8} is for media of one tension everywhere (model: acoustic with a constant "
        "density, or a membrane of constant tension)" +
            instead};
  for (int side = 0; side < 4; ++side)
    if (model.edges[side].kind == EdgeCondition::driven)
      return Refusal{&space, std::string("space: {order: 8} has no driven edges, and the ") +
                                 side_names[std::size_t(side)] + " edge is one" + instead};
  for (std::size_t k = 0; k < model.sources.size(); ++k)
    if (model.sources[k].moving)
      return Refusal{&config.sources[k].where, "space: {order: 8} has no sources that move, and '" +
                                                   model.sources[k].name + "' is one" + instead};
  if (config.output.energy.balance)
    return Refusal{&config.output.energy.where,
                   "the balance is that of five or nine points, and space.order is 8; leave it out"};
  return std::nullopt;
}

}  // namespace wavesim
