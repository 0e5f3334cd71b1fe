#include "output/run/frame_workers.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>

namespace wavesim::testing {
namespace {

TEST(FrameWorkers, DrawEachFrameOnceAndHandThemOnInOrder) {
  for (const unsigned workers : {1u, 2u, 5u}) {
    std::vector<std::size_t> passed_on;
    std::vector<std::atomic<int>> drawn(40);
    InOrder order;
    by_workers(workers, drawn.size(), order, [&](std::size_t k, unsigned worker) {
      EXPECT_LT(worker, workers);
      ++drawn[k];
      if (k % 7 == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(3));  // later ones are ready first
      order(k, [&] { passed_on.push_back(k); });
    });
    for (const auto& times : drawn) EXPECT_EQ(times, 1);
    ASSERT_EQ(passed_on.size(), drawn.size());
    for (std::size_t k = 0; k < passed_on.size(); ++k) EXPECT_EQ(passed_on[k], k);
  }
}

TEST(FrameWorkers, ShareTheProcessors) {
  InOrder order;
  by_workers(1000, 4, order, [](std::size_t, unsigned) { EXPECT_EQ(threads_of_this_thread, 1u); });
  EXPECT_EQ(threads_of_this_thread, 0u);
}

TEST(FrameWorkers, EndWithTheFirstFailureWhileOthersWaitForTheirTurn) {
  InOrder order;
  std::atomic<int> drawn{0};
  EXPECT_THROW(by_workers(4, 1000, order,
                          [&](std::size_t k, unsigned) {
                            ++drawn;
                            if (k == 3) throw std::runtime_error("no room");
                            order(k, [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
                          }),
               std::runtime_error);
  EXPECT_LT(drawn, 100);
}

}  // namespace
}  // namespace wavesim::testing
