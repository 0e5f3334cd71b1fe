// Runs beside each other in threads of one process: as alone, also where one fails, and where signals come.

#include <gtest/gtest.h>

#include <csignal>
#include <map>
#include <mutex>
#include <thread>

#include "apps/signals.hpp"
#include "apps/thread_runs.hpp"
#include "library/read_config.hpp"
#include "library/run_config.hpp"
#include "tests/output/same_results.hpp"

namespace wavesim {
namespace {

namespace fs = std::filesystem;

const char* const plate = R"yaml(device: cpu
grid: {size: [1, 1], cells: [40, 40]}
medium: {speed: "1 + 0.2 * x"}
initial: {displacement: {gaussian: {center: [0.4, 0.5], width: 0.1}}}
sources: [{at: [0.3, 0.7], ricker: {frequency: 2}}]
receivers: [{name: line, from: [0.2, 0.5], to: [0.8, 0.5], count: 4}]
time: {courant: 1, steps: 60}
output: {fields: {every: 20, formats: [vtkhdf, vti]}, history: {}, energy: {every: 10}, pictures: {every: 30}}
)yaml";

/// The current folder, as results bear their path.
class InFolder {
 public:
  explicit InFolder(const fs::path& folder) : before_(fs::current_path()) {
    fs::create_directories(folder);
    fs::current_path(folder);
  }
  ~InFolder() { fs::current_path(before_); }
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;

 private:
  fs::path before_;
};

class ThreadRuns : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!threads_may_run_configs()) GTEST_SKIP() << "this HDF5 library serves one thread";
    RunOptions options;
    options.set.push_back("output.fields.formats=[vtkhdf]");
    if (with_vtk()) options.set.clear();
    base_ = options;
  }
  void TearDown() override {
    stop = false, signal_number = 0, save_now = false;
    std::signal(SIGALRM, SIG_DFL);
  }
  static bool with_vtk() {
#ifdef WAVESIM_HAVE_VTK
    return true;
#else
    return false;
#endif
  }
  Config run_of(const std::string& name, const std::vector<std::string>& settings,
                const fs::path& into) const {
    RunOptions options = base_;
    options.set.insert(options.set.end(), settings.begin(), settings.end());
    options.output = into.string();
    Config config = parse_config(plate, name, ".", options);
    config.name = name;
    return config;
  }
  struct Seen {
    std::map<std::size_t, End> ends;
    std::size_t most = 0;
  };
  static Seen run(const std::vector<Config>& runs, long jobs,
                  const std::function<void(std::size_t running)>& meanwhile = {}) {
    Seen seen;
    RunsAtOnce at_once;
    at_once.jobs = jobs;
    at_once.started = [](std::size_t) {};
    std::mutex ends;
    at_once.ended = [&](std::size_t k, const End& end) {
      const std::lock_guard lock(ends);
      EXPECT_TRUE(seen.ends.emplace(k, end).second);
    };
    at_once.waiting = [&](std::size_t running) {
      seen.most = std::max(seen.most, running);
      if (meanwhile) meanwhile(running);
    };
    run_in_threads(runs, at_once);
    return seen;
  }
  RunOptions base_;
  testing::FreshFolder here;
};

TEST_F(ThreadRuns, GiveTheFilesOfRunsAlone) {
  const std::vector<std::vector<std::string>> cases{
      {"solver.method=cg"},
      {"solver.method=chebyshev", "precision=single"},
      {"time.scheme=explicit", "time.courant=0.5"},
      {"edges=absorbing"},
      {"solver.preconditioner=multigrid"},
      {"space.order=4", "time.scheme=numerov", "time.courant=0.5"}};
  std::vector<Config> together;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const std::string name = "plate-" + std::to_string(k);
    together.push_back(run_of(name, cases[k], "results"));
    const InFolder folder(here.path / "alone");
    ASSERT_TRUE(run_config(together.back(), {}, {}).summary.complete);
  }
  const InFolder folder(here.path / "together");
  const Seen seen = run(together, 4);
  EXPECT_LE(seen.most, 4u);
  EXPECT_GE(seen.most, 2u);
  ASSERT_EQ(seen.ends.size(), cases.size());
  for (std::size_t k = 0; k < cases.size(); ++k) {
    SCOPED_TRACE(cases[k].front());
    EXPECT_EQ(seen.ends.at(k).status, 0) << seen.ends.at(k).words;
    const std::string name = "plate-" + std::to_string(k);
    testing::expect_same_results(here.path / "alone/results" / name, here.path / "together/results" / name);
  }
}

TEST_F(ThreadRuns, ThatFailEndAlone) {
  const std::vector<Config> runs{
      run_of("good", {}, here.path),
      run_of("poor", {"solver.method=cg", "solver.max-iterations=1", "solver.tolerance=1e-12"}, here.path),
      run_of("good-too", {}, here.path)};
  const Seen seen = run(runs, 3);
  EXPECT_EQ(seen.ends.at(0).status, 0);
  EXPECT_EQ(seen.ends.at(1).status, 3);
  EXPECT_NE(seen.ends.at(1).words.find("max-iterations"), std::string::npos) << seen.ends.at(1).words;
  EXPECT_EQ(seen.ends.at(2).status, 0);
}

TEST_F(ThreadRuns, EndAtASignalAndSaveWhatTheyHave) {
  std::vector<Config> runs;
  for (const char* name : {"a", "b", "c"})
    runs.push_back(run_of(name,
                          {"time.steps=1000000", "output.fields.every=1000000",
                           "output.pictures.every=1000000", "checkpoint={every: 1000000}"},
                          here.path));
  const auto saved = [&](const char* name) {
    std::error_code none;
    return std::distance(
        fs::directory_iterator(here.path / name / (std::string(name) + "_checkpoints"), none),
        fs::directory_iterator());
  };
  bool asked = false;
  const Seen seen = run(runs, 2, [&](std::size_t) {
    const auto begun = [&](const char* name) {
      return fs::exists(here.path / name / (std::string(name) + ".vtkhdf"));
    };
    if (!asked && begun("a") && begun("b")) asked = save_now = true;
    if (saved("a") > 0 && saved("b") > 0) signal_number = SIGTERM, stop = true;
  });
  ASSERT_EQ(seen.ends.size(), 2u) << "the third one is not started";
  for (const char* name : {"a", "b"}) EXPECT_GE(saved(name), 1) << name;
  for (const auto& [number, end] : seen.ends) EXPECT_EQ(end.status, 128 + SIGTERM) << end.words;
}

}  // namespace
}  // namespace wavesim
