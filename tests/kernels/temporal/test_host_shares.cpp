// How threads share the slices of a pass.

#include <gtest/gtest.h>

#include "kernels/temporal/host_shares.hpp"

namespace wavesim {
namespace {

constexpr int steps = 8;

TEST(HostShares, OneThreadGoesThroughEachStripAtOnce) {
  for (int n : {1, 30, 511, 2047}) {
    const SweepPlan plan = plan_sweeps<double>(make_extent(n, n), steps);
    EXPECT_EQ(slices_together(plan, steps, 1), plan.slices()) << n;
  }
}

TEST(HostShares, NoNumberOfThreadsHasMoreRowsThanBlocksTakenAloneOrFewerThanItsShare) {
  for (int n : {30, 400, 511, 1023, 4095})
    for (int threads : {1, 2, 3, 16, 64, 1000}) {
      const SweepPlan plan = plan_sweeps<double>(make_extent(n, n), steps);
      const int together = slices_together(plan, steps, threads);
      ASSERT_GE(together, 1);
      ASSERT_LE(together, plan.slices());
      const long rows = rows_of_a_thread(plan, plan.slices(), steps, threads, together);
      EXPECT_LE(rows, rows_of_a_thread(plan, plan.slices(), steps, threads, 1)) << n << " with " << threads;
      EXPECT_GE(rows * threads, long(plan.strips) * n) << n << " with " << threads;
    }
}

}  // namespace
}  // namespace wavesim
