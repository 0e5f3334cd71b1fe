#pragma once
// Where damping lets waves out of the domain, and is not the medium's own (sim/time/balance_on.hpp).

#include "sim/model/coefficients.hpp"

namespace wavesim {

/// `five`: the coefficients of five points, not yet stretched in layers. With nine points, whose damping is blended
/// along edges, the share of a row is that of its point.
std::vector<OutflowPoint> outflow_points(const Model& model, const Unknowns& unknowns,
                                         const HostCoefficients& five, double dt);

}  // namespace wavesim
