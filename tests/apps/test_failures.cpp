// What goes wrong in a run or with a result: one sentence, the documented status, and what was finished stays.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "tests/apps/program.hpp"
#include "tests/apps/small_disk.hpp"
#include "tests/output/fresh_folder.hpp"
#include "tests/output/result_reader.hpp"

namespace wavesim {
namespace {

namespace fs = std::filesystem;
using testing::content;
using testing::ResultReader;

const char* const small = R"yaml(name: small
device: cpu
grid: {size: [1, 1], cells: [24, 24]}
medium: {speed: 1}
initial: {displacement: {gaussian: {center: [0.5, 0.5], width: 0.1}}}
receivers: [{name: middle, at: [0.5, 0.5]}]
time: {step: 0.01, steps: 60}
output: {fields: {every: 3}}
)yaml";

void expect_one_sentence(const Outcome& o, int status, const std::vector<const char*>& pieces) {
  EXPECT_EQ(o.status, status) << o.err;
  EXPECT_EQ(o.err.rfind("wavesim: ", 0), 0u) << o.err;
  EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
  for (const char* piece : pieces) EXPECT_NE(o.err.find(piece), std::string::npos) << piece << ": " << o.err;
}

/// Frames in the file of a run that ended early.
std::size_t frames_in(const fs::path& file) {
  return std::size_t(ResultReader(file).attribute("VTKHDF/Steps", "NSteps").at(0));
}

/// Waits until a file is there, ten seconds at most.
void wait_for(const fs::path& file) {
  for (int k = 0; k < 500 && !fs::exists(file); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

TEST(Formula, WithoutAValueInTheMiddleOfARunFailsTheRunAndLeavesItsFrames) {
  const Workplace here;
  here.write("small.yaml", small);
  for (const char* formula : {"t > 0.305 ? 1/0 : sin(t)", "sqrt(0.305 - t)"}) {
    const Outcome o = here.run({"small.yaml", "-q", "--overwrite", "--set",
                                std::string("sources=[{at: [0.5, 0.5], expression: '") + formula + "'}]"});
    expect_one_sentence(o, 3, {formula, "at t = 0.31"});
    EXPECT_EQ(frames_in(here.folder() / "results/small/small.vtkhdf"), 11u) << formula;
  }
}

TEST(State, ThatIsNotFiniteNamesTheFirstNodeAndIsKeptBesideTheLastGoodCheckpoint) {
  const Workplace here;
  here.write("small.yaml", small);
  const Outcome o =
      here.run({"small.yaml", "-q", "--set", "checkpoint={every: 2}", "--set", "precision=single", "--set",
                "time.scheme=explicit", "--set", "medium.density=1e-6", "--set",
                "sources=[{name: s, at: [0.25, 0.75], expression: 't < 0.095 ? 0 : 3e38'}]"});
  expect_one_sentence(o, 3,
                      {"(t = 0.1", "not finite; the first node without a number is [", "at x = ",
                       "precision: double", "the state is kept in results/small/small_not_finite.h5"});
  EXPECT_TRUE(fs::exists(here.folder() / "results/small/small_not_finite.h5"));
  std::string latest;
  for (const auto& entry : fs::directory_iterator(here.folder() / "results/small/small_checkpoints"))
    latest = std::max(latest, entry.path().filename().string());
  EXPECT_EQ(latest, "small_000010.h5");
  // Nothing goes on from it, and --overwrite removes it.
  EXPECT_EQ(here.run({"small.yaml", "-q", "--overwrite"}).status, 0);
  EXPECT_FALSE(fs::exists(here.folder() / "results/small/small_not_finite.h5"));
}

TEST(State, WhoseEnergyAloneIsNotFiniteIsSaidToBeSo) {
  const Workplace here;
  here.write("small.yaml", small);
  const Outcome o = here.run({"small.yaml", "-q", "--set", "initial.displacement.gaussian.amplitude=1e200"});
  expect_one_sentence(o, 3, {"step 0", "displacement is finite", "scale initial values and sources down"});
  const Outcome force = here.run({"small.yaml", "-q", "--overwrite", "--set", "precision=single", "--set",
                                  "solver.tolerance=1e-4", "--set", "medium.density=1e-6", "--set",
                                  "sources=[{at: [0.25, 0.75], expression: '3e38'}]"});
  expect_one_sentence(force, 3, {"step 1", "displacement is finite", "or use precision: double"});
}

TEST(ResultFile, ThatIsRemovedDuringTheRunIsAFailure) {
  const Workplace here;
  here.write("small.yaml", small);
  const fs::path file = here.folder() / "results/small/small.vtkhdf";
  const Outcome o = here.run(
      {"small.yaml", "-q", "--set", "time.steps=1000000", "--set", "output.fields.every=20"}, {}, [&](pid_t) {
        wait_for(file);
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        fs::remove(file);
      });
  expect_one_sentence(o, 4, {"small.vtkhdf", "No such file or directory", "run again"});
}

TEST(Disk, ThatIsFilledDuringTheRunWantsSpaceAndKeepsTheFrames) {
  const Workplace here;
  here.write("small.yaml", small);
  const SmallDisk disk(here.folder() / "disk");
  if (!disk.mounted()) GTEST_SKIP() << "a small disk needs the right to mount";
  const fs::path file = here.folder() / "disk/small/small.vtkhdf";
  const Outcome o = here.run({"small.yaml", "-q", "--output", "disk", "--set", "time.steps=100000", "--set",
                              "output.fields.every=5000"},
                             {}, [&](pid_t) {
                               wait_for(file);
                               std::ofstream(here.folder() / "disk/filler")
                                   << std::string(std::size_t(48) << 20, 'x');
                             });
  expect_one_sentence(o, 4, {"disk/small/", "No space left on device", "free space or write elsewhere"});
  EXPECT_GE(frames_in(file), 2u);
}

TEST(Disk, ThatMayNotBeWrittenIsRefused) {
  const Workplace here;
  here.write("small.yaml", small);
  const SmallDisk disk(here.folder() / "disk", MS_RDONLY);
  if (!disk.mounted()) GTEST_SKIP() << "a disk that may not be written needs the right to mount";
  expect_one_sentence(here.run({"small.yaml", "-q", "--output", "disk"}), 2,
                      {"disk", "Read-only file system", "--output"});
}

TEST(Viewer, ThatLocksTheResultDoesNotStopTheRun) {
  const Workplace here;
  here.write("small.yaml", small);
  const fs::path file = here.folder() / "results/small/small.vtkhdf";
  int viewer = -1;
  const Outcome o = here.run({"small.yaml", "-q", "--set", "time.steps=3000"}, {}, [&](pid_t) {
    wait_for(file);
    viewer = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    EXPECT_EQ(flock(viewer, LOCK_SH | LOCK_NB), 0);
  });
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(here.run({"report", "results/small", "-q"}).status, 0);
  close(viewer);
}

TEST(Results, StayInTheirFolderWhereALinkLeadsOutOfIt) {
  const Workplace here;
  here.write("small.yaml", small);
  here.write("mine.txt", "mine");
  fs::create_directories(here.folder() / "elsewhere");
  for (const char* name : {"small.vtkhdf", "small_history.csv.partial", "pictures", ".old", ".files"}) {
    fs::create_directories(here.folder() / "results/small");
    const fs::path link = here.folder() / "results/small" / name;
    const bool folder = std::string(name) == "pictures" || std::string(name) == ".old";
    fs::create_symlink(here.folder() / (folder ? "elsewhere" : "mine.txt"), link);
    const Outcome o = here.run({"small.yaml", "-q", "--overwrite", "--set", "output.pictures={every: 10}"});
    expect_one_sentence(o, 2, {name, "symbolic link"});
    EXPECT_EQ(content(here.folder() / "mine.txt"), "mine");
    EXPECT_TRUE(fs::is_empty(here.folder() / "elsewhere"));
    fs::remove(link);
  }
  EXPECT_EQ(here.run({"small.yaml", "-q"}).status, 0);
}

TEST(Results, AreDrawnIntoTheirFolderOnly) {
  const Workplace here;
  here.write("small.yaml", small);
  here.write("mine.txt", "mine");
  ASSERT_EQ(here.run({"small.yaml", "-q"}).status, 0);
  const fs::path result = here.folder() / "results/small";
  fs::create_directories(here.folder() / "elsewhere");
  fs::create_directories(result / "small_render");
  const std::pair<fs::path, fs::path> links[] = {
      {result / "small_report.html.partial", here.folder() / "mine.txt"},
      {result / "small_render/small_000000.png.partial", here.folder() / "mine.txt"}};
  for (const auto& [link, to] : links) {
    fs::create_symlink(to, link);
    for (const char* command : {"report", "render"})
      expect_one_sentence(here.run({command, "results/small", "-q"}), 2, {"symbolic link"});
    EXPECT_EQ(content(here.folder() / "mine.txt"), "mine");
    fs::remove(link);
  }
  fs::remove_all(result / "small_render");
  fs::create_directory_symlink(here.folder() / "elsewhere", result / "small_render");
  expect_one_sentence(here.run({"render", "results/small", "-q"}), 2, {"small_render", "symbolic link"});
  EXPECT_TRUE(fs::is_empty(here.folder() / "elsewhere"));
  fs::remove(result / "small_render");
  fs::create_symlink(here.folder() / "mine.txt", here.folder() / "page.html.partial");
  expect_one_sentence(here.run({"report", "results/small", "-q", "--output", "page.html"}), 4,
                      {"symbolic links"});
}

TEST(Names, HaveNoControlCharacters) {
  const Workplace here;
  here.write("small.yaml", small);
  expect_one_sentence(here.run({"small.yaml", "--set", "name=a\tb"}), 2, {"'name'", "plain word"});
  expect_one_sentence(here.run({"small.yaml", "--set", "output.directory=\"a\\eb\""}), 2,
                      {"'output.directory'", "control character"});
  expect_one_sentence(here.run({"small.yaml", "--set", "name=" + std::string(201, 'n')}), 2,
                      {"'name'", "plain word"});
}

/// Bytes of a file changed at random places, a few at once.
class Damage {
 public:
  explicit Damage(std::string good) : good_(std::move(good)) {}
  std::string next() {
    std::string bad = good_;
    for (int n = 0; n < 6; ++n) bad[number(bad.size())] = char(number(256));
    return bad;
  }

 private:
  std::size_t number(std::size_t below) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return std::size_t(state_ >> 33) % below;
  }
  std::string good_;
  std::uint64_t state_ = 1;
};

// The HDF5 library crashes on some of these; the program does not.
TEST(DamagedResults, EndWithStatus2AndASentenceOrAreShown) {
  const Workplace here;
  here.write("small.yaml", small);
  ASSERT_EQ(here.run({"small.yaml", "-q", "--set", "grid.cells=[6,6]"}).status, 0);
  const fs::path file = here.folder() / "results/small/small.vtkhdf";
  Damage damage(content(file));
  int refused = 0;
  for (int k = 0; k < 24; ++k) {
    std::ofstream(file, std::ios::binary) << damage.next();
    const bool report = k % 2;
    const Outcome o =
        here.run(report ? std::vector<std::string>{"report", "results/small", "-q"}
                        : std::vector<std::string>{"render", "results/small", "-q", "--every", "10"});
    if (o.status == 0) continue;
    expect_one_sentence(o, 2, {"small"});
    EXPECT_EQ(o.err.find("unexpected"), std::string::npos) << o.err;
    ++refused;
  }
  EXPECT_GT(refused, 2);
}

TEST(DamagedResults, AreNamedWhereTheirConfigIsNoYaml) {
  const Workplace here;
  here.write("small.yaml", small);
  ASSERT_EQ(here.run({"small.yaml", "-q", "--set", "grid.cells=[6,6]"}).status, 0);
  const fs::path file = here.folder() / "results/small/small.vtkhdf";
  std::string bytes = content(file);
  const std::size_t at = bytes.find("name: small");
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, 7, "name: [");
  std::ofstream(file, std::ios::binary) << bytes;
  for (const char* verb : {"render", "report"})
    expect_one_sentence(here.run({verb, "results/small", "-q"}), 2,
                        {"small.vtkhdf, /wavesim/config:", "YAML"});
}

TEST(DamagedResults, AreNotContinuedInPlace) {
  const Workplace here;
  here.write("small.yaml", small);
  const std::vector<std::string> resume{"small.yaml", "-q", "--set", "checkpoint={every: 10}", "--resume"};
  ASSERT_EQ(
      here.run({"small.yaml", "-q", "--set", "checkpoint={every: 10}", "--set", "time.steps=30"}).status, 0);
  const fs::path file = here.folder() / "results/small/small.vtkhdf";
  Damage damage(content(file));
  for (int k = 0; k < 8; ++k) {
    std::ofstream(file, std::ios::binary) << damage.next();
    const Outcome o = here.run(resume);
    EXPECT_TRUE(o.status == 0 || o.status == 2 || o.status == 4) << o.status << ": " << o.err;
    EXPECT_EQ(o.err.find("unexpected"), std::string::npos) << o.err;
  }
}

}  // namespace
}  // namespace wavesim
