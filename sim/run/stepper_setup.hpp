#pragma once
#include "sim/config/config.hpp"
#include "sim/time/stepper.hpp"

namespace wavesim {

/// What a config asks of the stepper of its run. The setup refers to model, scheme and plan. Throws InputError.
StepperSetup setup_of(const Config& config, const Model& model, const Scheme& scheme, const TimePlan& plan);

/// Whether SolverOptions::few_weak_rows: where a free rim leaves little of a cell, little of its row's diagonal is mass.
bool has_weak_rows(const Model& model);

}  // namespace wavesim
