#pragma once
// A pole that moves over the grid.

#include "sim/model/source_points.hpp"

namespace wavesim {

/// Adds a pole, spread over 8 x 8 nodes by splines so smooth that the grid is not heard as it passes (docs/math.md, section
/// 7). Returns false, and adds nothing, where those nodes are not all free to move.
bool add_smooth_pole(const Pole& pole, const Model& model, SourcePoints& to);

}  // namespace wavesim
