#include "sim/run/stepper_setup.hpp"

namespace wavesim {

StepperSetup setup_of(const Config& config, const Model& model, const Scheme& scheme, const TimePlan& plan) {
  const FieldsOutput& out = *config.output.frames;
  StepperSetup setup{model, scheme, plan, config.solver_options()};
  setup.solver.few_weak_rows = has_weak_rows(model);
  for (SolverOptions& other : setup.solver.fallback) other.few_weak_rows = has_weak_rows(model);
  setup.format = config.solver.format;
  setup.guess = config.solver.guess_options();
  setup.assemble_each_step = config.solver.assembly == "each-step";
  setup.exact_energy = config.solver.energy == "exact";
  setup.balance = config.output.energy.balance;
  setup.track_maximum = has(out.quantities, "max-displacement");
  setup.track_arrival = has(out.quantities, "arrival-time");
  if (setup.track_arrival) setup.arrival_threshold = arrival_threshold(out, model);
  return setup;
}

bool has_weak_rows(const Model& model) { return !model.rim.cell_share.uniform(); }

}  // namespace wavesim
