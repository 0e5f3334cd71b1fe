#pragma once
// How a model goes on beyond its edges for differences of eighth order (mirrored_axis.hpp).

#include "kernels/lax_wendroff/mirrored_axis.hpp"
#include "sim/model/coefficients.hpp"
#include "sim/model/model_parts.hpp"

namespace wavesim {

/// Along axis 0 or 1, by unknowns.
inline MirroredAxis mirrored_axis(const Model& m, const Unknowns& unknowns, std::size_t axis) {
  return {int(unknowns.count[axis]), m.grid.periodic[axis], holds_value(m.edges[2 * axis].kind),
          holds_value(m.edges[2 * axis + 1].kind)};
}

}  // namespace wavesim
