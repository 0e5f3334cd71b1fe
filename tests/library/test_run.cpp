#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "kernels/backend/errors.hpp"
#include "kernels/comm/rank_threads.hpp"
#include "library/read_config.hpp"
#include "library/run.hpp"
#include "library/run_config.hpp"
#include "output/hdf5/result_reader.hpp"
#include "tests/output/fresh_folder.hpp"

namespace {

const std::string drum =
    "grid: {size: [1, 1], cells: [40, 40]}\n"
    "medium: {speed: 1}\n"
    "initial: {displacement: {gaussian: {center: [0.5, 0.5], width: 0.1, amplitude: 1}}}\n"
    "time: {end: 0.5}\n"
    "output: {fields: {every: 5}}\n";

wavesim::RunOptions into(const std::filesystem::path& folder) {
  wavesim::RunOptions options;
  options.output = folder.string();
  return options;
}

}  // namespace

TEST(RunInMemory, WritesTheResultOfAText) {
  const wavesim::testing::FreshFolder here;
  long last = 0, all = 0;
  wavesim::RunControl control;
  control.progress = [&](long step, long steps) { last = step, all = steps; };
  const wavesim::RunResult r = wavesim::run_text(drum, "drum", into(here.path), control);
  EXPECT_TRUE(r.complete) << r.ending;
  EXPECT_EQ(r.folder, here.path / "drum");
  EXPECT_GT(r.steps, 10);
  EXPECT_EQ(last, r.steps);
  EXPECT_EQ(all, r.steps);
  EXPECT_FALSE(r.files.empty());
  EXPECT_TRUE(wavesim::ResultReader(r.folder).complete());
}

TEST(RunInMemory, StopsWhereItIsToldTo) {
  const wavesim::testing::FreshFolder here;
  std::atomic<bool> stop{true};
  wavesim::RunControl control;
  control.stop = &stop;
  const wavesim::RunResult r = wavesim::run_text(drum, "drum", into(here.path), control);
  EXPECT_FALSE(r.complete);
  EXPECT_LT(r.steps, 2);
  EXPECT_FALSE(wavesim::ResultReader(r.folder).complete());
}

TEST(RunInMemory, GoesOnWithResume) {
  const wavesim::testing::FreshFolder here;
  const std::string checkpointed = drum + "checkpoint: {every: 10}\n";
  std::atomic<bool> stop{true};
  wavesim::RunControl control;
  control.stop = &stop;
  wavesim::RunOptions options = into(here.path);
  options.resume = true;
  EXPECT_FALSE(wavesim::run_text(checkpointed, "drum", options, control).complete);
  EXPECT_TRUE(wavesim::run_text(checkpointed, "drum", options).complete);
  EXPECT_EQ(wavesim::run_text(checkpointed, "drum", options).ending, "nothing was left to do");
}

TEST(RunInMemory, TakesValuesOverTheConfig) {
  const wavesim::testing::FreshFolder here;
  wavesim::RunOptions options = into(here.path);
  options.set = {"time.end=0.1", "name=short"};
  options.device = "cpu";
  const wavesim::RunResult r = wavesim::run_text(drum, "drum", options);
  EXPECT_EQ(r.folder, here.path / "short");
  EXPECT_LT(r.steps, 10);
}

TEST(RunInMemory, SaysInOneSentenceWhatIsWrong) {
  const wavesim::testing::FreshFolder here;
  const auto refusal = [&](const std::string& text, const wavesim::RunOptions& options) -> std::string {
    try {
      wavesim::run_text(text, "drum.yaml", options);
    } catch (const wavesim::InputError& e) {
      return e.what();
    }
    return "none";
  };
  EXPECT_NE(refusal(drum + "tyme: 1\n", into(here.path)).find("drum.yaml:6:1: unknown key 'tyme'"),
            std::string::npos);
  wavesim::RunOptions options = into(here.path);
  options.device = "gpu";
  EXPECT_NE(refusal(drum, options).find("--device: 'gpu' is not one of"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(here.path / "drum"));
  wavesim::run_text(drum, "drum", into(here.path));
  EXPECT_NE(refusal(drum, into(here.path)).find("--overwrite"), std::string::npos);
  EXPECT_THROW(wavesim::run(here.path / "absent.yaml"), wavesim::InputError);
  const std::string shots =
      "sources: [{at: [0.5, 0.5], ricker: {frequency: 4}}]\nshots: [{at: [0.2, 0.5]}]\n";
  EXPECT_NE(refusal(drum + shots, into(here.path)).find("wavesim run CONFIG"), std::string::npos);
}

TEST(RunOnRanks, LetsThePlanesGoThatAreWrittenAtTheBeginning) {
  const wavesim::testing::FreshFolder here;
  wavesim::RunOptions options = into(here.path);
  options.device = "cpu";
  const wavesim::Config config = wavesim::parse_config(
      "grid: {size: [1, 8], cells: [20, 160]}\n"
      "shape: {ellipse: {center: [0.5, 4], radii: [0.4, 3.9]}}\n"
      "medium: {speed: 1}\n"
      "initial: {velocity: 1}\n"
      "time: {courant: 1, steps: 4}\n",
      "planes", here.path, options);
  wavesim::run_rank_threads(2, [&](wavesim::Ranks& ranks) {
    if (ranks.rank() > 0) {
      EXPECT_TRUE(wavesim::run_with_first(config, {}, ranks).complete);
      return;
    }
    std::vector<std::weak_ptr<const wavesim::PendingCopy>> planes;
    wavesim::RunWatcher watcher;
    watcher.begins = [&](const wavesim::Config&, const wavesim::Simulation&, const wavesim::RunInfo& info,
                         const wavesim::Continuation&) {
      for (const wavesim::Values* plane : {&info.inside, &info.rim}) {
        EXPECT_FALSE(plane->is_local());
        planes.push_back(plane->source());
      }
    };
    long left = -1;
    watcher.steps_begin = [&](double) {
      left = 0;
      for (const auto& plane : planes) left += !plane.expired();
    };
    EXPECT_TRUE(wavesim::run_config(config, options, watcher, &ranks).summary.complete);
    EXPECT_EQ(left, 0);
    EXPECT_EQ(planes.size(), 2u);
  });
}
