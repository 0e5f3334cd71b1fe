// solver: {on-failure: {fallback: [...]}}: other solvers take what the first one does not solve.

#include "kernels/backend/errors.hpp"
#include "sim/run/simulation.hpp"
#include "tests/sim/restarted.hpp"

namespace wavesim::test {
namespace {

std::string chain(const std::string& method, const std::string& more, bool single = false) {
  return yaml(varying, "crank-nicolson", method, single, "previous", more);
}
const std::string then_cg =
    ", max-iterations: 2, on-failure: {fallback: [{method: gauss-seidel, max-iterations: 1}, cg]}";

TEST(Fallback, GivesTheBitsOfTheSolverThatSolves) {
  for (const bool single : {false, true})
    for (const std::string& device : devices()) {
      Running failing(chain("jacobi", then_cg, single), device), alone(chain("cg", "", single), device);
      while (failing.done < failing.plan.steps) {
        const StepResult r = failing.step();
        alone.step();
        EXPECT_EQ(r.report.solver, 2);
        EXPECT_EQ(r.report.failures, (std::vector<std::string>{"max-iterations", "max-iterations"}));
      }
      EXPECT_EQ(bits(failing.field()), bits(alone.field())) << device;
      EXPECT_EQ(failing.iterations, alone.iterations);
    }
}

TEST(Fallback, IsNotAskedWhereTheFirstSolverSolves) {
  Running run(chain("cg", ", on-failure: {fallback: [bicgstab]}")), alone(chain("cg", ""));
  while (run.done < run.plan.steps) {
    EXPECT_EQ(run.step().report.solver, 0);
    alone.step();
  }
  EXPECT_EQ(bits(run.field()), bits(alone.field()));
}

// Chebyshev takes whole steps in one pass here, and the others none.
TEST(Fallback, FollowsFusedStepsThatFail) {
  for (const std::string& device : devices()) {
    const auto of = [](const char* method, const char* more) {
      return yaml(constant, "crank-nicolson", method, false, "previous", more, 14, 4);
    };
    Running run(of("chebyshev", ", max-iterations: 8, on-failure: {fallback: [cg]}"), device);
    Running alone(of("cg", ""), device);
    int fallen = 0;
    double largest = 0;
    while (run.done < run.plan.steps) {
      fallen += run.step().report.solver;
      alone.step();
    }
    EXPECT_GT(fallen, 0);
    const auto a = run.field(), b = alone.field();
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    EXPECT_LT(largest, 1e-6) << device;
  }
}

TEST(Fallback, GoesOnAfterARestartWithTheSameBits) {
  const std::string config = chain("jacobi", then_cg);
  Running through(config), first(config), second(config);
  through.finish();
  while (first.done < 7) first.step();
  SavedState saved;
  SaveInMemory to(saved);
  first.stepper->archive(to);
  LoadFromMemory from(saved);
  second.stepper->archive(from);
  second.done = 7;
  second.finish();
  EXPECT_EQ(bits(second.field()), bits(through.field()));
}

struct Steps final : Writer {
  void begin(const RunInfo&) override {}
  void step(const StepRecord& r) override { records.push_back(r); }
  void finish(const RunSummary& s) override { summary = s; }
  std::vector<StepRecord> records;
  RunSummary summary;
};

TEST(Fallback, IsRecordedInEachStepAndCounted) {
  Steps steps;
  Simulation run(config(chain("jacobi", then_cg)), "cpu");
  EXPECT_EQ(run.info().solvers, (std::vector<std::string>{"jacobi", "gauss-seidel", "cg"}));
  run.run({&steps}, {}, std::atomic<bool>{false});
  ASSERT_EQ(steps.records.size(), 14u);
  for (const StepRecord& r : steps.records) {
    EXPECT_EQ(r.solver, 2);
    EXPECT_EQ(r.failures, "max-iterations max-iterations");
  }
  EXPECT_EQ(steps.summary.steps_of_solver, (std::vector<long>{0, 0, 14}));
}

TEST(Fallback, StopsWhereTheLastOneFailsAndNamesThemAll) {
  Steps steps;
  Simulation run(
      config(
          chain("jacobi", ", max-iterations: 1, on-failure: {fallback: [{method: cg, max-iterations: 1}]}")),
      "cpu");
  try {
    run.run({&steps}, {}, std::atomic<bool>{false});
    FAIL() << "one iteration of cg is enough";
  } catch (const SolveError& e) {
    const std::string said = e.what();
    EXPECT_NE(said.find("step 1 (t = "), std::string::npos) << said;
    EXPECT_NE(said.find("jacobi failed (max-iterations), and cg ended with max-iterations after 1"),
              std::string::npos)
        << said;
  }
}

TEST(Fallback, IsRefusedWhereASolverDoesNotFit) {
  EXPECT_SENTENCE(config(chain("cg", ", on-failure: {fallback: [{method: jacobi, preconditioner: ic0}]}")),
                  "method: jacobi takes no preconditioner");
  EXPECT_SENTENCE(config(chain("cg", ", on-failure: {fallback: [bicgstb]}")), "did you mean 'bicgstab'");
  EXPECT_SENTENCE(config(chain("cg", ", on-failure: {fallback: []}")), "empty list");
}

TEST(FailedSolves, AreCountedWhereTheRunGoesOn) {
  Steps steps;
  Simulation run(config(chain("jacobi", ", max-iterations: 1, on-failure: continue")), "cpu");
  run.run({&steps}, {}, std::atomic<bool>{false});
  EXPECT_EQ(steps.summary.failed_steps, 14);
  EXPECT_EQ(steps.summary.failed_first, 1);
}

// The start of three levels has an energy of another form.
TEST(EnergyDrift, BeginsWithTheFirstEnergyOfTheForm) {
  for (const char* scheme : {"numerov", "explicit", "theta, weights: [0.25, 0.5, 0.25]", "crank-nicolson"}) {
    Steps steps;
    Simulation run(
        config(with("{grid: {size: [1, 1], cells: [20, 20]}, medium: {speed: 1}, initial: {displacement: "
                    "{gaussian: {center: [0.4, 0.5], width: 0.1}}}, solver: {tolerance: 1e-12}, output: "
                    "{energy: {every: 1}}, time: {scheme: %s, courant: 0.6, steps: 30}}",
                    scheme)),
        "cpu");
    run.run({&steps}, {}, std::atomic<bool>{false});
    EXPECT_LT(steps.summary.energy_drift, 1e-11) << scheme;
    EXPECT_GT(steps.summary.energy_first, 0) << scheme;
  }
}

TEST(Recurrence, ResidualOfTheMethodIsRecordedBesideTheTrueOne) {
  Steps steps;
  Simulation run(config(chain("cg", "")), "cpu");
  run.run({&steps}, {}, std::atomic<bool>{false});
  for (const StepRecord& r : steps.records) {
    EXPECT_GT(r.residual_recurrence, 0);
    EXPECT_NEAR(r.residual_recurrence, r.residual_2, 1e-3 * r.residual_2);
  }
}

}  // namespace
}  // namespace wavesim::test
