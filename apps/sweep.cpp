// wavesim sweep CONFIG --over KEY=[...]: a run for each combination of values.

#include "apps/several_runs.hpp"

namespace wavesim {

int sweep(const SweepOptions& options) {
  const RunsPlan plan = plan_sweep(options);
  return options.run.dry_run ? dry_runs(plan, options.run) : run_all(plan, options.run);
}

}  // namespace wavesim
