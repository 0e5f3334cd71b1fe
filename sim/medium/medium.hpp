#pragma once
// The medium of a model, and its faces.

#include "sim/config/config.hpp"
#include "sim/medium/point_medium.hpp"
#include "sim/model/model.hpp"

namespace wavesim {

/// Fills mass, damping, speed and its range, and the faces as they are without rims. The region must be there.
/// Throws InputError.
PointMedium build_medium(const Config& config, Model& model);

/// Faces at rims: positive between two unknowns, negative to a fixed neighbour, 0 where free. mass, region and
/// rim must be there.
void build_faces(const PointMedium& medium, Model& model);

}  // namespace wavesim
