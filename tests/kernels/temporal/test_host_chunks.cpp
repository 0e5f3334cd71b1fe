// How threads share the blocks of a pass.

#include <gtest/gtest.h>

#include "kernels/temporal/host_chunks.hpp"

namespace wavesim {
namespace {

constexpr int steps = 8;

TEST(HostChunks, OneThreadGoesThroughEachStripAtOnce) {
  for (int n : {1, 30, 511, 2047}) {
    const BlockPlan plan = plan_blocks<double>(make_extent(n, n), steps);
    EXPECT_EQ(chunks_together(plan, steps, 1), plan.chunks) << n;
  }
}

TEST(HostChunks, NoNumberOfThreadsHasMoreRowsThanBlocksTakenAloneOrFewerThanItsShare) {
  for (int n : {30, 400, 511, 1023, 4095})
    for (int threads : {1, 2, 3, 16, 64, 1000}) {
      const BlockPlan plan = plan_blocks<double>(make_extent(n, n), steps);
      const int together = chunks_together(plan, steps, threads);
      ASSERT_GE(together, 1);
      ASSERT_LE(together, plan.chunks);
      const long rows = rows_of_a_thread(plan, steps, threads, together);
      EXPECT_LE(rows, rows_of_a_thread(plan, steps, threads, 1)) << n << " with " << threads;
      EXPECT_GE(rows * threads, long(plan.strips) * n) << n << " with " << threads;
    }
}

}  // namespace
}  // namespace wavesim
