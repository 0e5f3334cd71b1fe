#pragma once
// How the threads of a CPU share the slices of a pass (blocked_sweeps.hpp).

#include "kernels/temporal/block_plan.hpp"

namespace wavesim {

/// Rows, of a strip of columns each, that a thread goes through if it goes through so many neighbouring
/// slices of a strip at once: rows between such groups of slices are done twice, and threads should end together.
inline long rows_of_a_thread(const SweepPlan& plan, int steps, int threads, int together) {
  const int slices = plan.slices(), rows = (plan.bands.rows + slices - 1) / slices;
  const long groups = long(plan.strips) * ((slices + together - 1) / together);
  return (groups + threads - 1) / threads * (long(together) * rows + 2 * (steps + 1));
}

/// The number of slices with the fewest of those rows.
inline int slices_together(const SweepPlan& plan, int steps, int threads) {
  int best = 1;
  for (int together = 2; together <= plan.slices(); ++together)
    if (rows_of_a_thread(plan, steps, threads, together) < rows_of_a_thread(plan, steps, threads, best))
      best = together;
  return best;
}

}  // namespace wavesim
