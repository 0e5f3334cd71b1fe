// Frames that are looked at late: each still holds its own time, however far the run has gone on.

#include <gtest/gtest.h>

#include "sim/run/simulation.hpp"
#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

struct Keeper final : Writer {
  void begin(const RunInfo&) override {}
  void frame(const Frame& f) override { frames.push_back(f); }
  std::vector<Frame> frames;
};

TEST(Frames, HoldTheirOwnTimeWhenTheRunHasGoneOn) {
  const char* yaml =
      "{grid: {size: [1, 1], cells: [30, 20]}, medium: {speed: '1 + x'}, time: {courant: 1, steps: 12}, "
      "initial: {displacement: {gaussian: {center: [0.4, 0.5], width: 0.1, amplitude: 1}}}, "
      "output: {fields: {every: 3, precision: double, quantities: [displacement, velocity]}}}";
  for (const std::string& device : devices()) {
    Keeper keeper;
    const std::atomic<bool> stop{false};
    Simulation(config(yaml), device).run({&keeper}, {}, stop);  // the frames outlive it
    Running run(yaml, device);
    ASSERT_EQ(keeper.frames.size(), 5u);
    for (const Frame& f : keeper.frames) {
      while (run.done < f.step) run.step();
      ASSERT_EQ(f.planes.size(), 2u);
      const auto u = f.planes[0].values.as<double>(), v = f.planes[1].values.as<double>();
      EXPECT_EQ(std::vector<double>(u.begin(), u.end()), run.field()) << f.step;
      EXPECT_EQ(std::vector<double>(v.begin(), v.end()), run.field(Quantity::velocity)) << f.step;
      EXPECT_THROW((void)f.planes[0].values.as<float>(), std::logic_error);
    }
  }
}

}  // namespace
}  // namespace wavesim::test
