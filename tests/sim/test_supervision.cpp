// When a run saves its state, and when it stops for the sake of the clock.

#include <gtest/gtest.h>

#include <thread>

#include "sim/run/checkpoint_clock.hpp"
#include "sim/run/simulation.hpp"
#include "tests/sim/restarted.hpp"

namespace wavesim::test {
namespace {

class Keeper final : public StateKeeper {
 public:
  void save(long step, double, const std::function<void(Archive&)>& name_state) override {
    steps.push_back(step);
    SaveInMemory to(latest);
    name_state(to);
  }
  std::vector<long> steps;
  SavedState latest;
};

/// Says how far its files are, and may do something after a step.
class Position final : public Writer {
 public:
  std::function<void(long)> after_step = [](long) {};
  void begin(const RunInfo&) override {}
  void step(const StepRecord& r) override {
    after_step(r.step);
    rows = r.step;
  }
  void save(Archive& a) override { a.number("rows", rows); }
  void finish(const RunSummary& s) override { ending = s.ending; }
  long rows = 0;
  std::string ending;
};

struct Watched {
  Keeper keeper;
  Position writer;
  std::atomic<bool> stop = false, now = false;
  RunSummary summary;

  void run(Supervision s, long steps = 14) {
    s.keeper = &keeper;
    s.now = &now;
    s.started = std::chrono::steady_clock::now();
    Simulation simulation(config(yaml(constant, "crank-nicolson", "cg", false, "previous", "", int(steps))),
                          "cpu");
    simulation.supervise(s);
    summary = simulation.run({&writer}, {}, stop);
  }
};

using Steps = std::vector<long>;

TEST(Supervision, SavesNothingUnlessTold) {
  Watched w;
  w.run({});
  EXPECT_TRUE(w.keeper.steps.empty());
  EXPECT_TRUE(w.summary.complete);
}

TEST(Supervision, SavesEachSoManyStepsAndAtTheEndWithThePlaceOfTheWriters) {
  Watched w;
  Supervision s;
  s.every = 5;
  w.run(s);
  EXPECT_EQ(w.keeper.steps, (Steps{5, 10}));
  EXPECT_TRUE(w.keeper.latest.contains("writers/rows"));
  EXPECT_TRUE(w.keeper.latest.contains("run/wave/u"));
  Watched ended;
  s.at_end = true;
  ended.run(s);
  EXPECT_EQ(ended.keeper.steps, (Steps{5, 10, 14}));
}

TEST(Supervision, SavesByTheClock) {
  Watched w;
  w.writer.after_step = [](long) { std::this_thread::sleep_for(std::chrono::milliseconds(10)); };
  Supervision s;
  s.wall = 0.035;
  w.run(s);
  EXPECT_GE(w.keeper.steps.size(), 2u);  // a busy machine takes longer, and saves more often
  EXPECT_GT(w.keeper.steps.front(), 0);
}

TEST(Supervision, SavesOnceWhenAsked) {
  Watched w;
  w.writer.after_step = [&](long step) {
    if (step == 3) w.now = true;
  };
  w.run({});
  EXPECT_EQ(w.keeper.steps, (Steps{3}));
  EXPECT_FALSE(w.now);
}

TEST(Supervision, SavesWhenARunIsStoppedAndSaysWhenItsLastStepIsDone) {
  Watched w;
  bool told = false;
  w.writer.after_step = [&](long step) {
    if (step == 3) w.stop = true;
  };
  Supervision s;
  s.at_end = true;
  s.stopping = [&] { told = w.keeper.steps.empty(); };
  w.run(s);
  EXPECT_EQ(w.keeper.steps, (Steps{3}));
  EXPECT_TRUE(told);
  EXPECT_FALSE(w.summary.complete);
  EXPECT_EQ(w.writer.ending, "stopped by a signal");
}

TEST(Supervision, StopsBeforeTheTimeIsUp) {
  Watched w;
  w.writer.after_step = [](long) { std::this_thread::sleep_for(std::chrono::milliseconds(30)); };
  Supervision s;
  s.at_end = true;
  s.wall_limit = 0.4;
  const auto before = std::chrono::steady_clock::now();
  w.run(s, 1000);
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(3));
  EXPECT_EQ(w.keeper.steps.size(), 1u);
  EXPECT_GT(w.keeper.steps.at(0), 2);
  EXPECT_FALSE(w.summary.complete);
  EXPECT_EQ(w.writer.ending, "stopped at time.wall-limit");
}

/// Saved before its first step, the start is recorded once.
TEST(Supervision, RecordsTheStartOnce) {
  Watched w;
  w.stop = true;
  Supervision s;
  s.at_end = true;
  w.run(s);
  EXPECT_EQ(w.keeper.steps, (Steps{0}));
  const Config c = config(yaml(constant, "crank-nicolson", "cg", false));
  Simulation again(c, "cpu");
  SavedState state;
  for (const auto& [name, entry] : w.keeper.latest)
    if (name.starts_with("run/")) state.emplace(name.substr(4), entry);
  LoadFromMemory from(state);
  again.archive(from);
  struct Frames final : Writer {
    void begin(const RunInfo&) override {}
    void frame(const Frame& f) override { steps.push_back(f.step); }
    Steps steps;
  } frames;
  const std::atomic<bool> stop = false;
  again.run({&frames}, {}, stop);
  ASSERT_FALSE(frames.steps.empty());
  EXPECT_GT(frames.steps.front(), 0);
}

}  // namespace
}  // namespace wavesim::test
