#pragma once
// `solver: {tolerance: auto}`: a tolerance just below the errors that the grid and the time step make anyway.

#include "sim/time/scheme.hpp"

namespace wavesim {

/// Puts a number in place of `auto`, so small that solves make the error at the end at most a tenth larger, and says
/// so in the model's notes. Other tolerances stay.
void choose_tolerance(Config& config, Model& model, const Scheme& scheme, const TimePlan& plan);

}  // namespace wavesim
