#pragma once
// How the threads of a CPU share the blocks of a pass (blocked_sweeps.hpp).

#include "kernels/temporal/block_plan.hpp"

namespace wavesim {

/// Rows, of a strip of columns each, that a thread goes through if it goes through so many neighbouring
/// chunks of a strip at once: rows between such groups of chunks are done twice, and threads should end together.
inline long rows_of_a_thread(const BlockPlan& plan, int steps, int threads, int together) {
  const long groups = long(plan.strips) * ((plan.chunks + together - 1) / together);
  return (groups + threads - 1) / threads * (long(together) * plan.rows + 2 * (steps + 1));
}

/// The number of chunks with the fewest of those rows.
inline int chunks_together(const BlockPlan& plan, int steps, int threads) {
  int best = 1;
  for (int together = 2; together <= plan.chunks; ++together)
    if (rows_of_a_thread(plan, steps, threads, together) < rows_of_a_thread(plan, steps, threads, best))
      best = together;
  return best;
}

}  // namespace wavesim
