#pragma once
// Interpolation between nodes for differences of eighth order.

#include <vector>

#include "sim/fourth_order/filter.hpp"

namespace wavesim {

/// The displacement at a point of the rectangle by 8 x 8 nodes, with Lagrange's weights along both axes. Nodes beyond an
/// edge are images of those within.
std::vector<Weighted> eighth_order_weights(const Model& model, double x, double y);

}  // namespace wavesim
