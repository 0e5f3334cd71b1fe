// Runs that go on with another config, other files or another folder.

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/apps/program.hpp"
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
medium: {speed: 1, damping: 0.3}
initial: {displacement: {gaussian: {center: [0.5, 0.5], width: 0.1}}}
receivers: [{name: middle, at: [0.5, 0.5]}]
time: {steps: 20}
checkpoint: {every: 10}
output: {fields: {every: 3}}
)yaml";

std::vector<std::string> words(std::initializer_list<const char*> set,
                               std::initializer_list<const char*> more = {}) {
  std::vector<std::string> all{"small.yaml", "-q"};
  for (const char* s : set) all.insert(all.end(), {"--set", s});
  for (const char* m : more) all.emplace_back(m);
  return all;
}

TEST(ResumedRun, KeepsWhatIsWrittenWhereFormatsOrColumnsAreOthers) {
  for (const char* other : {"output.receivers.formats=[csv]", "output.fields.formats=[vti]",
                            "output.energy.balance=true", "solver.on-failure={fallback: [bicgstab]}"}) {
    const Workplace here;
    here.write("small.yaml", small);
    ASSERT_EQ(here.run(words({})).status, 0);
    const std::string before = content(here.folder() / "results/small/small.vtkhdf"),
                      history = content(here.folder() / "results/small/small_history.csv");
    const Outcome o = here.run(words({"time.steps=30", other}, {"--resume"}));
    EXPECT_EQ(o.status, 2) << other << o.err;
    EXPECT_NE(o.err.find("into another folder"), std::string::npos) << o.err;
    EXPECT_EQ(content(here.folder() / "results/small/small.vtkhdf"), before) << other;
    EXPECT_EQ(content(here.folder() / "results/small/small_history.csv"), history) << other;
    const Outcome elsewhere = here.run(
        words({"time.steps=30", other},
              {"--restart", "results/small/small_checkpoints/small_000020.h5", "--output", "there"}));
    // a build without VTK writes no .vti
    EXPECT_TRUE(elsewhere.status == 0 || std::string(other).find("vti") != std::string::npos)
        << other << elsewhere.err;
  }
}

TEST(ResumedRun, BalancesTheEnergyFromWhereItBegins) {
  const Workplace here;
  here.write("small.yaml", small);
  ASSERT_EQ(here.run(words({})).status, 0);
  for (const char* chain : {"solver.on-failure=stop",
                            "solver={method: jacobi, max-iterations: 3, on-failure: {fallback: [cg]}}"}) {
    const Outcome o = here.run(words({"time.steps=60", "output.energy={every: 1, balance: true}", chain},
                                     {"--restart", "results/small/small_checkpoints/small_000020.h5",
                                      "--output", "there", "--overwrite"}));
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_LT(ResultReader(here.folder() / "there/small/small.vtkhdf")
                  .attribute("wavesim/summary", "largest_balance_error")
                  .at(0),
              1e-13);
  }
}

// As after a kill between the last checkpoint and the last word of the result.
TEST(ResumedRun, WithNoStepLeftStillSaysWhatTheSetUpChose) {
  const Workplace here;
  here.write("small.yaml", small);
  const char* const solver = "solver={preconditioner: multigrid}";
  ASSERT_EQ(here.run(words({solver})).status, 0);
  ASSERT_EQ(here.run(words({solver}, {"--restart", "results/small/small_checkpoints/small_000020.h5",
                                      "--output", "there"}))
                .status,
            0);
  const std::string before =
      ResultReader(here.folder() / "results/small/small.vtkhdf").text_attribute("wavesim", "set-up");
  EXPECT_NE(before.find("grids"), std::string::npos) << before;
  EXPECT_EQ(ResultReader(here.folder() / "there/small/small.vtkhdf").text_attribute("wavesim", "set-up"),
            before);
}

TEST(ResumedRun, WantsTheFilesThatTheConfigNamesToBeWhatTheyWere) {
  const Workplace here;
  here.write("small.yaml", small);
  here.write("push.csv", "0, 0\n1, 1\n");
  const char* const push = "sources=[{at: [0.5, 0.5], table: {file: push.csv}}]";
  ASSERT_EQ(here.run(words({push})).status, 0);
  EXPECT_EQ(here.run(words({push, "time.steps=22"}, {"--resume"})).status, 0);
  here.write("push.csv", "0, 0\n1, 2\n");
  const Outcome o = here.run(words({push, "time.steps=30"}, {"--resume"}));
  EXPECT_EQ(o.status, 2);
  EXPECT_NE(o.err.find("push.csv is not what it was"), std::string::npos) << o.err;
}

TEST(ResumedRun, DoesNotReplaceAResultThatItMayNotRead) {
  const Workplace here;
  here.write("small.yaml", small);
  ASSERT_EQ(here.run(words({"checkpoint="})).status, 0);
  const fs::path file = here.folder() / "results/small/small.vtkhdf";
  fs::permissions(file, fs::perms::none);
  if (access(file.c_str(), R_OK) == 0) GTEST_SKIP() << "root may read everything";
  const Outcome o = here.run(words({"checkpoint="}, {"--resume"}));
  EXPECT_EQ(o.status, 2) << o.err;
  EXPECT_NE(o.err.find("cannot be read: Permission denied"), std::string::npos) << o.err;
}

TEST(ResumedRun, RefusesWhatIsNoCheckpointInOneSentence) {
  const Workplace here;
  here.write("small.yaml", small);
  here.write("text.h5", "no checkpoint");
  for (const char* file : {"", "/dev/zero", ".", "text.h5", "nowhere.h5"}) {
    const Outcome o = here.run(words({}, {"--restart", file}));
    EXPECT_EQ(o.status, 2) << file << ": " << o.err;
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << file << ": " << o.err;
    EXPECT_EQ(o.err.find("unexpected"), std::string::npos) << file << ": " << o.err;
  }
}

}  // namespace
}  // namespace wavesim
