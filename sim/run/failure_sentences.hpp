#pragma once
// What went wrong in a step, for people.

#include <string>

#include "sim/config/config.hpp"
#include "sim/time/stepper.hpp"

namespace wavesim {

/// A sentence on a solve that failed in `step`, which no other solver took.
std::string failed_solve_sentence(const Config& config, const Report& report, long step, double time);

/// A sentence on the state after `step`: the first node, row by row from below, whose displacement is not finite, or that
/// the energy alone is not; and what to do. `kept`: the file where the state is kept for a look at it; may be empty.
std::string not_finite_sentence(Stepper& stepper, const Config& config, const Model& model,
                                const Scheme& scheme, long step, double time, const std::string& kept);

}  // namespace wavesim
