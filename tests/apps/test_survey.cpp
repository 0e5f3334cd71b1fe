// A config with shots: a run for each, one gather of all. Its SEG-Y file is read by tests/python/read_survey.py.

#include <gtest/gtest.h>

#include "apps/several_runs.hpp"
#include "kernels/backend/device.hpp"
#include "library/read_config.hpp"
#include "tests/apps/program.hpp"
#include "tests/output/same_results.hpp"

namespace wavesim {
namespace {

namespace fs = std::filesystem;

const char* const survey = R"yaml(name: survey
device: cpu
grid: {size: [100, 50], cells: [50, 25]}
medium: {speed: 1000}
sources: [{name: shot, at: [1, 2], ricker: {frequency: 50, delay: 0.02}}]
shots: [{at: [20, 40]}, {from: [30, 40], to: [70, 40], count: 3}]
receivers: [{name: line, from: [10, 45], to: [90, 45], count: 9}]
time: {step: 1e-3, steps: 60}
output: {fields: {every: 60}}
)yaml";

TEST(Survey, RunsEachShotAsARunOfItsOwn) {
  Workplace here;
  here.write("survey.yaml", survey);
  const auto one_thread = [] { setenv("OMP_NUM_THREADS", "1", 1); };
  const Outcome run = here.run({"survey.yaml", "--jobs", "2"}, one_thread);
  ASSERT_EQ(run.status, 0) << run.err;
  const fs::path folder = here.folder() / "results/survey";
  const std::string table = testing::content(folder / "survey.csv");
  EXPECT_NE(table.find("\nshot-001,20,40,done,0,60,"), std::string::npos) << table;
  EXPECT_NE(table.find("\nshot-003,50,40,done,0,60,"), std::string::npos) << table;
  EXPECT_NE(table.find("\nshot-004,70,40,done,0,60,"), std::string::npos) << table;
  for (const char* shot : {"shot-001", "shot-002", "shot-003", "shot-004"})
    EXPECT_TRUE(fs::exists(folder / "gathers" / (std::string(shot) + "_gather_line.png"))) << shot;
  const std::string page = testing::content(folder / "survey.html");
  EXPECT_NE(page.find("A survey of 4 shots, all done."), std::string::npos);
  EXPECT_NE(page.find("<th scope=\"row\">shot-002</th><td data-name=\"x (m)\">30</td>"), std::string::npos);
  EXPECT_NE(page.find("<img alt=\"shot-004\" src=\"data:image/png;base64,"), std::string::npos);
  EXPECT_EQ(page.find("drift"), std::string::npos) << "the energy of a shot comes from its source";
#ifdef WAVESIM_HAVE_SEGYIO
  EXPECT_EQ(fs::file_size(folder / "survey.segy"), 3600u + 4 * 9 * (240 + 4 * 61));
#endif
  Workplace hand;
  hand.write("survey.yaml", survey);
  ASSERT_EQ(hand.run({"survey.yaml", "-q", "--set", "shots=", "--set", "sources.0.at=[50,40]", "--set",
                      "name=shot-003", "--output", "results/survey"},
                     one_thread)
                .status,
            0);
  testing::expect_same_results(hand.folder() / "results/survey/shot-003", folder / "shot-003");

  // Again: nothing is run, and the gather stays.
  const auto written = fs::last_write_time(folder / "gathers/shot-001_gather_line.png");
  EXPECT_NE(here.run({"survey.yaml"}).err.find("4 runs, 4 of them done already"), std::string::npos);
  EXPECT_EQ(fs::last_write_time(folder / "gathers/shot-001_gather_line.png"), written);
}

TEST(Survey, RefusesInOneSentenceBeforeAnyRunBegins) {
  Workplace here;
  here.write("survey.yaml", survey);
  const auto says = [&](const std::vector<std::string>& words, const std::string& piece) {
    const Outcome run = here.run(words);
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.err.find(piece), std::string::npos) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_TRUE(here.left_behind().empty());
  };
  says({"survey.yaml", "--set", "shots=[{at: [20, 40]}, {at: [20, 60]}]"}, "outside the grid");
  says({"survey.yaml", "--set", "shots=", "--jobs", "2"},
       "--jobs is about the runs of a config with shots, and survey.yaml has none; leave it out");
  says({"survey.yaml", "--restart", "latest"}, "--restart names the checkpoint of one run");
  says({"sweep", "survey.yaml", "--over", "medium.speed=[1000,900]"},
       "survey.yaml:6:9: 'shots' are runs of their own; sweep without them (--set shots=)");
}

TEST(Survey, HasAFolderOfItsOwn) {
  Workplace here;
  here.write("survey.yaml", survey);
  const auto refuses = [&](const std::vector<std::string>& words, const std::string& piece) {
    const Outcome run = here.run(words);
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.err.find(piece), std::string::npos) << run.err;
  };
  ASSERT_EQ(here.run({"survey.yaml", "-q"}).status, 0);
  refuses({"survey.yaml", "--set", "shots="},
          "results/survey holds the result of a survey, survey.csv; name another folder with --output, or "
          "give the "
          "config another name");
  for (const char* command : {"render", "report"})
    refuses({command, "results/survey"},
            "results/survey holds a survey, whose page is survey.html there and whose gathers are in "
            "gathers/; name "
            "the folder of one of its runs");
  // of a survey that was killed there is no table
  fs::remove(here.folder() / "results/survey/survey.csv");
  refuses({"survey.yaml", "--set", "shots="},
          "results/survey holds the result of a survey, shot-001; name another folder");
  ASSERT_EQ(here.run({"survey.yaml", "-q", "--set", "shots=", "--output", "one"}).status, 0);
  refuses({"survey.yaml", "--output", "one"},
          "one/survey holds the result of one run, survey.vtkhdf; name another folder with --output, or give "
          "the config "
          "another name");
}

TEST(Survey, SaysInADryRunWhatAllShotsTake) {
  Workplace here;
  here.write("survey.yaml", survey);
  const Outcome run = here.run({"survey.yaml", "--dry-run"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("shot-004        50 x 25         60"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("4 runs into results/survey, "), std::string::npos) << run.out;
  EXPECT_TRUE(here.left_behind().empty());
}

TEST(Survey, LeavesAFailedShotOutOfItsGather) {
  Workplace here;
  here.write("survey.yaml", survey);
  // the folder of a shot cannot be written
  fs::create_directories(here.folder() / "results/survey");
  std::ofstream(here.folder() / "results/survey/shot-002") << "a file";
  const Outcome run = here.run({"survey.yaml"});
  EXPECT_EQ(run.status, 2) << run.err;
  const std::string table = testing::content(here.folder() / "results/survey/survey.csv");
  EXPECT_NE(table.find("\nshot-002,30,40,failed,2,"), std::string::npos) << table;
#ifdef WAVESIM_HAVE_SEGYIO
  EXPECT_EQ(fs::file_size(here.folder() / "results/survey/survey.segy"), 3600u + 3 * 9 * (240 + 4 * 61));
#endif
  fs::remove(here.folder() / "results/survey/shot-002");
  EXPECT_EQ(here.run({"survey.yaml"}).status, 0);
#ifdef WAVESIM_HAVE_SEGYIO
  EXPECT_EQ(fs::file_size(here.folder() / "results/survey/survey.segy"), 3600u + 4 * 9 * (240 + 4 * 61));
#endif
}

/// Threads run them: evaluators of expressions belong to one thread.
TEST(Survey, HasSignalsForEachShot) {
  Workplace here;
  here.write("survey.yaml", survey);
  RunCommand command;
  command.config = here.folder() / "survey.yaml";
  command.set = {"sources=[{at: [1, 2], expression: \"sin(20 * t)\"}]"};
  const RunsPlan plan = plan_survey(command, read_config(command.config, command));
  ASSERT_EQ(plan.runs.size(), 4u);
  for (std::size_t k = 0; k < plan.runs.size(); ++k) {
    EXPECT_TRUE(plan.runs[k].config.shots.empty());
    for (std::size_t other = 0; other < k; ++other)
      EXPECT_NE(plan.runs[k].config.sources.front().signal, plan.runs[other].config.sources.front().signal);
  }
  EXPECT_EQ(plan.runs[2].config.sources.front().at->point, (std::array<double, 2>{50, 40}));
}

/// In threads of one process, whose kernels run at the same time and are cut into other blocks.
TEST(Survey, OnAGpuGivesTheSameBitsWhateverRunsBeside) {
  if (cuda_count() == 0) GTEST_SKIP() << "no GPU answers";
  for (const std::vector<std::string>& settings :
       {std::vector<std::string>{"time.scheme=explicit", "output.energy.every=7"},
        {"time.scheme=explicit", "medium.speed=1000 + x"},
        {"time.scheme=explicit", "space.order=8"},
        {"solver.method=chebyshev"},
        {"solver.method=chebyshev", "medium.speed=1000 + x", "precision=single", "solver.tolerance=1e-4"},
        {"solver.method=cg", "solver.preconditioner=multigrid"}}) {
    SCOPED_TRACE(settings.back());
    std::vector<std::string> words{"survey.yaml",
                                   "--device",
                                   "cuda",
                                   "--set",
                                   "grid.cells=[500,250]",
                                   "--set",
                                   "time={step: 1e-4, steps: 90}",
                                   "--jobs"};
    Workplace one, several;
    for (const Workplace* place : {&one, &several}) {
      place->write("survey.yaml", survey);
      std::vector<std::string> all = words;
      all.push_back(place == &one ? "1" : "4");
      for (const std::string& setting : settings) all.insert(all.end(), {"--set", setting});
      const Outcome run = place->run(all);
      ASSERT_EQ(run.status, 0) << run.err;
    }
    for (const char* shot : {"shot-001", "shot-002", "shot-003", "shot-004"})
      testing::expect_same_results(one.folder() / "results/survey" / shot,
                                   several.folder() / "results/survey" / shot);
  }
}

}  // namespace
}  // namespace wavesim
