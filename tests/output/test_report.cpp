#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "output/run/duration.hpp"
#include "output/run/progress.hpp"
#include "output/run/report.hpp"
#include "tests/output/fresh_folder.hpp"

namespace wavesim::testing {
namespace {

TEST(Duration, IsReadable) {
  EXPECT_EQ(human_duration(0.4211), "0.421 s");
  EXPECT_EQ(human_duration(59.96), "1 min 00 s");
  EXPECT_EQ(human_duration(245), "4 min 05 s");
  EXPECT_EQ(human_duration(7620), "2 h 07 min");
}

RunSummary summary() {
  RunSummary s;
  s.complete = true;
  s.ending = "done";
  s.steps = 400;
  s.seconds = 10;
  s.assembly_seconds = 2;
  s.solve_seconds = 6;
  s.output_seconds = 1;
  s.iterations_min = 3;
  s.iterations_max = 9;
  s.iterations_mean = 5.25;
  s.energy_first = 1;
  s.energy_last = 0.5;
  s.energy_drift = 0.5;
  return s;
}

TEST(RunReport, TellsStepsTimesIterationsEnergyFilesAndHowToOpenThem) {
  RunInfo info;
  info.start = {0.3, 0.2, 0.1};
  const std::string text =
      report(info, summary(), {"results/drum/drum.vtkhdf", "results/drum/drum_history.csv"}, 0);
  for (const char* part :
       {"400 steps in 10 s, 40 steps/s", "device 0.3 s, model 0.2 s, state 0.1 s", "assembly 2 s (20 %)",
        "solve 6 s (60 %)", "output 1 s (10 %)", "rest 1 s (10 %)", "3 least, 5.2 mean, 9 most",
        "largest change 0.5", "results/drum/drum_history.csv",
        "ParaView 5.12 or newer: paraview results/drum/drum.vtkhdf", "output.fields.formats: [vti]"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
}

TEST(RunReport, SaysWhyARunStoppedAndLeavesOutAnEnergyThatWasNotComputed) {
  RunSummary s = summary();
  s.complete = false;
  s.ending = "stopped by a signal";
  s.energy_first = std::nan("");
  RunInfo info;
  info.planned_steps = 1000;
  const std::string text = report(info, s, {}, 0);
  EXPECT_NE(text.find("after 400 of 1000 steps, 10 s: stopped by a signal"), std::string::npos) << text;
  EXPECT_EQ(text.find("energy"), std::string::npos) << text;
}

TEST(RunReport, ComparesTheEnergyWithTheFirstOnlyWhereNothingFeedsTheWave) {
  RunInfo info;
  info.config = "sources:\n  - name: shot\n";
  const std::string text = report(info, summary(), {}, 0);
  EXPECT_NE(text.find("1 at first, 0.5 at last\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("largest change"), std::string::npos) << text;
}

TEST(RunReport, TellsWhereTheMethodsResidualAndTheTrueOnePartCompany) {
  RunSummary s = summary();
  EXPECT_EQ(report({}, s, {}, 0).find("factor of ten"), std::string::npos);
  s.parted_steps = 7;
  s.parted_first = 42;
  EXPECT_NE(report({}, s, {}, 0).find("in 7 of the steps, first in step 42, the residual of the method"),
            std::string::npos);
}

TEST(RunReport, TellsWhatTheSetUpChoseIfAnything) {
  RunSummary s = summary();
  EXPECT_EQ(report({}, s, {}, 0).find("set-up"), std::string::npos);
  s.set_up = "block-jacobi: blocks of 4 rows at most: 7 in half";
  EXPECT_NE(report({}, s, {}, 0).find("set-up      block-jacobi: blocks of 4 rows at most: 7 in half\n"),
            std::string::npos);
  s.set_up = "auto: solve 1: cg\nsolve 9: chebyshev, instead of cg";
  EXPECT_NE(report({}, s, {}, 0)
                .find("set-up      auto: solve 1: cg\n            solve 9: chebyshev, instead of cg\n"),
            std::string::npos);
}

TEST(RunReport, TellsWhenTheDiskHeldUpTheComputation) {
  EXPECT_NE(report({}, summary(), {}, 4).find("waited 4 s for the disk"), std::string::npos);
  EXPECT_EQ(report({}, summary(), {}, 0.01).find("waited"), std::string::npos);
}

Progress halfway() {
  Progress p;
  p.step = 200;
  p.steps = 400;
  p.time = 0.01;
  p.seconds = 5;
  p.iterations = 6.5;
  p.energy = 0.25;
  return p;
}

TEST(ProgressText, HasRateIterationsEnergyAndTheTimeLeft) {
  EXPECT_EQ(progress_text(halfway()),
            "step 200/400, t = 0.01 s, 40 steps/s, 6.5 iterations, energy 0.25, 5 s left");
  Progress p = halfway();
  p.energy = std::nan("");
  EXPECT_EQ(progress_text(p).find("energy"), std::string::npos);
  p.seconds = 0.176;
  EXPECT_NE(progress_text(p).find(" 1136 steps/s,"), std::string::npos);
}

TEST(ProgressBar, WritesPlainLinesWhereThereIsNoTerminal) {
  const FreshFolder folder;
  const std::filesystem::path path = folder.path / "log";
  std::FILE* file = std::fopen(path.c_str(), "w");
  {
    ProgressBar bar(file);
    for (int k = 0; k < 50; ++k) bar(halfway());  // within the quiet time: nothing
    Progress last = halfway();
    last.step = 400;
    bar(last);
  }
  std::fclose(file);
  const std::string text = content(path);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
  EXPECT_EQ(text.rfind("step 400/400", 0), 0u) << text;
  EXPECT_EQ(text.find_first_of("\r\x1b"), std::string::npos);
}

}  // namespace
}  // namespace wavesim::testing
