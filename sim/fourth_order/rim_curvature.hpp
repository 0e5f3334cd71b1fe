#pragma once
// What the curvature of a fixed rim adds to K in the scheme of fourth order (docs/math.md, section 2, (4e)).

#include <vector>

#include "sim/fourth_order/filter.hpp"
#include "sim/model/model.hpp"

namespace wavesim {

/// An addition to the diagonal of K at a node, over the area of a cell: kg/(m^2 s^2) on a membrane.
struct RimCurvature {
  std::size_t node;
  double stiffness;
};

/// For all nodes beside fixed rims that cut cells, by node; of ranks those of their rows and of some beside them. `whole`: the
/// cells that have nine points. Where the rim has a corner or bends within few cells, where a signal drives it, and on the
/// sides of the rectangle and in its layers there is none.
std::vector<RimCurvature> rim_curvatures(const Model& model, const NinePointCells& whole);

}  // namespace wavesim
