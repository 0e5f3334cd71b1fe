#pragma once
// `time: {phase-error: E}`: scheme, order in space and time step for an error that the user can bear.

#include "sim/config/config.hpp"

namespace wavesim {

/// Where a config names a phase error, puts the cheapest scheme, order and step in its place whose predicted error is
/// below it: how far the shortest wave is off at the end, in periods. Throws InputError if no scheme has one on this
/// grid, and names the grid that it takes.
void choose_scheme(Config& config);

}  // namespace wavesim
