#include <gtest/gtest.h>

#include "output/sweep/time_left.hpp"

namespace {

using wavesim::TimeLeft;

TEST(TimeLeft, IsNotKnownBeforeARunHasEnded) {
  TimeLeft left({1, 1}, 1);
  EXPECT_FALSE(left.seconds(0));
  left.starts(0, 0);
  EXPECT_FALSE(left.seconds(5));
}

TEST(TimeLeft, FallsWhileTheLastRunGoesOn) {
  TimeLeft left({1, 1, 1}, 2);
  left.starts(0, 0);
  left.starts(1, 0);
  left.ends(0, 10, true);
  left.starts(2, 10);
  left.ends(1, 10, true);
  EXPECT_DOUBLE_EQ(*left.seconds(10), 10);
  EXPECT_DOUBLE_EQ(*left.seconds(16), 4);
  EXPECT_FALSE(left.seconds(25)) << "it takes longer than expected, and nobody knows how long";
}

TEST(TimeLeft, RunsGoToTheProcessThatIsFreeFirst) {
  TimeLeft left({1, 1, 1, 1, 1}, 2);
  left.starts(0, 0);
  left.starts(1, 4);
  left.ends(0, 10, true);
  left.starts(2, 10);
  // 1 until 14 and then 3, 2 until 20 and then 4
  EXPECT_DOUBLE_EQ(*left.seconds(12), 18);
}

TEST(TimeLeft, FollowsTheWork) {
  TimeLeft left({1, 8, 27}, 1);
  left.starts(0, 0);
  left.ends(0, 2, true);
  EXPECT_DOUBLE_EQ(*left.seconds(2), 2 * (8 + 27));
}

TEST(TimeLeft, ARunThatFailedSaysNothing) {
  TimeLeft left({1, 1, 1}, 1);
  left.starts(0, 0);
  left.ends(0, 0.01, false);
  EXPECT_FALSE(left.seconds(0.01));
  left.starts(1, 1);
  left.ends(1, 11, true);
  EXPECT_DOUBLE_EQ(*left.seconds(11), 10);
}

}  // namespace
