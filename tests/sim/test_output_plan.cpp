// What a run writes, before it starts.

#include "sim/run/output_plan.hpp"

#include <gtest/gtest.h>

#include <span>

#include "tests/sim/given.hpp"

namespace wavesim {
namespace {

RunInfo planned(const std::string& medium, const std::string& fields) {
  const Config config =
      parse_config("grid: {size: [10, 5], cells: [20, 10]}\nmedium: {speed: \"" + medium +
                       "\"}\ntime: {step: 0.01, steps: 10}\noutput: {fields: " + fields + "}\n",
                   "planned.yaml", ".", {});
  const Model model = build_model(config);
  return plan_output(config, model, plan_time(config, make_scheme(config.time, config.space.order), model));
}

TEST(OutputPlan, HoldsTheSpeedOfAMediumThatVaries) {
  const RunInfo info = planned("1 + x", "{stride: 2}");
  ASSERT_EQ(info.once.size(), 1u);
  EXPECT_EQ(info.once[0].quantity, "speed");
  EXPECT_EQ(info.quantities, std::vector<std::string>{"displacement"});
  const std::span<const float> speed = info.once[0].values.as<float>();
  ASSERT_EQ(speed.size(), 11u * 6u);
  EXPECT_FLOAT_EQ(speed[3], 4);  // x = 3
}

TEST(OutputPlan, HoldsNoSpeedThatIsConstantUnlessAskedFor) {
  EXPECT_TRUE(planned("2", "{stride: 1}").once.empty());
  EXPECT_EQ(planned("2", "{quantities: [displacement, speed]}").once.size(), 1u);
  EXPECT_EQ(planned("1 + x", "{quantities: [displacement, speed]}").once.size(), 1u);
  // Files of VTK hold it in each frame: there only if asked for.
  EXPECT_TRUE(planned("1 + x", "{formats: [vti]}").once.empty());
}

}  // namespace
}  // namespace wavesim
