#pragma once
// How the threads of a CPU share the slices of a pass (blocked_sweeps.hpp).

#include "kernels/temporal/block_plan.hpp"

namespace wavesim {

/// Rows, of a strip of columns each, that a thread goes through if it goes through so many neighbouring
/// slices of a strip at once: rows between such groups of slices are done twice, and threads should end together.
inline long rows_of_a_thread(const SweepPlan& plan, int slices, int steps, int threads, int together) {
  const int rows = (plan.bands.rows + plan.slices() - 1) / plan.slices();
  const long groups = long(plan.strips) * ((slices + together - 1) / together);
  return (groups + threads - 1) / threads * (long(together) * rows + 2 * (steps + 1));
}

/// The number of slices with the fewest of those rows, of `slices` that are shared.
inline int slices_together(const SweepPlan& plan, int slices, int steps, int threads) {
  int best = 1;
  for (int together = 2; together <= slices; ++together)
    if (rows_of_a_thread(plan, slices, steps, threads, together) <
        rows_of_a_thread(plan, slices, steps, threads, best))
      best = together;
  return best;
}
/// Of all.
inline int slices_together(const SweepPlan& plan, int steps, int threads) {
  return slices_together(plan, plan.slices(), steps, threads);
}

}  // namespace wavesim
