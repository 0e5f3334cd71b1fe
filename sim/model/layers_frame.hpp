#pragma once
// The part of a grid that explicit steps beside perfectly matched layers are done in by tiles (kernels/leapfrog/layers.hpp).

#include "kernels/leapfrog/layers_frame.hpp"
#include "sim/model/coefficients.hpp"

namespace wavesim {

/// For passes of up to `steps` steps: the points inside of it are so many and more away from the layers.
LayersFrame layers_frame(const Model& model, const Unknowns& unknowns, int steps, bool on_gpu);

/// Tiles do not know what such an edge has: layers beside it are stepped one step at a time.
bool has_driven_edge(const Model& model);

}  // namespace wavesim
