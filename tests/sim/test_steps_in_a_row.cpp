// Steps that the host looks at together give the bits, the samples and the reports of steps that it looks at one by one.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/sim/restarted.hpp"
#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

struct Outcome {
  Bits field, maximum, arrival;
  std::vector<std::vector<double>> samples;
  std::vector<int> iterations;
  std::vector<double> residuals;
  std::vector<bool> converged;
  long most = 0;  // steps at once
};

/// Not more than `at_once` steps at once, and the samples of each third step.
Outcome outcome(const std::string& yaml, const std::string& device, long at_once) {
  Running run(yaml, device);
  const auto sampled = [](long n) { return n % 3 == 1; };
  Outcome o;
  while (run.done < run.plan.steps) {
    const long until = std::min(run.plan.steps, (run.done / at_once + 1) * at_once);
    const std::vector<StepResult> results = run.stepper->steps(run.done, until, sampled);
    EXPECT_LE(run.done + long(results.size()), until);
    o.most = std::max(o.most, long(results.size()));
    for (const StepResult& r : results) {
      o.iterations.push_back(r.report.iterations);
      o.residuals.push_back(r.report.relative_residual());
      o.converged.push_back(r.report.converged());
    }
    run.done += long(results.size());
    if (sampled(run.done)) {
      EXPECT_TRUE(run.stepper->sample(run.time()));
    }
  }
  o.samples = run.stepper->samples();
  o.field = bits(run.field());
  o.maximum = bits(run.field(Quantity::max_displacement));
  o.arrival = bits(run.field(Quantity::arrival_time));
  return o;
}

std::string config_with(const std::string& medium, const std::string& time, const std::string& solver,
                        const std::string& more = "") {
  return "{grid: {size: [1, 1.2], cells: [50, 60]}, medium: {" + medium + "}, time: {" + time +
         "}, solver: {" + solver +
         "}, initial: {displacement: {gaussian: {center: [0.4, 0.5], width: 0.2, amplitude: 1}}}, "
         // a force that is rough and begins late: the first passes of some steps are not enough
         "sources: [{at: [0.31, 0.72], expression: 'if(t < 0.25, 0, 40 * sin(300 * t))'}], "
         "receivers: [{name: l, from: [0.11, 0.1], to: [0.9, 1.1], count: 7}], "
         "output: {fields: {quantities: [displacement, max-displacement, arrival-time]}}" +
         more + "}";
}

void expect_the_same(const std::string& yaml, bool some_take_more_passes) {
  SCOPED_TRACE(yaml);
  for (const std::string& device : devices()) {
    SCOPED_TRACE(device);
    const Outcome alone = outcome(yaml, device, 1);
    EXPECT_EQ(alone.most, 1);
    for (const long at_once : {5L, 64L}) {
      const Outcome together = outcome(yaml, device, at_once);
      EXPECT_GT(together.most, 1);
      EXPECT_EQ(together.field, alone.field);
      EXPECT_EQ(together.maximum, alone.maximum);
      EXPECT_EQ(together.arrival, alone.arrival);
      EXPECT_EQ(together.samples, alone.samples);
      EXPECT_EQ(together.iterations, alone.iterations);
      EXPECT_EQ(together.residuals, alone.residuals);
      EXPECT_EQ(together.converged, alone.converged);
    }
    if (some_take_more_passes) {
      const auto [least, most] = std::minmax_element(alone.iterations.begin(), alone.iterations.end());
      EXPECT_LT(*least, *most);
    }
  }
}

const std::string uniform = "speed: 1", graded = "speed: '1 + 0.5 * x', density: '2 - y', damping: '0.4 * y'";

TEST(StepsInARow, OfChebyshevAreThoseOneByOne) {
  for (const std::string& medium : {uniform, graded})
    for (const char* more : {"", ", precision: single"})
      expect_the_same(
          config_with(medium, "courant: 1, steps: 60", "method: chebyshev, tolerance: 2e-4", more), true);
}

TEST(StepsInARow, OfChebyshevInNinePointsAreThoseOneByOne) {
  for (const std::string& medium : {uniform, graded})
    expect_the_same(config_with(medium, "scheme: numerov, courant: 0.6, steps: 80",
                                "method: chebyshev, tolerance: 1e-5", ", space: {order: 4}"),
                    true);
}

// The kind of the first pass changes now and then while steps take several.
TEST(StepsInARow, OfSeveralPassesEachAreThoseOneByOne) {
  for (const std::string& medium : {uniform, graded}) {
    const std::string yaml =
        config_with(medium, "courant: 1, steps: 160", "method: chebyshev, tolerance: 1e-8");
    expect_the_same(yaml, false);
    const std::vector<int> iterations = outcome(yaml, "cpu", 64).iterations;
    EXPECT_GT(std::count_if(iterations.begin(), iterations.end(), [](int n) { return n > 8; }), 100);
  }
}

TEST(StepsInARow, OfTheDirectMethodAreThoseOneByOne) {
  expect_the_same(config_with(uniform, "courant: 3, steps: 40", "method: sine-transform, tolerance: 1e-9"),
                  false);
}

TEST(StepsInARow, OfAChoiceOfMethodsAreThoseOneByOne) {
  expect_the_same(config_with(uniform, "courant: 1, steps: 90", "method: auto, tolerance: 1e-3"), false);
  expect_the_same(config_with(uniform, "courant: 1, steps: 60",
                              "method: chebyshev, tolerance: 2e-4, max-iterations: 8, on-failure: {fallback: "
                              "[cg]}"),
                  true);
  expect_the_same(config_with(uniform, "courant: 1, steps: 60",
                              "method: chebyshev, tolerance: 2e-4, max-iterations: 8, on-failure: continue"),
                  false);
}

// A formula without a value ends the run at its own step: those before it are taken.
TEST(StepsInARow, TakeTheStepsBeforeASignalThatHasNoValue) {
  for (const std::string& device : devices()) {
    Running run(
        "{grid: {size: [1, 1], cells: [40, 40]}, medium: {speed: 1}, initial: {displacement: {gaussian: "
        "{center: [0.5, 0.5], width: 0.2, amplitude: 1}}}, sources: [{at: [0.4, 0.3], expression: 'sqrt(0.2 "
        "- "
        "t)'}], receivers: [{at: [0.3, 0.3]}], solver: {method: chebyshev, tolerance: 1e-3}, time: {step: "
        "0.01, steps: 45}}",
        device);
    const auto always = [](long) { return true; };
    std::size_t samples = 0;
    EXPECT_THROW(
        while (run.done < 45) {
          run.done += long(run.stepper->steps(run.done, 45, always).size());
          EXPECT_TRUE(run.stepper->sample(run.time()));
          samples = run.stepper->samples().size() + samples;
        },
        InputError);
    EXPECT_GE(run.done, 18);
    EXPECT_LT(run.done, 22);
    EXPECT_EQ(samples, std::size_t(run.done));
  }
}

}  // namespace
}  // namespace wavesim::test
