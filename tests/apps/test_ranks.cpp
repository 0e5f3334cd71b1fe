// The program on several ranks: the results of one, and one end for all.

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>

#include "kernels/backend/device.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "tests/apps/program.hpp"
#include "tests/apps/small_disk.hpp"
#include "tests/output/same_results.hpp"
#include "tests/process_memory.hpp"

namespace wavesim {
namespace {

namespace fs = std::filesystem;

const char* const tall = R"yaml(name: tall
device: cpu
grid: {size: [1, 11], cells: [30, 330]}
edges: {left: free, right: fixed, bottom: fixed, top: {driven: {sinusoid: {frequency: 2, amplitude: 0.2}}}}
medium: {speed: '1 + 0.05 * y', damping: 0.1}
initial: {displacement: {gaussian: {center: [0.4, 4], width: 0.3, amplitude: 1}}}
sources: [{at: [0.2, 4.3], ricker: {frequency: 3, delay: 0.2}}]
receivers: [{name: line, from: [0.1, 0.2], to: [0.9, 10.7], count: 30}]
time: {courant: 1.5, steps: 40}
solver: {method: cg, tolerance: 1e-8}
output: {fields: {every: 8}, energy: {every: 8}}
)yaml";

/// As each rank: results name the number of threads.
void one_thread() { setenv("OMP_NUM_THREADS", "1", 1); }

class RanksOfTheProgram : public ::testing::TestWithParam<RanksAre> {
 protected:
  void SetUp() override {
    if (GetParam() == RanksAre::of_mpi && !Workplace::has_mpirun())
      GTEST_SKIP() << "no mpirun (Debian: openmpi-bin), or a build without MPI";
    here.write("tall.yaml", tall);
  }
  static Outcome run_on(const Workplace& place, int count, const std::vector<std::string>& words,
                        const std::function<void(pid_t)>& meanwhile = {}) {
    return place.run_on_ranks(GetParam(), count, words, meanwhile);
  }
  /// One sentence, with this piece, and this exit status.
  void expect_status(const Outcome& run, int status, const char* piece) const {
    EXPECT_EQ(run.status, status) << run.err << run.out;
    EXPECT_NE(run.err.find(piece), std::string::npos) << run.err;
    std::size_t sentences = 0;
    for (std::size_t at = 0; (at = run.err.find("wavesim: ", at)) != std::string::npos; ++at) ++sentences;
    EXPECT_EQ(sentences, 1u) << run.err;
  }
  Workplace here;
};

TEST_P(RanksOfTheProgram, WriteTheFilesOfOne) {
  ASSERT_EQ(here.run({"tall.yaml"}, one_thread).status, 0);
  for (int count : {2, 3, 4}) {
    Workplace there;
    there.write("tall.yaml", tall);
    const Outcome run = run_on(there, count, {"tall.yaml"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_NE(run.out.find("tall: 30 x 330 cells"), std::string::npos) << run.out;
    testing::expect_same_results(here.folder() / "results/tall", there.folder() / "results/tall");
  }
}

TEST_P(RanksOfTheProgram, GoOnFromACheckpointOfAnyNumberOfThem) {
  for (const char* method : {"cg", "chebyshev"}) {
    const std::string set = std::string("solver.method=") + method;
    Workplace whole, resumed;
    whole.write("tall.yaml", tall);
    resumed.write("tall.yaml", tall);
    ASSERT_EQ(whole.run({"tall.yaml", "--set", set, "--set", "checkpoint.every=13"}, one_thread).status, 0);
    const auto words = [&](const char* steps) {
      return std::vector<std::string>{"tall.yaml", "--resume",
                                      "--set",     set,
                                      "--set",     "checkpoint.every=13",
                                      "--set",     std::string("time.steps=") + steps};
    };
    ASSERT_EQ(run_on(resumed, 3, words("26")).status, 0);
    const Outcome two = run_on(resumed, 2, words("34"));
    ASSERT_EQ(two.status, 0) << two.err;
    EXPECT_NE(two.out.find("continues from"), std::string::npos) << two.out;
    ASSERT_EQ(resumed.run(words("40"), one_thread).status, 0);
    testing::expect_same_results(whole.folder() / "results/tall", resumed.folder() / "results/tall");
  }
}

/// One process chooses among more methods than several.
TEST_P(RanksOfTheProgram, GoOnChoosingAMethodFromACheckpointOfAnyNumberOfThem) {
  here.write("tall.yaml", tall);
  const auto words = [](const char* steps) {
    return std::vector<std::string>{"tall.yaml", "--resume",
                                    "--set",     "solver.method=auto",
                                    "--set",     "time.courant=20",
                                    "--set",     "checkpoint.every=4",
                                    "--set",     std::string("time.steps=") + steps};
  };
  for (const Outcome& run :
       {run_on(here, 2, words("8")), run_on(here, 3, words("12")), here.run(words("16"), one_thread)})
    ASSERT_EQ(run.status, 0) << run.err;
  const Outcome last = run_on(here, 2, words("20"));
  ASSERT_EQ(last.status, 0) << last.err;
  EXPECT_NE(last.out.find("continues from"), std::string::npos) << last.out;
}

TEST_P(RanksOfTheProgram, EndWithOneSentenceForAMistake) {
  expect_status(run_on(here, 3, {"tall.yaml", "--set", "medium.speed=-1"}), 2, "speed");
  expect_status(run_on(here, 3, {"tall.yaml", "--set", "solver.method=direct"}), 2,
                "direct does not work on several ranks");
  expect_status(run_on(here, 2, {"tall.yaml", "--set", "grid.cells=[30,40]"}), 2, "share out");
  if (GetParam() == RanksAre::of_mpi)
    expect_status(run_on(here, 2, {"list"}), 2, "several ranks share out a run only");
  EXPECT_TRUE(here.left_behind().empty());
}

TEST_P(RanksOfTheProgram, EndWithOneSentenceWhereAllFail) {
  const Outcome run = run_on(here, 3, {"tall.yaml", "--set", "solver.max-iterations=2"});
  expect_status(run, 3, "step 1");
}

/// The ranks that a process has started.
std::vector<pid_t> ranks_of(pid_t starter) {
  std::vector<pid_t> found;
  std::ifstream children("/proc/" + std::to_string(starter) + "/task/" + std::to_string(starter) +
                         "/children");
  for (pid_t p; children >> p;) {
    std::string name;
    std::ifstream("/proc/" + std::to_string(p) + "/comm") >> name;
    if (name == "wavesim") found.push_back(p);
  }
  return found;
}
void wait_for(const fs::path& file) {
  for (int k = 0; k < 3000 && !fs::exists(file); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

TEST_P(RanksOfTheProgram, EndTogetherWhereTheDiskIsFull) {
  const SmallDisk disk(here.folder() / "disk");
  if (!disk.mounted()) GTEST_SKIP() << "a small disk needs the right to mount";
  std::chrono::steady_clock::time_point filled;
  const Outcome run = run_on(here, 3,
                             {"tall.yaml", "-q", "--output", "disk", "--set", "time.steps=100000", "--set",
                              "output.fields.every=20000", "--set", "output.history.every=1000", "--set",
                              "output.receivers.every=1000"},
                             [&](pid_t) {
                               wait_for(here.folder() / "disk/tall/tall.vtkhdf");
                               std::ofstream(here.folder() / "disk/filler")
                                   << std::string(std::size_t(48) << 20, 'x');
                               filled = std::chrono::steady_clock::now();
                             });
  EXPECT_LT(std::chrono::steady_clock::now() - filled, std::chrono::seconds(20));
  expect_status(run, 4, "No space left on device");
}

TEST_P(RanksOfTheProgram, StopAtOneStepWhereASignalComesToAnyOfThem) {
  const std::vector<std::string> words{"tall.yaml", "--set", "time.steps=100000", "--set",
                                       "checkpoint.every=50"};
  const Outcome run = run_on(here, 3, words, [&](pid_t starter) {
    wait_for(here.folder() / "results/tall/tall_checkpoints/tall_000100.h5");
    const std::vector<pid_t> ranks = ranks_of(starter);
    ASSERT_EQ(ranks.size(), 3u);
    kill(ranks[2], SIGTERM);
  });
  EXPECT_EQ(run.status, 143) << run.err;
  EXPECT_NE(run.out.find("stopped by a signal"), std::string::npos) << run.out;
}

TEST_P(RanksOfTheProgram, LeaveAFileThatCanBeReadWhereOneIsKilled) {
  const Outcome run = run_on(here, 3,
                             {"tall.yaml", "--set", "time.steps=100000", "--set", "output.fields.every=50",
                              "--set", "checkpoint.every=50"},
                             [&](pid_t starter) {
                               wait_for(here.folder() / "results/tall/tall_checkpoints/tall_000100.h5");
                               const std::vector<pid_t> ranks = ranks_of(starter);
                               ASSERT_EQ(ranks.size(), 3u);
                               kill(ranks[1], SIGKILL);
                             });
  EXPECT_NE(run.status, 0);
  if (GetParam() == RanksAre::forked) expect_status(run, 137, "rank 1 of 3 was ended by a signal: Killed");
  EXPECT_EQ(here.run({"render", "results/tall", "-q"}).status, 0);
  const Outcome on =
      here.run({"tall.yaml", "--resume", "--set", "time.steps=200", "--set", "output.fields.every=50"});
  EXPECT_EQ(on.status, 0) << on.err;
}

TEST_P(RanksOfTheProgram, StopWhereASignalComesToTheProcessThatStartedThem) {
  if (GetParam() == RanksAre::of_mpi) GTEST_SKIP() << "mpirun's own";
  const Outcome run =
      run_on(here, 2, {"tall.yaml", "--set", "time.steps=100000", "--set", "checkpoint.every=50"},
             [&](pid_t starter) {
               wait_for(here.folder() / "results/tall/tall_checkpoints/tall_000100.h5");
               kill(starter, SIGTERM);
             });
  EXPECT_EQ(run.status, 143) << run.err;
  EXPECT_NE(run.out.find("stopped by a signal"), std::string::npos) << run.out;
}

TEST(RanksOfOneHost, AreRefusedWithMpirun) {
  if (!Workplace::has_mpirun()) GTEST_SKIP() << "no mpirun";
  Workplace here;
  here.write("tall.yaml", tall);
  const Outcome both = here.run_on_ranks(RanksAre::of_mpi, 2, {"tall.yaml", "--ranks", "2"});
  EXPECT_EQ(both.status, 2);
  EXPECT_NE(both.err.find("mpirun has started several ranks"), std::string::npos) << both.err;
}

TEST(RanksOfOneHost, AreForeseenByADryRun) {
  Workplace here;
  here.write("tall.yaml", tall);
  const auto bytes = [&](const char* ranks) {
    const Outcome run =
        here.run({"tall.yaml", "--dry-run", "--json", "--ranks", ranks, "--set", "grid.cells=[30,8000]"});
    EXPECT_EQ(run.status, 0) << run.err;
    const std::string key = "\"device-bytes\": ";
    return std::stod(run.out.substr(run.out.find(key) + key.size()));
  };
  const double one = bytes("1");
  EXPECT_LT(bytes("4"), 0.3 * one);
  EXPECT_GT(bytes("4"), 0.25 * one);
  const Outcome text = here.run({"tall.yaml", "--dry-run", "--ranks", "2"});
  EXPECT_NE(text.out.find("2, of 128 to 201 rows each"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("take fewer ranks"), std::string::npos) << text.out;
  const Outcome many = here.run({"tall.yaml", "--dry-run", "--ranks", "9"});
  EXPECT_EQ(many.status, 2);
  EXPECT_NE(many.err.find("share out"), std::string::npos) << many.err;
  EXPECT_TRUE(here.left_behind().empty());
}

/// While it lives, this process and those it starts work on two processors: each thread of a writer has memory of its own.
class OnTwoProcessors {
 public:
  OnTwoProcessors() {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t two;
    CPU_ZERO(&two);
    for (int k = 0; k < CPU_SETSIZE && CPU_COUNT(&two) < 2; ++k)
      if (CPU_ISSET(k, &before_)) CPU_SET(k, &two);
    sched_setaffinity(0, sizeof two, &two);
  }
  OnTwoProcessors(const OnTwoProcessors&) = delete;
  ~OnTwoProcessors() { sched_setaffinity(0, sizeof before_, &before_); }

 private:
  cpu_set_t before_{};
};

TEST(RanksOfOneHost, WriteFramesPicturesAndCheckpointsWithoutRoomForOne) {
  const OnTwoProcessors few;
  Workplace
      here;  // a field, a frame and what is drawn have 60 MB each, of which a rank has 15: two whole ones would take 230
  here.write(
      "strip.yaml",
      "name: strip\ndevice: cpu\nprecision: single\ngrid: {size: [3, 20], cells: [1500, 10000]}\n"
      "medium: {speed: '1 + 0.01 * y'}\ninitial: {displacement: {gaussian: {center: [1, 9], width: 0.5}}}\n"
      "shape: {not: {circle: {center: [1, 4], radius: 0.7}}, edge: free}\n"
      "time: {scheme: explicit, courant: 0.7, steps: 4}\ncheckpoint: {every: 2}\n"
      "output: {fields: {every: 2, compression: 1}, pictures: {every: 2, width: 160}}\n");
  std::vector<double> most(4);
  const Outcome run = here.run_on_ranks(RanksAre::forked, 4, {"strip.yaml", "-q"}, [&](pid_t starter) {
    std::vector<pid_t> ranks;
    for (int k = 0; k < 2000 && ranks.size() < 4; ++k, usleep(1000)) ranks = ranks_of(starter);
    ASSERT_EQ(ranks.size(), 4u);
    for (bool any = true; any; usleep(4000)) {
      any = false;
      for (std::size_t k = 0; k < 4; ++k) {
        const double now = process_memory(std::to_string(ranks[k]), "VmHWM");
        any = any || now > 0;
        most[k] = std::max(most[k], now);
      }
    }
  });
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_LT(most[0] - most[1], 220e6) << most[0] << " and " << most[1];
  EXPECT_TRUE(fs::exists(here.folder() / "results/strip/pictures/strip_000004.png"));
}

TEST(RanksOfOneHost, SayWhereTheyHaveNoGpuEach) {
  if (cuda_count() >= 5) GTEST_SKIP() << "there are";
  Workplace here;
  here.write("tall.yaml", tall);
  const Outcome run = here.run({"tall.yaml", "--gpus", "5"});
  EXPECT_EQ(run.status, 5) << run.err;
  EXPECT_NE(
      run.err.find(cuda_count() == 0 ? "device cuda was asked for" : "5 ranks on this host want a GPU each"),
      std::string::npos)
      << run.err;
  EXPECT_TRUE(here.left_behind().empty());
}

/// On GPUs, each rank with its own: kernels write rows to the other GPUs where they can.
class RanksOnGpus : public ::testing::Test {
 protected:
  void SetUp() override {
    if (cuda_count() < 2) GTEST_SKIP() << "fewer than two GPUs";
    here.write("tall.yaml", tall);
  }
  Outcome run_on(const Workplace& place, int count, std::vector<std::string> words,
                 const std::function<void(pid_t)>& meanwhile = {}) const {
    words.insert(words.begin(), {"tall.yaml", "--gpus", std::to_string(count)});
    return place.run(words, {}, meanwhile);
  }
  Workplace here;
};

TEST_F(RanksOnGpus, WriteTheFilesOfOne) {
  std::vector<std::vector<std::string>> cases{
      {"time.scheme=explicit", "time.courant=0.5"},
      {"time.scheme=explicit", "time.courant=0.5", "space.order=8", "medium.speed=1", "edges=fixed"},
      {"solver.method=chebyshev", "precision=single", "solver.tolerance=1e-4"},
      {"solver.method=chebyshev", "space.order=4", "time.scheme=numerov", "time.courant=0.7"},
      {"solver.method=chebyshev", "edges=periodic"},
      {"solver.method=chebyshev", "edges=absorbing", "medium.speed=1"},
      {"solver.method=cg", "solver.format=dia", "solver.preconditioner=jacobi"},
      {"solver.method=cg", "precision=mixed"}};
  for (const PreconditionerEntry& p : solver_preconditioners())
    if (p.on_ranks) cases.push_back({"solver.method=fcg", "solver.preconditioner=" + std::string(p.name)});
  for (const Method& m : solver_methods())
    if (m.on_ranks && !m.automatic && m.structure != Structure::rectangle)
      cases.push_back({"solver.method=" + std::string(m.name)});
  for (const std::vector<std::string>& settings : cases) {
    std::vector<std::string> words{"--set", "time.steps=16"};
    for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
    SCOPED_TRACE(settings.back());
    Workplace one, several;
    one.write("tall.yaml", tall);
    several.write("tall.yaml", tall);
    const Outcome alone = run_on(one, 1, words), together = run_on(several, std::min(cuda_count(), 4), words);
    ASSERT_EQ(alone.status, 0) << alone.err;
    ASSERT_EQ(together.status, 0) << together.err;
    testing::expect_same_results(one.folder() / "results/tall", several.folder() / "results/tall");
  }
}

TEST_F(RanksOnGpus, ExchangeInEachWayTheSameRows) {
  const std::vector<std::string> words{"tall.yaml", "--set", "time.steps=16", "--gpus"};
  const auto run = [&](const Workplace& place, const char* count, const char* way) {
    place.write("tall.yaml", tall);
    std::vector<std::string> all = words;
    all.push_back(count);
    return place.run(all, [=] { setenv("WAVESIM_EXCHANGE", way, 1); });
  };
  Workplace one;
  ASSERT_EQ(run(one, "1", "").status, 0);
  for (const char* way : {"kernels", "nccl", "host"}) {
    SCOPED_TRACE(way);
    Workplace several;
    const Outcome together = run(several, "2", way);
    ASSERT_EQ(together.status, 0) << together.err;
    testing::expect_same_results(one.folder() / "results/tall", several.folder() / "results/tall");
  }
  const Outcome unknown = run(here, "2", "pigeons");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.err.find("one of: kernels, nccl, host"), std::string::npos) << unknown.err;
}

TEST_F(RanksOnGpus, EndWhereOneIsKilled) {
  const Outcome run =
      run_on(here, 2, {"--set", "time.steps=100000", "--set", "checkpoint.every=50"}, [&](pid_t starter) {
        wait_for(here.folder() / "results/tall/tall_checkpoints/tall_000100.h5");
        const std::vector<pid_t> ranks = ranks_of(starter);
        ASSERT_EQ(ranks.size(), 2u);
        kill(ranks[1], SIGKILL);
      });
  EXPECT_EQ(run.status, 137);
  EXPECT_EQ(here.run({"render", "results/tall", "-q"}).status, 0);
}

INSTANTIATE_TEST_SUITE_P(Started, RanksOfTheProgram, ::testing::Values(RanksAre::of_mpi, RanksAre::forked),
                         [](const auto& kind) {
                           return kind.param == RanksAre::of_mpi ? "ByMpirun" : "ByItself";
                         });

}  // namespace
}  // namespace wavesim
