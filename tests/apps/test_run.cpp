// The program from the first word of its command line to its exit status.

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "kernels/backend/device.hpp"
#include "sim/config/tree.hpp"
#include "tests/apps/program.hpp"

namespace wavesim {
namespace {

const char* const small = R"yaml(name: small
grid: {size: [1, 1], cells: [24, 24]}
medium: {speed: 1}
initial: {displacement: {gaussian: {center: [0.5, 0.5], width: 0.1}}}
receivers: [{name: middle, at: [0.5, 0.5]}]
time: {steps: 12}
output: {fields: {every: 3}}
)yaml";

/// Seconds of processors that ended children of this process took.
double processor_seconds() {
  rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

bool has_line(const std::string& text, const std::string& begin) {
  return text.rfind(begin, 0) == 0 || text.find("\n" + begin) != std::string::npos;
}

TEST(Program, RunsAConfigAndReports) {
  Workplace here;
  here.write("small.yaml", small);
  const Outcome run = here.run({"small.yaml", "--device", "cpu"});
  EXPECT_EQ(run.status, 0) << run.err;
  for (const char* line : {"small: 24 x 24 cells, 12 steps", "iterations", "energy", "files"})
    EXPECT_TRUE(has_line(run.out, line)) << line << " is not in:\n" << run.out;
  EXPECT_TRUE(has_line(run.err, "step 12/12")) << run.err;
  EXPECT_TRUE(std::filesystem::exists(here.folder() / "results/small/small.vtkhdf"));
  EXPECT_TRUE(std::filesystem::exists(here.folder() / "results/small/small_receivers.csv"));
}

TEST(Program, IsQuietWhenAsked) {
  Workplace here;
  here.write("small.yaml", small);
  const Outcome run = here.run({"run", "small.yaml", "-q"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, "");
}

TEST(Program, RefusesToReplaceAResultUnlessToldTo) {
  Workplace here;
  here.write("small.yaml", small);
  ASSERT_EQ(here.run({"small.yaml", "--output", "there"}).status, 0);
  const std::filesystem::path result = here.folder() / "there/small/small.vtkhdf";
  const auto written = std::filesystem::last_write_time(result);
  const Outcome again = here.run({"small.yaml", "--output", "there"});
  EXPECT_EQ(again.status, 2);
  EXPECT_NE(again.err.find("--overwrite"), std::string::npos) << again.err;
  EXPECT_EQ(std::filesystem::last_write_time(result), written);
  EXPECT_EQ(here.run({"small.yaml", "--output", "there", "--overwrite"}).status, 0);
}

TEST(Program, KeepsAnOldResultWhenTheNewConfigIsWrong) {
  Workplace here;
  here.write("small.yaml", small);
  ASSERT_EQ(here.run({"small.yaml"}).status, 0);
  const std::vector<std::string> before = here.left_behind();
  EXPECT_EQ(here.run({"small.yaml", "--overwrite", "--set", "medium.speed=-1"}).status, 2);
  EXPECT_EQ(here.left_behind(), before);
}

/// The effective config as the result file holds it.
std::string config_in(const std::filesystem::path& result) {
  const hid_t file = H5Fopen(result.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t data = H5Dopen2(file, "/wavesim/config", H5P_DEFAULT);
  const hid_t type = H5Dget_type(data);
  std::string text(H5Tget_size(type), '\0');
  H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data());
  H5Tclose(type);
  H5Dclose(data);
  H5Fclose(file);
  return text.substr(0, text.find('\0'));
}

TEST(Program, RunsTheEffectiveConfigOfAResultToTheSameReceivers) {
  Workplace here;
  here.write("small.yaml", small);
  ASSERT_EQ(here.run({"small.yaml", "--set", "time.courant=2"}).status, 0);
  here.write("effective.yaml", config_in(here.folder() / "results/small/small.vtkhdf"));
  const Outcome again = here.run({"effective.yaml", "--output", "again"});
  ASSERT_EQ(again.status, 0) << again.err;
  const auto text = [&](const char* folder) {
    std::ifstream in(here.folder() / folder / "small/small_receivers.csv");
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_EQ(text("results"), text("again"));
  EXPECT_GT(text("results").size(), 100u);
}

TEST(Program, EndsWithStatus3WhenASolveFailsAndSaysWhatToTry) {
  Workplace here;
  here.write("small.yaml", small);
  const Outcome run = here.run({"small.yaml", "-q", "--set", "solver.max-iterations=1"});
  EXPECT_EQ(run.status, 3);
  EXPECT_EQ(run.err.rfind("wavesim: step 1 ", 0), 0u) << run.err;
  EXPECT_NE(run.err.find("max-iterations"), std::string::npos) << run.err;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  EXPECT_EQ(here.run({"small.yaml", "-q", "--overwrite", "--set", "solver.max-iterations=1", "--set",
                      "solver.on-failure=continue"})
                .status,
            0);
}

TEST(Program, EndsWithStatus5WithoutTheDeviceItIsToldToUse) {
  if (!cuda_facts().empty()) GTEST_SKIP() << "a CUDA device answers here";
  Workplace here;
  here.write("small.yaml", small);
  const Outcome run = here.run({"small.yaml", "--device", "cuda"});
  EXPECT_EQ(run.status, 5);
  EXPECT_NE(run.err.find("--device cpu"), std::string::npos) << run.err;
  EXPECT_EQ(here.left_behind(), std::vector<std::string>{});
}

/// Starts a run that would take long and sends it a signal once it is writing.
Outcome stopped(const Workplace& here, int number) {
  here.write("small.yaml", small);
  return here.run({"small.yaml", "--set", "time.steps=2000000", "--set", "output.fields.every=100"}, {},
                  [&](pid_t child) {
                    const std::filesystem::path result = here.folder() / "results/small/small.vtkhdf";
                    for (int k = 0; k < 400 && !std::filesystem::exists(result); ++k)
                      std::this_thread::sleep_for(std::chrono::milliseconds(25));
                    std::this_thread::sleep_for(std::chrono::milliseconds(
                        500));  // a busy disk takes that long until the file can be read
                    kill(child, number);
                  });
}

TEST(Program, FinishesItsFilesAndEndsWithStatus130OnCtrlC) {
  Workplace here;
  const Outcome run = stopped(here, SIGINT);
  EXPECT_EQ(run.status, 130) << run.err;
  EXPECT_NE(run.out.find("stopped by a signal"), std::string::npos) << run.out;
  EXPECT_TRUE(std::filesystem::exists(here.folder() / "results/small/small_history.csv"));
}

TEST(Program, EndsWithStatus143OnTermination) {
  Workplace here;
  EXPECT_EQ(stopped(here, SIGTERM).status, 143);
}

TEST(Program, EndsWithStatus4WhenAWriteFailsLater) {
  Workplace here;
  here.write("small.yaml", small);
  const Outcome run = here.run({"small.yaml", "-q", "--set", "time.steps=400", "--set",
                                "output.fields.every=1", "--set", "output.fields.compression=0"},
                               [] {
                                 signal(SIGXFSZ, SIG_IGN);  // write() then fails with EFBIG
                                 const rlimit limit{300000, 300000};
                                 setrlimit(RLIMIT_FSIZE, &limit);
                               });
  EXPECT_EQ(run.status, 4) << run.err;
  EXPECT_EQ(run.err.rfind("wavesim: ", 0), 0u) << run.err;
  EXPECT_NE(run.err.find("results/small"), std::string::npos) << run.err;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
}

TEST(Program, RefusesADiskWithoutRoomBeforeItStarts) {
  Workplace here;
  here.write("small.yaml", small);
  const std::filesystem::path disk = here.folder() / "disk";
  std::filesystem::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=1m") != 0)
    GTEST_SKIP() << "a small disk needs the right to mount";
  const Outcome run = here.run(
      {"small.yaml", "--output", "disk", "--set", "grid.cells=[300, 300]", "--set", "output.fields.every=1"});
  EXPECT_TRUE(std::filesystem::is_empty(disk));
  umount(disk.c_str());
  EXPECT_EQ(run.status, 2) << run.err;
  EXPECT_NE(run.err.find("has room for"), std::string::npos) << run.err;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
}

TEST(DryRun, SaysWhatTheRunWouldBeAndWritesNothing) {
  Workplace here;
  here.write("small.yaml", small);
  const Outcome run = here.run({"small.yaml", "--dry-run"});
  EXPECT_EQ(run.status, 0) << run.err;
  for (const char* line : {"  grid", "  time", "  system", "  waves", "  errors", "  at the end", "  memory",
                           "  disk", "  run time"})
    EXPECT_TRUE(has_line(run.out, line)) << line << " is not in:\n" << run.out;
  EXPECT_EQ(here.left_behind(), std::vector<std::string>{});
}

TEST(DryRun, SpeaksJsonToPrograms) {
  Workplace here;
  here.write("small.yaml", small);
  const Outcome run = here.run({"small.yaml", "--dry-run", "--json"});
  const Tree said = load_tree(run.out, "dry run");
  EXPECT_EQ(said.find("steps")->scalar, "12");
  EXPECT_EQ(said.find("frames")->scalar, "5");
  EXPECT_EQ(said.find("courant")->scalar, "1");
  EXPECT_EQ(here.left_behind(), std::vector<std::string>{});
}

TEST(DryRun, PromisesAtLeastTheDiskThatTheRunTakes) {
  Workplace here;
  here.write("small.yaml", small);
  const std::string promised =
      load_tree(here.run({"small.yaml", "--dry-run", "--json"}).out, "dry run").find("disk-bytes")->scalar;
  ASSERT_EQ(here.run({"small.yaml", "-q"}).status, 0);
  std::uintmax_t taken = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(here.folder() / "results"))
    if (entry.is_regular_file()) taken += entry.file_size();
  EXPECT_GE(std::stod(promised), double(taken));
}

// Of 20,000 x 20,000 cells every so many are looked at, and no array over all nodes is made.
TEST(DryRun, OfALargeGridIsQuickAndSmall) {
  Workplace here;
  here.write("small.yaml", small);
  const double before = processor_seconds();
  const Outcome run = here.run({"small.yaml", "--dry-run", "--device", "cpu", "--set",
                                "grid.cells=[20000, 20000]", "--set", "medium.speed=1 + 0.1 * sin(x)"},
                               [] {
                                 const rlimit two_gigabytes{rlim_t(2) << 30, rlim_t(2) << 30};
                                 setrlimit(RLIMIT_DATA, &two_gigabytes);
                               });
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(has_line(run.out, "  memory")) << run.out;
  EXPECT_LT(processor_seconds() - before, 4) << "2 s on a processor of its own";
}

TEST(Program, RefusesAGridThatMemoryHasNoSpaceForBeforeItTakesAny) {
  Workplace here;
  here.write("small.yaml", small);
  if (cpu_facts().free > std::size_t(100) << 30) GTEST_SKIP() << "this machine may have the memory";
  const Outcome run = here.run({"small.yaml", "--device", "cpu", "--set", "grid.cells=[43000, 43000]"}, [] {
    const rlimit two_gigabytes{rlim_t(2) << 30, rlim_t(2) << 30};
    setrlimit(RLIMIT_DATA, &two_gigabytes);
  });
  EXPECT_EQ(run.status, 2) << run.err;
  EXPECT_NE(run.err.find("GB of memory, and "), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("GB are free on this computer"), std::string::npos) << run.err;
  EXPECT_EQ(here.left_behind(), std::vector<std::string>{});
}

TEST(List, NamesEveryFamilyAndOneAlone) {
  Workplace here;
  const Outcome all = here.run({"list"});
  EXPECT_EQ(all.status, 0);
  for (const char* name : {"methods", "formats", "preconditioners", "norms", "schemes", "models", "fields",
                           "signals", "shapes", "edges", "quantities"})
    EXPECT_TRUE(has_line(all.out, name)) << name;
  const Outcome methods = here.run({"list", "methods"});
  EXPECT_TRUE(has_line(methods.out, "  cg "));
  EXPECT_FALSE(has_line(methods.out, "shapes"));
  const Outcome wrong = here.run({"list", "method"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.err, "wavesim: there is no list of 'method'; did you mean 'methods'?\n");
  EXPECT_TRUE(load_tree(here.run({"list", "--json"}).out, "list").find("methods")->find("cg"));
}

TEST(Info, NamesTheBuildAndTheCpu) {
  Workplace here;
  const Outcome info = here.run({"info"});
  EXPECT_EQ(info.status, 0);
  EXPECT_TRUE(has_line(info.out, "wavesim ")) << info.out;
  EXPECT_TRUE(has_line(info.out, "cpu ")) << info.out;
  EXPECT_TRUE(load_tree(here.run({"info", "--json"}).out, "info").find("devices"));
}

TEST(CommandLine, ExplainsItself) {
  Workplace here;
  EXPECT_EQ(here.run({"--help"}).status, 0);
  EXPECT_NE(here.run({"--help"}).out.find("Exit status"), std::string::npos);
  EXPECT_EQ(here.run({"--version"}).status, 0);
  EXPECT_TRUE(load_tree(here.run({"schema"}).out, "schema").find("properties"));
  const Outcome nothing = here.run({});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_EQ(nothing.err,
            "wavesim: no config is named; write 'wavesim CONFIG.yaml', or see 'wavesim --help'\n");
  EXPECT_EQ(here.run({"nowhere.yaml"}).err,
            "wavesim: nowhere.yaml: there is no such config file; check the name\n");
  EXPECT_EQ(here.run({"."}).err, "wavesim: .: this is a folder; name a config file in it\n");
}

/// Processes that do nothing, as fast as they can.
class BusyLoops {
 public:
  explicit BusyLoops(int n) {
    for (int k = 0; k < n; ++k) {
      const pid_t child = fork();
      if (child == 0)
        for (volatile bool on = true; on;) {
        }
      processes_.push_back(child);
    }
  }
  ~BusyLoops() {
    for (pid_t p : processes_) kill(p, SIGKILL), waitpid(p, nullptr, 0);
  }
  BusyLoops(const BusyLoops&) = delete;

 private:
  std::vector<pid_t> processes_;
};

// By the processors' seconds, which other programs change little: threads that spin take their whole share.
TEST(Program, SleepsInThreadsThatWaitBesideBusyPrograms) {
  cpu_set_t all, two;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  CPU_ZERO(&two);
  for (int k = 0; k < CPU_SETSIZE && CPU_COUNT(&two) < 2; ++k)
    if (CPU_ISSET(k, &all)) CPU_SET(k, &two);
  if (CPU_COUNT(&two) < 2) GTEST_SKIP() << "one core: a thread has none to wait for";
  Workplace here;
  here.write("busy.yaml",
             "name: busy\ngrid: {size: [1, 1], cells: [160, 160]}\nmedium: {speed: 1}\n"
             "initial: {displacement: {mode: {m: 3, n: 2}}}\ntime: {steps: 400}\noutput: {}\n");
  const auto seconds = [&](const char* threads) {
    const double before = processor_seconds();
    const Outcome run = here.run({"busy.yaml", "--device", "cpu", "-q", "--overwrite"}, [&] {
      sched_setaffinity(0, sizeof two, &two);
      for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"}) unsetenv(name);
      setenv("OMP_NUM_THREADS", threads, 1);
    });
    EXPECT_EQ(run.status, 0) << run.err;
    return processor_seconds() - before;
  };
  // Measured: threads that sleep take 2 to 8 times as long beside busy programs, by what else the machine does; those
  // that spin 5 to 120 times, 60 in the mean. The sum of four runs tells them apart.
  double alone = 0, beside = 0;
  for (int attempt = 0; attempt < 4; ++attempt) {
    alone += seconds("1");
    sched_setaffinity(0, sizeof two, &two);  // where its children, busy loops, begin
    {
      const BusyLoops busy(2);
      beside += seconds("2");
    }
    sched_setaffinity(0, sizeof all, &all);
  }
  EXPECT_LT(beside, 16 * alone);
}

}  // namespace
}  // namespace wavesim
