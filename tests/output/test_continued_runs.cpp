// Runs with all their files that are stopped or killed and go on from a checkpoint: every dataset, table and
// picture is that of a run that was never stopped.

#include <gtest/gtest.h>

#include "kernels/backend/errors.hpp"
#include "output/checkpoint/checkpoint_folder.hpp"
#include "output/run/make_writers.hpp"
#include "sim/run/simulation.hpp"
#include "tests/output/same_results.hpp"

namespace wavesim::testing {
namespace {

const char* const varying =
    "edges: {left: free, right: {absorbing: {radiation: {}}}, bottom: fixed, top: {driven: {sinusoid: "
    "{frequency: "
    "2, amplitude: 0.2}}}}, shape: {not: {circle: {center: [0.6, 0.4], radius: 0.12}}, edge: free}, medium: "
    "{speed: '1 + 0.5 * x', density: '2 - y', damping: '0.4 * y'}";
const char* const constant =
    "edges: {left: free, right: fixed, bottom: fixed, top: {driven: {sinusoid: {frequency: 2, amplitude: "
    "0.2}}}}, "
    "medium: {speed: 1, damping: 0.3}";

struct Wave {
  std::string medium = varying, scheme = "crank-nicolson", solver = "method: cg", precision = "double";
  long steps = 14;
  std::string more{};

  std::string yaml() const {
    const std::string courant = scheme == "explicit" ? "0.5" : "1.2";
    return "{name: wave, precision: " + precision + ", grid: {size: [1, 0.8], cells: [21, 17]}, " + medium +
           ", initial: {displacement: {gaussian: {center: [0.3, 0.4], width: 0.1}}}, sources: [{name: s, at: "
           "[0.2, "
           "0.21], ricker: {frequency: 3, delay: 0.2}}], receivers: [{name: l, from: [0.1, 0.1], to: [0.9, "
           "0.7], "
           "count: 5}], time: {scheme: " +
           scheme + ", courant: " + courant + ", steps: " + std::to_string(steps) + "}, solver: {" + solver +
           ", tolerance: " + (precision == "single" ? "1e-4" : "1e-8") +
           "}, output: {fields: {every: 2, formats: [" +
#ifdef WAVESIM_HAVE_VTK
           "vtkhdf, vti], "
#else
           "vtkhdf], "
#endif
           "quantities: [displacement, velocity, max-displacement, arrival-time], arrival-threshold: 0.05}"
#ifdef WAVESIM_HAVE_VTK
           ", pictures: {every: 1, width: 64}"
#endif
           ", energy: {every: 3}}" +
           more + "}";
  }
};

/// Ends a run after a step: as a signal does, or, like a process that is killed, with nothing finished.
class Ending final : public Writer {
 public:
  Ending(long after, bool killed) : after_(after), killed_(killed) {}
  void begin(const RunInfo&) override {}
  void step(const StepRecord& r) override {
    if (r.step != after_) return;
    if (killed_) throw OutputError("killed");
    stop = true;
  }
  std::atomic<bool> stop = false;

 private:
  long after_;
  bool killed_;
};

struct Stop {
  long after = -1;
  bool killed = false;
  long every = 0;  // steps between two checkpoints; 0: when it stops
};

class Job {
 public:
  Job(const std::string& yaml, const std::filesystem::path& folder)
      : config_(parse_config(yaml, "wave.yaml")), checkpoints_(folder, "wave"), folder_(folder) {}

  void start(const Stop& stop = {}) {
    Simulation s(config_, "cpu");
    const auto writers = writers_of(s);
    writers->begin(info_);
    go(s, *writers, stop);
  }
  void go_on(const Stop& stop = {}, bool with_solver = true) {
    std::vector<std::string> notes;
    const auto from = checkpoints_.latest(notes);
    ASSERT_TRUE(from);
    config_.time.decided_step = from->head().dt;
    Simulation s(config_, "cpu");
    const auto writers = writers_of(s);
    Archive& saved = from->state();
    {
      const auto part = saved.part("run");
      s.archive(saved, with_solver);
    }
    EXPECT_EQ(s.done(), from->head().step);
    {
      const auto part = saved.part("writers");
      writers->resume(info_, s.done(), saved);
    }
    go(s, *writers, stop);
  }

 private:
  std::unique_ptr<AsyncWriter> writers_of(Simulation& s) {
    info_ = s.info();
    info_.directory = folder_.string();
    return make_writers(config_.output, info_);
  }
  void go(Simulation& s, AsyncWriter& writers, const Stop& stop) {
    CheckpointKeeper keeper(checkpoints_, {0, 0, s.plan().dt, "", {}}, {}, 2);
    Supervision supervision;
    supervision.keeper = &keeper;
    if (stop.every) supervision.every = stop.every;
    supervision.at_end = !stop.every;
    s.supervise(supervision);
    Ending ending(stop.after, stop.killed);
    try {
      s.run({&writers, &ending}, {}, ending.stop);
    } catch (const OutputError& e) {
      EXPECT_STREQ(e.what(), "killed");
    }
  }

  Config config_;
  RunInfo info_;
  CheckpointFolder checkpoints_;
  std::filesystem::path folder_;
};

void expect_the_same(const Wave& wave, const std::vector<Stop>& stops) {
  SCOPED_TRACE(wave.yaml());
  const FreshFolder whole, parts;
  Job(wave.yaml(), whole.path).start();
  Job(wave.yaml(), parts.path).start(stops.at(0));
  for (std::size_t k = 1; k < stops.size(); ++k) Job(wave.yaml(), parts.path).go_on(stops[k]);
  Job(wave.yaml(), parts.path).go_on();
  expect_same_results(whole.path, parts.path);
}

TEST(ContinuedRuns, WriteTheSameForEverySchemeMethodAndPrecision) {
  int turn = 0;
  for (const char* scheme : {"crank-nicolson", "two-level", "theta, weights: [0.4, 0.3, 0.3]", "explicit"})
    for (const char* solver :
         {"method: cg", "method: chebyshev", "method: auto",
          "method: cg, guess: extrapolate, guess-degree: 2", "method: bicgstab, guess: projection",
          "method: gauss-seidel, max-iterations: 5000", "method: cg, preconditioner: multigrid, format: csr"})
      for (const char* precision : {"double", "single", "mixed"}) {
        const std::string name = solver;
        if (std::string(scheme) == "explicit" && (name != "method: cg" || std::string(precision) == "mixed"))
          continue;
        if (std::string(precision) == "mixed" && name != "method: cg") continue;
        ++turn;
        expect_the_same({turn % 2 ? varying : constant, scheme, solver, precision},
                        {{4 + turn % 5, false}, {10 + turn % 3, false}});
      }
}

TEST(ContinuedRuns, WriteTheSameWithSineTransforms) {
  expect_the_same({constant, "crank-nicolson", "method: sine-transform"}, {{5, false}});
}

TEST(ContinuedRuns, MayBeStoppedAfterAnyStep) {
  for (long after = 1; after < 14; ++after) {
    expect_the_same({}, {{after, false}});
    if (after > 1) expect_the_same({}, {{after, true, 1}});  // in the first step there is no checkpoint yet
  }
}

/// The last checkpoint lies some steps back: what was written since is cut off and written again.
TEST(ContinuedRuns, WriteTheSameWhenTheyAreKilledLongAfterTheirCheckpoint) {
  for (const long every : {1, 3, 4})
    for (const long after : {5, 8, 13}) expect_the_same({}, {{after, true, every}});
  expect_the_same({}, {{6, true, 2}, {9, true, 2}, {9, true, 3}, {12, false}, {13, true, 2}});
}

TEST(ContinuedRuns, GoOnToALaterEnd) {
  Wave longer;
  longer.more = "";
  const FreshFolder whole, parts;
  Job(longer.yaml(), whole.path).start();
  Wave half = longer;
  half.steps = 7;
  Job(half.yaml(), parts.path).start();
  Job(longer.yaml(), parts.path).go_on();
  // The range of colours is decided by the pictures of the first part alone.
  for (const char* file : {"wave_history.csv", "wave_receivers.csv"}) {
    const auto text = [&](const FreshFolder& f) { return without_seconds(content(f.path / file)); };
    EXPECT_EQ(text(whole), text(parts));
  }
  expect_same_hdf5(whole.path / "wave.vtkhdf", parts.path / "wave.vtkhdf");
}

TEST(ContinuedRuns, GoOnWithAnotherSolver) {
  const FreshFolder folder;
  Wave wave, other;
  wave.solver = "method: cg, guess: projection";
  other.solver = "method: chebyshev, guess: extrapolate";
  Job(wave.yaml(), folder.path).start({7, false});
  Job(other.yaml(), folder.path).go_on({}, false);
  EXPECT_EQ(files_in(folder.path).empty(), false);
  const std::string history = content(folder.path / "wave_history.csv");
  EXPECT_EQ(std::count(history.begin(), history.end(), '\n'), 15);
}

}  // namespace
}  // namespace wavesim::testing
