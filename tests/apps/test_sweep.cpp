// wavesim sweep as a user meets it: the table, failures, kills, refusals.

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <sstream>
#include <thread>

#include "sim/config/tree.hpp"
#include "tests/apps/program.hpp"
#include "tests/apps/system_files.hpp"
#include "tests/output/same_results.hpp"

namespace wavesim {
namespace {

namespace fs = std::filesystem;

const char* const plate = R"yaml(name: plate
device: cpu
grid: {size: [1, 1], cells: [40, 40]}
medium: {speed: 1}
initial: {displacement: {gaussian: {center: [0.4, 0.5], width: 0.1}}}
receivers: [{name: line, from: [0.2, 0.5], to: [0.8, 0.5], count: 4}]
time: {courant: 1, steps: 40}
output: {fields: {every: 20, quantities: [displacement, max-displacement]}}
)yaml";

/// The lines of a table without its seconds.
std::vector<std::string> lines_of(const fs::path& file) {
  std::istringstream in(testing::without_seconds(testing::content(file)));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void expect_sentence(const Outcome& run, const std::string& sentence) {
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.err, "wavesim: " + sentence + "\n");
}

TEST(SweepProgram, LeavesAFolderEachAndARowEach) {
  Workplace here;
  here.write("plate.yaml", plate);
  const std::vector<std::string> sweep{
      "sweep", "plate.yaml", "--over", "medium.damping=[0,4]", "--over", "grid.cells=[[20,20],[40,40]]"};
  const Outcome run = here.run(sweep, [] { setenv("OMP_NUM_THREADS", "1", 1); });
  ASSERT_EQ(run.status, 0) << run.err;
  const fs::path folder = here.folder() / "results/plate-sweep";
  const std::vector<std::string> lines = lines_of(folder / "sweep.csv");
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[0],
            "run,medium.damping,grid.cells,status,exit_status,steps,iterations_mean,energy_first,energy_last,"
            "energy_drift,largest_displacement,largest_received,message,");
  EXPECT_EQ(lines[2].rfind("\"damping=0,cells=40x40\",", 0), 0u) << lines[2];
  for (const char* name :
       {"damping=0,cells=20x20", "damping=0,cells=40x40", "damping=4,cells=20x20", "damping=4,cells=40x40"}) {
    EXPECT_TRUE(fs::exists(folder / name / (std::string(name) + ".vtkhdf"))) << name;
    EXPECT_NE(run.out.find(name), std::string::npos) << run.out;
  }

  const std::string page = testing::content(folder / "sweep.html");
  for (const char* piece : {"4 runs over medium.damping and grid.cells, all done.",
                            "<th scope=\"row\">damping=4,cells=20x20</th>",
                            "<img alt=\"damping=0,cells=40x40\" src=\"data:image/png;base64,",
                            "<h2>Over medium.damping</h2>", "cells = [40, 40]", "<h2>Over grid.cells</h2>",
                            "wavesim sweep plate.yaml --over 'medium.damping=[0,4]' --over "
                            "'grid.cells=[[20,20],[40,40]]'"})
    EXPECT_NE(page.find(piece), std::string::npos) << piece;
  expect_sentence(here.run({"report", "results/plate-sweep"}),
                  "results/plate-sweep holds a sweep, whose page is sweep.html there; name the folder of one "
                  "of its runs");

  // Each is what a run by hand writes.
  Workplace hand;
  hand.write("plate.yaml", plate);
  ASSERT_EQ(hand.run({"plate.yaml", "-q", "--set", "medium.damping=4", "--set", "grid.cells=[20,20]", "--set",
                      "name=\"damping=4,cells=20x20\"", "--output", "results/plate-sweep"},
                     [] { setenv("OMP_NUM_THREADS", "1", 1); })
                .status,
            0);
  testing::expect_same_results(hand.folder() / "results/plate-sweep/damping=4,cells=20x20",
                               folder / "damping=4,cells=20x20");

  // The same command finds all done, and a longer list runs what is new.
  const auto written = fs::last_write_time(folder / "damping=0,cells=20x20/damping=0,cells=20x20.vtkhdf");
  const Outcome again = here.run(sweep);
  EXPECT_EQ(again.status, 0);
  EXPECT_NE(again.err.find("4 runs, 4 of them done already"), std::string::npos) << again.err;
  std::vector<std::string> more = sweep;
  more[3] = "medium.damping=[8,0,4]";
  const Outcome longer = here.run(more);
  EXPECT_EQ(longer.status, 0);
  EXPECT_NE(longer.err.find("6 runs, 4 of them done already"), std::string::npos) << longer.err;
  EXPECT_EQ(fs::last_write_time(folder / "damping=0,cells=20x20/damping=0,cells=20x20.vtkhdf"), written);
  EXPECT_EQ(lines_of(folder / "sweep.csv").size(), 7u);
  EXPECT_NE(testing::content(folder / "sweep.html").find("6 runs over"), std::string::npos);

  const Outcome json = here.run([&] {
    std::vector<std::string> words = sweep;
    words.insert(words.end(), {"--json", "-q"});
    return words;
  }());
  const Tree answer = load_tree(json.out, "json");
  EXPECT_EQ(answer.find("runs")->items.size(), 4u);
  EXPECT_NE(testing::content(folder / "sweep.html").find("4 runs over"), std::string::npos);
  EXPECT_EQ(number_of(answer.find("runs")->items[2], "steps"), 40);
}

TEST(SweepProgram, GivesTheSameResultsHoweverManyRunAtOnce) {
  Workplace here;
  here.write("plate.yaml", plate);
  for (const char* jobs : {"1", "2", "3"})
    ASSERT_EQ(here.run({"sweep", "plate.yaml", "--over", "medium.damping=[0,1,2]", "-q", "--jobs", jobs,
                        "--output", jobs})
                  .status,
              0);
  for (const char* jobs : {"2", "3"}) {
    EXPECT_EQ(lines_of(here.folder() / "1/plate-sweep/sweep.csv"),
              lines_of(here.folder() / jobs / "plate-sweep/sweep.csv"));
    for (const std::string name : {"damping=0", "damping=1", "damping=2"})
      EXPECT_EQ(testing::content(here.folder() / "1/plate-sweep" / name / (name + "_receivers.csv")),
                testing::content(here.folder() / jobs / "plate-sweep" / name / (name + "_receivers.csv")));
  }
}

TEST(SweepProgram, GoesOnBehindARunThatFails) {
  Workplace here;
  here.write("plate.yaml", plate);
  const Outcome run =
      here.run({"sweep", "plate.yaml", "--over", "solver.max-iterations=[200,1,300]", "--jobs", "1"});
  EXPECT_EQ(run.status, 3) << run.err;
  const std::vector<std::string> lines = lines_of(here.folder() / "results/plate-sweep/sweep.csv");
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_NE(lines[1].find(",done,0,40,"), std::string::npos) << lines[1];
  EXPECT_NE(lines[2].find(",failed,3,"), std::string::npos) << lines[2];
  EXPECT_NE(lines[2].find("max-iterations"), std::string::npos) << lines[2];
  EXPECT_NE(lines[3].find(",done,0,40,"), std::string::npos) << lines[3];
  EXPECT_NE(run.out.find("\nmax-iterations=1: "), std::string::npos) << run.out;
  EXPECT_NE(run.err.find("not all runs are done"), std::string::npos) << run.err;
}

/// Sweeps that take about a second a run on a busy machine.
std::vector<std::string> long_sweep(const std::string& jobs) {
  return {"sweep", "plate.yaml",     "--over", "medium.damping=[0,1,2,3]", "--set",  "grid.cells=[120,120]",
          "--set", "time.steps=400", "--set",  "checkpoint.every=20",      "--jobs", jobs};
}

bool any_checkpoint(const fs::path& folder) {
  std::error_code none;
  for (const auto& entry : fs::recursive_directory_iterator(folder, none))
    if (entry.path().filename().string().find("_000100.h5") != std::string::npos) return true;
  return false;
}

void wait_until(const std::function<bool()>& holds) {
  for (int k = 0; k < 6000 && !holds(); ++k) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(holds());
}

TEST(SweepProgram, ThatIsKilledOrStoppedEndsAsOneThatIsNot) {
  Workplace here;
  here.write("plate.yaml", plate);
  const fs::path folder = here.folder() / "results/plate-sweep";
  ASSERT_EQ(here.run(long_sweep("2")).status, 0);
  fs::rename(folder, here.folder() / "whole");

  const Outcome killed = here.run(long_sweep("2"), {}, [&](pid_t child) {
    wait_until([&] { return any_checkpoint(folder); });
    kill(child, SIGKILL);
  });
  EXPECT_EQ(killed.status, 128 + SIGKILL);
  EXPECT_FALSE(fs::exists(folder / "sweep.csv"));

  const Outcome stopped = here.run(long_sweep("2"), {}, [&](pid_t child) {
    wait_until([&] { return fs::exists(folder / "damping=2"); });
    kill(child, SIGTERM);
  });
  EXPECT_EQ(stopped.status, 143) << stopped.err;
  EXPECT_NE(testing::content(folder / "sweep.csv").find(",stopped,143,"), std::string::npos);

  const Outcome rest = here.run(long_sweep("2"));
  ASSERT_EQ(rest.status, 0) << rest.err << rest.out;
  EXPECT_EQ(rest.err.find("4 runs, 0 of them"), std::string::npos) << rest.err;
  EXPECT_EQ(lines_of(folder / "sweep.csv"), lines_of(here.folder() / "whole/sweep.csv"));
  for (const std::string name : {"damping=0", "damping=1", "damping=2", "damping=3"})
    testing::expect_same_results(here.folder() / "whole" / name, folder / name);
}

TEST(SweepProgram, RefusesInOneSentenceBeforeAnyRunBegins) {
  Workplace here;
  here.write("plate.yaml", plate);
  const auto sweep = [&](std::vector<std::string> over) {
    over.insert(over.begin(), {"sweep", "plate.yaml", "--over"});
    return here.run(over);
  };
  expect_sentence(sweep({"medium.dampin=[0,1]"}),
                  "--over medium.dampin: unknown key 'dampin' in medium; did you mean 'damping'?");
  expect_sentence(sweep({"solver.method=[cg,gc]"}),
                  "--over solver.method: unknown value 'gc' for 'solver.method'; did you mean 'cg'?");
  expect_sentence(
      sweep({"receivers.3.at=[[0,1]]"}),
      "--over receivers.3.at: 'receivers' is a list of 1, and '3' is not one of its items, which are "
      "counted from 0");
  const Outcome outside = sweep({"receivers.0.to=[[0.8,0.5],[1.8,0.5]]"});
  EXPECT_EQ(outside.status, 2);
  EXPECT_NE(outside.err.find("outside the grid"), std::string::npos) << outside.err;
  EXPECT_NE(sweep({"time.steps=[10]", "--job", "2"}).err.find("did you mean '--jobs'?"), std::string::npos);
  EXPECT_TRUE(here.left_behind().empty());
  ASSERT_EQ(sweep({"medium.damping=[0]", "-q"}).status, 0);
  expect_sentence(
      sweep({"medium.damping=[1,0]", "--set", "time.steps=41"}),
      "results/plate-sweep/damping=0 holds a run of another config: 'time.steps' is 41, and was 40 there; "
      "replace the results with --overwrite, or name another folder with --output");
  EXPECT_FALSE(fs::exists(here.folder() / "results/plate-sweep/damping=1"));
  EXPECT_EQ(sweep({"medium.damping=[1,0]", "--set", "time.steps=41", "--overwrite", "-q"}).status, 0);
}

TEST(SweepProgram, SaysWhatAllRunsWouldTakeAndWritesNothing) {
  Workplace here;
  here.write("plate.yaml", plate);
  const Outcome run =
      here.run({"sweep", "plate.yaml", "--over", "grid.cells=[[20,20],[80,80]]", "--dry-run"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("cells=80x80        80 x 80         40"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("2 runs into results/plate-sweep, "), std::string::npos) << run.out;
  const Outcome json =
      here.run({"sweep", "plate.yaml", "--over", "grid.cells=[[20,20],[80,80]]", "--dry-run", "--json"});
  const Tree answer = load_tree(json.out, "json");
  EXPECT_EQ(number_of(answer.find("runs")->items.at(1), "cells-x"), 80);
  EXPECT_GT(number_of(answer, "disk-bytes-expected"), 0);
  EXPECT_TRUE(here.left_behind().empty());
}

}  // namespace
}  // namespace wavesim
