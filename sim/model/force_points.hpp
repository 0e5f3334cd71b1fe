#pragma once
// From what nodes receive to the points of a force.

#include <functional>
#include <map>

#include "sim/fourth_order/filter.hpp"
#include "sim/model/coefficients.hpp"

namespace wavesim {

/// Several weights of a point become one, and points are in the order of their indices.
void merge(ForcePoints& f);

/// f += what a force on a node is on unknowns: b = S'F (filter.hpp). In rows of other ranks points may be wrong, and more.
void spread(const Model& model, const Unknowns& unknowns, const Filter& filter, std::size_t node,
            double weight, ForcePoints& f);

/// The points of a source that moves, at a time; `scale` times its weights. The model has to outlive it.
std::function<ForcePoints(double)> moving_points(const Model& model, const Unknowns& unknowns,
                                                 const Source& source, double scale);

}  // namespace wavesim
