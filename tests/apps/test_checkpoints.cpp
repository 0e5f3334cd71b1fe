// Checkpoints, signals and the limit of time of the built program.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <build_facts.hpp>

#include <chrono>
#include <fstream>
#include <thread>

#include "tests/apps/program.hpp"
#include "tests/output/same_results.hpp"

namespace wavesim {
namespace {

namespace fs = std::filesystem;
using testing::content;
using testing::expect_same_results;

const char* const small = R"yaml(name: small
grid: {size: [1, 1], cells: [24, 24]}
medium: {speed: 1}
initial: {displacement: {gaussian: {center: [0.5, 0.5], width: 0.1}}}
receivers: [{name: middle, at: [0.5, 0.5]}]
time: {steps: 40}
output: {fields: {every: 3}}
checkpoint: {every: 10}
)yaml";

/// The same, but so long that it does not come to its end.
const std::vector<std::string> endless{
    "--set", "time.steps=2000000", "--set", "output.fields.every=1000", "--set", "checkpoint.every=1000000"};

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void write(const Workplace& here) { here.write("small.yaml", small); }
fs::path result(const Workplace& here) { return here.folder() / "results/small"; }
bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void wait_for(const fs::path& file) {
  for (int k = 0; k < 1200 && !fs::exists(file); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
}
void wait(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

std::vector<std::string> checkpoints(const Workplace& here) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(result(here) / "small_checkpoints", none))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

Outcome signalled(const Workplace& here, int number, const std::vector<std::string>& more = {}) {
  write(here);
  return here.run(std::vector<std::string>{"small.yaml"} + endless + more, {}, [&](pid_t child) {
    wait_for(result(here) / "small.vtkhdf");
    wait(200);
    kill(child, number);
  });
}

/// Steps that the history tells of.
long steps_of(const Workplace& here) {
  const std::string text = content(result(here) / "small_history.csv");
  return std::count(text.begin(), text.end(), '\n') - 1;
}

TEST(Checkpoints, AreWrittenWhenTheConfigSaysAndTheLatestAreKept) {
  Workplace here;
  write(here);
  const Outcome run = here.run({"small.yaml"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(checkpoints(here), (std::vector<std::string>{"small_000030.h5", "small_000040.h5"}));
  EXPECT_TRUE(says(run.out, "small_000040.h5")) << run.out;
  const Outcome plain = here.run({"small.yaml", "--overwrite", "-q", "--set", "checkpoint="});
  EXPECT_EQ(plain.status, 0) << plain.err;
  EXPECT_TRUE(checkpoints(here).empty());
}

TEST(Checkpoints, AreForeseenByTheDryRun) {
  Workplace here;
  write(here);
  const Outcome run = here.run({"small.yaml", "--dry-run"});
  EXPECT_TRUE(says(run.out, "  checkpoint   about ")) << run.out;
  EXPECT_FALSE(says(here.run({"small.yaml", "--dry-run", "--set", "checkpoint="}).out, "  checkpoint"));
}

TEST(Checkpoints, LetAKilledRunGoOnToTheSameResults) {
  Workplace here;
  write(here);
  ASSERT_EQ(here.run({"small.yaml", "-q"}).status, 0);
  fs::rename(result(here), here.folder() / "whole");
  ASSERT_EQ(here.run({"small.yaml", "-q"}).status, 0);
  // As if it had been killed after step 30.
  fs::remove(result(here) / "small_checkpoints/small_000040.h5");
  const Outcome resumed = here.run({"small.yaml", "--resume"});
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_TRUE(
      says(resumed.out, "continues from results/small/small_checkpoints/small_000030.h5, after step 30"))
      << resumed.out;
  expect_same_results(here.folder() / "whole", result(here));
}

TEST(Checkpoints, OfADamagedFileTheOneBeforeIsTaken) {
  Workplace here;
  write(here);
  ASSERT_EQ(here.run({"small.yaml", "-q"}).status, 0);
  fs::rename(result(here), here.folder() / "kept");
  ASSERT_EQ(here.run({"small.yaml", "-q"}).status, 0);
  const fs::path latest = result(here) / "small_checkpoints/small_000040.h5";
  std::string bytes = content(latest);
  bytes[bytes.size() / 2] ^= 1;
  std::ofstream(latest, std::ios::binary) << bytes;
  const Outcome named = here.run({"small.yaml", "--restart", latest.string()});
  EXPECT_EQ(named.status, 2);
  EXPECT_TRUE(says(named.err, "it is damaged")) << named.err;
  const Outcome resumed = here.run({"small.yaml", "--restart", "latest"});
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_TRUE(says(resumed.err, "small_000040.h5: it is damaged")) << resumed.err;
  EXPECT_TRUE(says(resumed.out, "after step 30")) << resumed.out;
  expect_same_results(here.folder() / "kept", result(here));
}

TEST(Checkpoints, ResumeStartsWhereThereIsNone) {
  Workplace here;
  write(here);
  const Outcome run = here.run({"small.yaml", "--resume", "-q"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(steps_of(here), 40);
  const Outcome again = here.run({"small.yaml", "--resume"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_TRUE(says(again.out, "results/small is complete; nothing is left to do")) << again.out;
  // An unfinished result without a checkpoint is begun again; a complete one stays.
  fs::remove_all(result(here) / "small_checkpoints");
  const Outcome complete = here.run({"small.yaml", "--resume"});
  EXPECT_EQ(complete.status, 2);
  EXPECT_TRUE(says(complete.err, "there is a result already")) << complete.err;
  fs::resize_file(result(here) / "small.vtkhdf", 3000);
  EXPECT_EQ(here.run({"small.yaml", "--resume", "-q"}).status, 0);
}

TEST(Checkpoints, RestartWantsOne) {
  Workplace here;
  write(here);
  const Outcome none = here.run({"small.yaml", "--restart", "latest"});
  EXPECT_EQ(none.status, 2);
  EXPECT_TRUE(says(none.err, "there is no checkpoint in results/small/small_checkpoints")) << none.err;
  EXPECT_TRUE(here.left_behind().empty());
  EXPECT_EQ(here.run({"small.yaml", "--restart", "absent.h5"}).status, 2);
  EXPECT_EQ(here.run({"small.yaml", "--resume", "--overwrite"}).status, 2);
  ASSERT_EQ(here.run({"small.yaml", "-q"}).status, 0);
  EXPECT_EQ(here.run({"small.yaml", "--restart", "latest", "--overwrite"}).status, 2);
  EXPECT_EQ(steps_of(here), 40);
}

TEST(Checkpoints, OfAFileGoOnIntoAnotherFolder) {
  Workplace here;
  write(here);
  ASSERT_EQ(here.run({"small.yaml", "-q"}).status, 0);
  const std::string file = "results/small/small_checkpoints/small_000030.h5";
  const Outcome other = here.run({"small.yaml", "-q", "--restart", file, "--output", "other", "--set",
                                  "output.fields.stride=2", "--set", "output.fields.every=5"});
  ASSERT_EQ(other.status, 0) << other.err;
  EXPECT_TRUE(fs::exists(here.folder() / "other/small/small.vtkhdf"));
  EXPECT_TRUE(fs::exists(here.folder() / file));
  const std::string rows = content(here.folder() / "other/small/small_history.csv");
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 11);
  const auto last_line = [](const std::string& text) {
    return text.substr(text.rfind('\n', text.size() - 2));
  };
  EXPECT_EQ(last_line(content(here.folder() / "other/small/small_receivers.csv")),
            last_line(content(result(here) / "small_receivers.csv")));
}

TEST(Checkpoints, AreRefusedForAnotherWaveAndTakenForAnotherEnd) {
  Workplace here;
  write(here);
  ASSERT_EQ(here.run({"small.yaml", "-q"}).status, 0);
  for (const std::string key : {"grid.cells=[30, 30]", "medium.speed=2", "precision=single", "edges=free",
                                "time.courant=2", "receivers.0.at=[0.25, 0.5]", "initial.velocity=1"}) {
    const Outcome run = here.run({"small.yaml", "--restart", "latest", "--set", key});
    EXPECT_EQ(run.status, 2) << key;
    EXPECT_TRUE(says(run.err, "'" + key.substr(0, key.find_first_of(".=")))) << run.err;
    EXPECT_TRUE(says(run.err, "only end time, outputs, solver, device and checkpoints may change"))
        << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  }
  const Outcome stride = here.run({"small.yaml", "--restart", "latest", "--set", "output.fields.stride=2"});
  EXPECT_EQ(stride.status, 2);
  EXPECT_TRUE(says(stride.err, "--output DIR")) << stride.err;
  const Outcome tracked = here.run({"small.yaml", "--restart", "latest", "--set",
                                    "output.fields.quantities=[displacement, max-displacement]"});
  EXPECT_EQ(tracked.status, 2);
  EXPECT_TRUE(says(tracked.err, "from the first step on")) << tracked.err;
  const Outcome shorter = here.run({"small.yaml", "--restart", "latest", "--set", "time.steps=20"});
  EXPECT_EQ(shorter.status, 2);
  EXPECT_TRUE(says(shorter.err, "later time.end")) << shorter.err;
  EXPECT_EQ(steps_of(here), 40);
  const Outcome longer = here.run({"small.yaml", "--resume", "--set", "time.steps=60", "--set",
                                   "solver.method=chebyshev", "--set", "checkpoint.keep=1"});
  ASSERT_EQ(longer.status, 0) << longer.err;
  EXPECT_TRUE(says(longer.err, "the solver is another one")) << longer.err;
  EXPECT_EQ(steps_of(here), 60);
  EXPECT_EQ(checkpoints(here), (std::vector<std::string>{"small_000060.h5"}));
}

/// `end` is a whole number of steps, so that another end would be reached with another step.
TEST(Checkpoints, KeepTheTimeStepWhereTheEndIsALaterOne) {
  Workplace here;
  write(here);
  const std::vector<std::string> by_end{"small.yaml", "-q", "--set", "time.steps=", "--set"};
  ASSERT_EQ(here.run(by_end + std::vector<std::string>{"time.end=0.7"}).status, 0);
  const std::string before = testing::without_seconds(content(result(here) / "small_history.csv"));
  const Outcome longer = here.run(by_end + std::vector<std::string>{"time.end=1", "--resume"});
  ASSERT_EQ(longer.status, 0) << longer.err;
  const std::string after = testing::without_seconds(content(result(here) / "small_history.csv"));
  EXPECT_TRUE(after.starts_with(before));
  EXPECT_GT(after.size(), before.size());
  EXPECT_EQ(here.run(by_end + std::vector<std::string>{"time.end=1.3", "--resume"}).status, 0);
}

/// The file with `before` replaced by `after`, as long, in a checkpoint whose checksum is right again.
void change(const fs::path& file, const std::string& before, const std::string& after) {
  std::string bytes = content(file);
  const std::size_t at = bytes.find(before, 512);
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, after.size(), after);
  char sum[16];
  std::snprintf(sum, sizeof sum, "%08lx",
                crc32(0, reinterpret_cast<const Bytef*>(bytes.data()) + 512, uInt(bytes.size() - 512)));
  bytes.replace(bytes.find("to the end ") + 11, 8, sum);
  std::ofstream(file, std::ios::binary) << bytes;
}

TEST(Checkpoints, OfAnotherProgramOrMachineAreTakenWithANote) {
  Workplace here;
  write(here);
  ASSERT_EQ(here.run({"small.yaml", "-q"}).status, 0);
  const Outcome same = here.run({"small.yaml", "--resume", "--set", "time.steps=45"});
  EXPECT_EQ(same.status, 0);
  EXPECT_FALSE(says(same.err, "bits")) << same.err;
  std::string another(build_type);
  another.front() = 'X';
  change(result(here) / "small_checkpoints/small_000045.h5", build_type, another);
  const Outcome other = here.run({"small.yaml", "--resume", "--set", "time.steps=50"});
  EXPECT_EQ(other.status, 0) << other.err;
  EXPECT_TRUE(
      says(other.err, "build-type '" + another + "', here '" + build_type + "'; the last bits may differ"))
      << other.err;
}

TEST(Signals, SaveTheStateAndEndWithTheirStatus) {
  const std::pair<int, int> all[] = {{SIGINT, 130}, {SIGTERM, 143}, {SIGHUP, 129}, {SIGXCPU, 152}};
  for (const auto& [number, status] : all) {
    Workplace here;
    const Outcome run = signalled(here, number);
    EXPECT_EQ(run.status, status) << run.err;
    EXPECT_TRUE(says(run.out, "stopped by a signal")) << run.out;
    ASSERT_EQ(checkpoints(here).size(), 1u) << number;
    EXPECT_TRUE(says(run.out, "continue    the same command with --resume")) << run.out;
    const long steps = steps_of(here);
    const Outcome more =
        here.run(std::vector<std::string>{"small.yaml", "-q", "--resume"} + endless +
                 std::vector<std::string>{"--set", "time.steps=" + std::to_string(steps + 5)});
    EXPECT_EQ(more.status, 0) << more.err;
    EXPECT_EQ(steps_of(here), steps + 5);
  }
}

TEST(Signals, SaveNothingWhereNoCheckpointsAreWanted) {
  Workplace here;
  EXPECT_EQ(signalled(here, SIGTERM, {"--set", "checkpoint="}).status, 143);
  EXPECT_TRUE(checkpoints(here).empty());
  EXPECT_TRUE(fs::exists(result(here) / "small_history.csv"));
}

TEST(Signals, AskForAStateAndTheRunGoesOn) {
  for (const char* setting : {"checkpoint.keep=2", "checkpoint="}) {
    Workplace here;
    write(here);
    std::size_t found = 0;
    const Outcome run = here.run(
        std::vector<std::string>{"small.yaml"} + endless + std::vector<std::string>{"--set", setting}, {},
        [&](pid_t child) {
          wait_for(result(here) / "small.vtkhdf");
          wait(200);
          kill(child, SIGUSR1);
          for (int k = 0; k < 400 && checkpoints(here).empty(); ++k) wait(25);
          wait(100);
          found = checkpoints(here).size();
          kill(child, SIGKILL);
        });
    EXPECT_EQ(run.status, 128 + SIGKILL) << run.err;
    EXPECT_EQ(found, 1u);
  }
}

/// A step that takes minutes.
const std::vector<std::string> slow{"small.yaml",
                                    "--set",
                                    "grid.cells=[1500, 1500]",
                                    "--set",
                                    "solver.method=jacobi",
                                    "--set",
                                    "solver.max-iterations=1000000",
                                    "--set",
                                    "time.courant=300",
                                    "--set",
                                    "time.steps=9",
                                    "--set",
                                    "solver.tolerance=1e-10"};

TEST(Signals, EndAtOnceTheSecondTime) {
  Workplace here;
  write(here);
  auto before = std::chrono::steady_clock::now();
  const Outcome run = here.run(slow, {}, [&](pid_t child) {
    wait_for(result(here) / "small.vtkhdf");
    wait(1000);
    kill(child, SIGINT);
    wait(1100);
    before = std::chrono::steady_clock::now();
    kill(child, SIGTERM);
  });
  EXPECT_EQ(run.status, 143);
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5));
  EXPECT_TRUE(H5Fis_hdf5((result(here) / "small.vtkhdf").c_str()) > 0);
  EXPECT_EQ(here.run({"small.yaml", "-q", "--resume"}).status, 0);
}

// As timeout(1) sends them: to the process, and to its group.
TEST(Signals, ThatComeTwiceAtOnceCountOnce) {
  Workplace here;
  write(here);
  const Outcome run = here.run(std::vector<std::string>{"small.yaml"} + endless, {}, [&](pid_t child) {
    wait_for(result(here) / "small.vtkhdf");
    wait(200);
    kill(child, SIGTERM);
    kill(child, SIGTERM);
  });
  EXPECT_EQ(run.status, 143) << run.err;
  EXPECT_EQ(checkpoints(here).size(), 1u);
}

TEST(Signals, BeforeTheFirstStepEndAtOnceAndLeaveNoFile) {
  Workplace here;
  write(here);
  mkfifo((here.folder() / "pipe.yaml").c_str(), 0600);
  const std::vector<std::string> wide{"small.yaml", "-q",
                                      "--set",      "grid.cells=[6000, 6000]",
                                      "--set",      "medium.speed=1 + 0.1 * sin(x) * exp(-y^2)"};
  for (const std::vector<std::string>& words : {wide, std::vector<std::string>{"pipe.yaml"}}) {
    auto before = std::chrono::steady_clock::now();
    const Outcome run = here.run(words, {}, [&](pid_t child) {
      wait(400);
      before = std::chrono::steady_clock::now();
      kill(child, SIGTERM);
    });
    EXPECT_EQ(run.status, 143) << words[0];
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5)) << words[0];
  }
  EXPECT_FALSE(fs::exists(result(here)));
}

TEST(Signals, GiveUpAStepThatTakesTooLong) {
  Workplace here;
  write(here);
  const auto one_thread = [] { setenv("OMP_NUM_THREADS", "1", 1); };  // others may have the rest for 20 s
  const Outcome run = here.run(slow, one_thread, [&](pid_t child) {
    wait_for(result(here) / "small.vtkhdf");
    wait(1000);
    kill(child, SIGINT);
  });
  EXPECT_EQ(run.status, 130);
  EXPECT_TRUE(says(run.err, "takes too long and is given up")) << run.err;
  EXPECT_EQ(here.run({"small.yaml", "-q", "--resume"}).status, 0);
}

TEST(Signals, ThatAreIgnoredStayIgnored) {
  Workplace here;
  write(here);
  const Outcome run = here.run(
      {"small.yaml", "--set", "time.steps=20000", "--set", "checkpoint.every=100000", "--set",
       "output.fields.every=1000"},
      [] { signal(SIGHUP, SIG_IGN); },
      [&](pid_t child) {
        wait_for(result(here) / "small.vtkhdf");
        kill(child, SIGHUP);
      });
  EXPECT_EQ(run.status, 0) << run.err;
}

TEST(Signals, OfTheLimitOfProcessorTimeLeaveTimeForTheState) {
  Workplace here;
  write(here);
  const Outcome run = here.run(std::vector<std::string>{"small.yaml"} + endless, [] {
    const rlimit limit{2, 100};
    setrlimit(RLIMIT_CPU, &limit);
  });
  EXPECT_EQ(run.status, 152) << run.err;
  EXPECT_EQ(checkpoints(here).size(), 1u);
}

TEST(WallLimit, GivesUpAStepThatTakesLonger) {
  Workplace here;
  write(here);
  const auto before = std::chrono::steady_clock::now();
  const Outcome run = here.run(slow + std::vector<std::string>{"--set", "time.wall-limit=4s"});
  EXPECT_EQ(run.status, 6);
  EXPECT_TRUE(says(run.err, "takes too long and is given up")) << run.err;
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(12));
}

TEST(WallLimit, StopsInTimeWithACheckpointAndStatus6) {
  Workplace here;
  write(here);
  const auto before = std::chrono::steady_clock::now();
  const Outcome run =
      here.run(std::vector<std::string>{"small.yaml"} + endless +
               std::vector<std::string>{"--set", "checkpoint=", "--set", "time.wall-limit=3s"});
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::milliseconds(4000));
  EXPECT_EQ(run.status, 6) << run.err;
  EXPECT_TRUE(says(run.out, "stopped at time.wall-limit")) << run.out;
  EXPECT_EQ(checkpoints(here).size(), 1u);
  const long steps = steps_of(here);
  const std::vector<std::string> more{"--set", "time.steps=" + std::to_string(steps + 3), "--set",
                                      "checkpoint="};
  EXPECT_EQ(
      here.run(std::vector<std::string>{"small.yaml", "-q", "--resume", "--set", "output.fields.every=1000"} +
               more)
          .status,
      0);
  EXPECT_EQ(steps_of(here), steps + 3);
}

}  // namespace
}  // namespace wavesim
