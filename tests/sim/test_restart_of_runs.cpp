// A run with writers that is saved in the middle: they are told the same as by one that was never stopped.

#include <gtest/gtest.h>

#include "tests/sim/restarted.hpp"
#include "tests/sim/told.hpp"

namespace wavesim::test {
namespace {

TEST(RestartOfRuns, TellsWritersWhatARunThatIsNeverStoppedTellsThem) {
  const Config c = config(with(
      "{%s, %s, time: {courant: 1.2, steps: 23}, solver: {method: auto, tolerance: 1e-9}, output: {fields: "
      "{every: 5, quantities: [displacement, max-displacement, arrival-time], arrival-threshold: "
      "0.05}}}",
      varying, std::string(wave).substr(0, std::string(wave).find(", output:")).c_str()));
  for (const std::string& device : devices()) {
    Told whole, first, second;
    Simulation(c, device).run({&whole}, {}, whole.stop);
    EXPECT_GT(whole.all.size(), 23u);
    SavedState state;
    {
      Simulation s(c, device);
      first.stop_after = 11;
      s.run({&first}, {}, first.stop);
      SaveInMemory to(state);
      s.archive(to);
    }
    Simulation s(c, device);
    LoadFromMemory from(state);
    s.archive(from);
    s.run({&second}, {}, second.stop);
    for (auto* part : {&first, &second}) {
      EXPECT_FALSE(part->all.empty());
      EXPECT_FALSE(part->samples.empty());
    }
    first.all.insert(first.all.end(), second.all.begin(), second.all.end());
    first.samples.insert(first.samples.end(), second.samples.begin(), second.samples.end());
    EXPECT_EQ(first.all, whole.all);
    EXPECT_EQ(first.samples, whole.samples);
    EXPECT_EQ(second.summary, whole.summary);
  }
}

/// Progress is told when the run is at its end and the last samples are not written yet.
TEST(RestartOfRuns, KeepsSamplesThatAreNotWrittenYet) {
  std::string text = yaml(constant, "two-level", "cg", false);
  text.insert(text.find("quantities:"), "times: [0], ");  // a frame writes the samples before it
  const Config c = config(text);
  Simulation s(c, "cpu");
  SavedState state;
  Told whole, rest;
  s.run(
      {&whole},
      [&](const Progress& now) {
        if (now.step < now.steps) return;
        SaveInMemory to(state);
        s.archive(to);
      },
      whole.stop);
  Simulation another(c, "cpu");
  LoadFromMemory from(state);
  another.archive(from);
  another.run({&rest}, {}, rest.stop);
  EXPECT_TRUE(rest.all.empty());
  ASSERT_FALSE(rest.samples.empty());
  EXPECT_EQ(rest.samples.back(), whole.samples.back());
  EXPECT_EQ(rest.summary, whole.summary);
}

}  // namespace
}  // namespace wavesim::test
