// What is said about a run before it starts, against numbers by hand.

#include "sim/run/advice.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sim/model/coefficients.hpp"
#include "sim/model/sampled_model.hpp"
#include "sim/run/copy_bandwidth.hpp"
#include "sim/run/simulation.hpp"

namespace wavesim {
namespace {

struct Asked {
  Config config;
  Model model;
  Scheme scheme;
  TimePlan plan;
  DeviceFacts device = cpu_facts();

  explicit Asked(const std::string& more, const std::vector<std::string>& set = {})
      : config(parse_config("grid: {size: [10, 10], cells: [200, 100]}\nmedium: {speed: 2}\n" + more,
                            "asked.yaml", ".", set)),
        model(build_model(config)),
        scheme(make_scheme(config.time, config.space.order)),
        plan(plan_time(config, scheme, model)) {}

  Resolution waves() const { return resolution(config, model, scheme, plan); }
  Cost estimate() const { return cost(config, model, scheme, plan, device, 1e10, 0); }
  std::string said() const {
    std::string all;
    for (const std::string& s :
         advice(config, model, scheme, plan, waves(), estimate(), device, plan_output(config, model, plan)))
      all += s + "\n";
    return all;
  }
};

const char* const pulse = "sources: [{at: [5, 5], sinusoid: {frequency: 0.5}}]\n";  // 4 m long, 2 s

TEST(Resolution, CountsCellsAndStepsOfTheShortestWave) {
  const Resolution r = Asked(std::string(pulse) + "time: {step: 0.05, steps: 10}\n").waves();
  EXPECT_DOUBLE_EQ(r.wavelength, 4);
  EXPECT_DOUBLE_EQ(r.period, 2);
  EXPECT_DOUBLE_EQ(r.points_per_wavelength, 40);  // of the coarser spacing, 0.1 m
  EXPECT_DOUBLE_EQ(r.steps_per_period, 40);
  const double kh = 2 * std::numbers::pi / 40;
  EXPECT_DOUBLE_EQ(r.space_error, kh * kh / 24);
  EXPECT_DOUBLE_EQ(r.time_error, kh * kh / 12);
  EXPECT_EQ(r.loss_per_period, 0);
  EXPECT_DOUBLE_EQ(r.periods, 0.25);
}

TEST(Resolution, OfFourthOrder) {
  const Asked asked(std::string(pulse) +
                    "space: {order: 4}\ntime: {scheme: numerov, step: 0.01, steps: 10}\n");
  const Resolution r = asked.waves();
  const double kh = 2 * std::numbers::pi / 40, z = 2 * std::numbers::pi / 200;
  EXPECT_NEAR(r.space_error, std::pow(kh, 4) / 480, 1e-15);
  EXPECT_NEAR(r.time_error, -std::pow(z, 4) / 480, 1e-15);
  EXPECT_NE(
      Asked(std::string(pulse) + "space: {order: 4}\ntime: {steps: 10}\n").said().find("scheme: numerov"),
      std::string::npos);
  EXPECT_EQ(asked.said().find("scheme: numerov"), std::string::npos);
}

TEST(Resolution, TakesTheWaveWhereItIsSlowest) {
  EXPECT_NEAR(
      Asked(std::string(pulse) + "time: {steps: 1}\n", {"medium.speed='x < 5 ? 1 : 4'"}).waves().wavelength,
      2, 1e-12);
}

TEST(Resolution, OfASourceThatMovesIsThatOfTheWavesAheadOfIt) {
  const auto at = [](const std::string& x) {
    return Asked("sources: [{at: {x: '" + x +
                 "', y: 5}, sinusoid: {frequency: 0.5}}]\ntime: {step: 0.05, steps: 80}\n");
  };
  const Resolution r = at("1 + 1.5 * t").waves();
  EXPECT_NEAR(r.fastest_source, 1.5, 1e-9);
  EXPECT_NEAR(r.wavelength, 1, 1e-9);  // 4 m at rest, (1 - 1.5 / 2) of it ahead
  const Asked fast = at("1 + 2.2 * t");
  EXPECT_DOUBLE_EQ(fast.waves().wavelength, 4);
  EXPECT_NE(fast.said().find("A source moves at 2.2 m/s, where waves run at 2 m/s"), std::string::npos)
      << fast.said();
}

TEST(Resolution, IsUnknownWhereTheConfigDoesNotTell) {
  EXPECT_EQ(Asked("initial: {velocity: x}\ntime: {steps: 1}\n").waves().wavelength, 0);
}

/// The phase and size of one step's amplification factor of u'' = -omega^2 u, from its quadratic equation.
std::pair<double, double> exact_step(const Scheme& s, double z) {
  const double a = 1 + s.weights[0] * z * z, b = -2 + s.weights[1] * z * z, c = 1 + s.weights[2] * z * z;
  const double real = -b / (2 * a), square = c / a;
  return {std::atan2(std::sqrt(square - real * real), real), std::sqrt(square)};
}

TEST(TimeError, IsWhatTheSchemeDoesToOneFrequency) {
  for (const char* scheme : {"crank-nicolson", "explicit"}) {
    TimeConfig time;
    time.scheme = scheme;
    const Scheme s = make_scheme(time, 2);
    for (double z : {0.05, 0.1, 0.2})
      EXPECT_NEAR(1 - exact_step(s, z).first / z, time_phase_error(s, z), z * z * z * z / 10)
          << scheme << " " << z;
  }
  TimeConfig time;
  time.scheme = "numerov";
  for (double z : {0.4, 0.8})
    EXPECT_NEAR(1 - exact_step(make_scheme(time, 2), z).first / z, time_phase_error(make_scheme(time, 2), z),
                std::pow(z, 6) / 2000)
        << z;
  time.scheme = "two-level";
  const Scheme s = make_scheme(time, 2);
  for (double z : {0.05, 0.1, 0.2})
    EXPECT_NEAR(1 - exact_step(s, z).second, time_loss(s, z), z * z * z * z / 5) << z;
}

TEST(TimeError, Is1PercentAt18StepsPerPeriod) {
  EXPECT_NEAR(time_phase_error(make_scheme(TimeConfig(), 2), 2 * std::numbers::pi / 18), 0.01, 2e-4);
}

TEST(IterationBound, GrowsWithTheConditionNumber) {
  SolverConfig solver;
  EXPECT_EQ(iteration_bound(solver, 1), 1);
  // 2 ((sqrt 9 - 1) / (sqrt 9 + 1))^n <= 1e-6
  EXPECT_EQ(iteration_bound(solver, 9), long(std::ceil(std::log(2e6) / std::log(2))));
  solver.method = "jacobi";
  EXPECT_EQ(iteration_bound(solver, 9), long(std::ceil(std::log(1e6) / std::log(10.0 / 8))));
  solver.max_iterations = 7;
  EXPECT_EQ(iteration_bound(solver, 9), 7);
  solver.method = "sine-transform";
  EXPECT_EQ(iteration_bound(solver, 1e6), 2);
}

TEST(Cost, GrowsWithCellsStepsAndWordsMoved) {
  const double once = Asked("time: {steps: 10}\n").estimate().seconds;
  EXPECT_DOUBLE_EQ(Asked("time: {steps: 20}\n").estimate().seconds, 2 * once);
  EXPECT_LT(Asked("time: {steps: 10}\nprecision: single\n").estimate().seconds, 0.51 * once);
  EXPECT_GT(Asked("time: {steps: 10}\nsolver: {format: csr}\n").estimate().seconds, once);
  EXPECT_GT(Asked("time: {steps: 10, courant: 8}\n").estimate().iterations,
            Asked("time: {steps: 10}\n").estimate().iterations);
  EXPECT_EQ(Asked("time: {steps: 10, scheme: explicit, courant: 0.5}\n").estimate().iterations, 0);
}

TEST(Cost, OfChebyshevIsThatOfPassesOfEightSweeps) {
  const auto estimate = [](const std::string& solver, const std::vector<std::string>& set = {}) {
    return Asked("time: {steps: 10, courant: 1}\nsolver: {method: chebyshev, " + solver + "}\n", set)
        .estimate();
  };
  const double points = 201 * 101, word = 8;
  // one pass: u and p are read and written
  const Cost one = estimate("tolerance: 1e-2");
  EXPECT_EQ(one.iterations, 8);
  EXPECT_EQ(one.bytes_per_step, 4 * word * points);
  // another one goes on from what the first left
  const Cost two = estimate("tolerance: 1e-6");
  EXPECT_EQ(two.iterations, 16);
  EXPECT_EQ(two.bytes_per_step, (4 + 5) * word * points);
  EXPECT_GT(two.seconds, 1.9 * one.seconds);
  // of a varying medium two faces, a scale and an inertia; and another inertia where it is damped
  const char* circle = "shape={circle: {center: [5, 5], radius: 4}}";
  EXPECT_EQ(estimate("tolerance: 1e-2", {circle}).bytes_per_step, (4 + 4) * word * points);
  EXPECT_EQ(estimate("tolerance: 1e-2", {circle, "medium.damping=1"}).bytes_per_step,
            (4 + 5) * word * points);
  // a right-hand side is made and stored; sweeps are taken one by one
  EXPECT_EQ(estimate("tolerance: 1e-2, guess: extrapolate").bytes_per_step, (10 + 2) * word * points);
  EXPECT_GT(estimate("tolerance: 1e-2, sweeps: 4").bytes_per_step, 20 * word * points);
  EXPECT_GT(estimate("tolerance: 1e-2, format: dia").bytes_per_step, 50 * word * points);
  EXPECT_EQ(estimate("tolerance: 1e-2, format: auto").bytes_per_step,
            4 * word * points);  // computes rows, too
}

// 60 steps of 32767 x 32767 points took 1.3 s on an H200, one pass each.
TEST(Cost, OfStepsInOnePassIsNearWhatALargeGridTookOnAGpu) {
  Asked large("time: {steps: 60, courant: 1}\nsolver: {method: chebyshev}\n", {"grid.cells=[32768, 32768]"});
  large.device.kind = "cuda";
  large.device.units = 132;
  const Cost c = cost(large.config, large.model, large.scheme, large.plan, large.device, 3.9e12, 0);
  const double passes = double(c.iterations) / 8;
  EXPECT_GT(c.seconds / passes, 0.8 * 1.3);
  EXPECT_LT(c.seconds / passes, 1.25 * 1.3);
  EXPECT_LE(passes, 2);
}

/// n x n cells on an H200.
struct AskedOfAGpu : Asked {
  AskedOfAGpu(const std::string& text, long n) : Asked(text, {"grid.size=[1, 1]", "grid.cells=[20, 20]"}) {
    config.grid.cells = {n, n};
    model = build_sampled_model(config, 1e4).model;
    plan = plan_time(config, scheme, model);
    device.kind = "cuda";
    device.units = 132;
  }
  Cost on_one() const { return cost(config, model, scheme, plan, device, 4.1e12, 0); }
};
const char explicit_steps[] = "time: {steps: 100, scheme: explicit, courant: 0.7}\n";

// bench/results/h200/steps.txt: milliseconds of a step of 8192^2.
TEST(Cost, OfExplicitStepsIsNearThatOfPasses) {
  struct Measured {
    std::string more;
    double ms;
  };
  const std::string varying = "shape: {circle: {center: [0.5, 0.5], radius: 0.4}, rim: staircase}\n",
                    single = "precision: single\nsolver: {tolerance: 1e-5}\n", eighth = "space: {order: 8}\n";
  for (const Measured& m : {
           Measured{"", 0.0960},
           {single, 0.0514},
           {"output: {fields: {quantities: [max-displacement]}}\n", 0.229},
           {varying, 0.223},
           {varying + single, 0.0812},
           {eighth, 0.494},
           {eighth + single, 0.415},
       }) {
    SCOPED_TRACE(m.more);
    const double ms = AskedOfAGpu(explicit_steps + m.more, 8192).on_one().seconds * 10;
    EXPECT_NEAR(ms / m.ms, 1, 0.25);
  }
}

// bench/results/h200/scaling.txt, scaling_two.txt: percents on two and four GPUs.
TEST(Efficiency, OfGpusIsNearWhatTheyReached) {
  const auto expect = [](const std::string& text, long n, int gpus, double measured, double within) {
    SCOPED_TRACE(text + std::to_string(n) + " on " + std::to_string(gpus));
    const AskedOfAGpu asked(text, n);
    const Extent e = make_unknowns(asked.model, 8).extent;
    const Cost one = asked.on_one();
    EXPECT_NEAR(100 * one.seconds / (gpus * seconds_on_gpus(one, e, asked.plan.steps, gpus)), measured,
                within);
  };
  const std::string
      cg = "time: {steps: 100, courant: 1}\nsolver: {norm: relative-2, tolerance: 1e-8}\n",
      passes =
          "time: {steps: 100, courant: 1}\nsolver: {method: chebyshev, norm: relative-2, tolerance: "
          "1e-3}\n";  // of one pass
  expect(explicit_steps, 8192, 2, 93.4, 4);
  expect(explicit_steps, 8192, 4, 87.1, 4);
  expect(explicit_steps, 4096, 2, 81.6, 4);
  expect(passes, 8192, 2, 94.0, 2);
  expect(passes, 8192, 4, 87.6, 2);
  expect(passes, 4096, 2, 85.0, 2);
  expect(cg, 8192, 2, 94.2, 2);
  expect(cg, 8192, 4, 85.8, 2);
  expect(cg, 4096, 2, 84.2, 2);
}

TEST(Advice, IsSilentWhereNothingIsUnwise) {
  EXPECT_EQ(Asked(std::string(pulse) + "time: {steps: 100}\n").said(), "");
}

TEST(Advice, NamesWhatIsUnwise) {
  const auto says = [](const std::string& text, const char* words) {
    const std::string said = Asked(text).said();
    EXPECT_NE(said.find(words), std::string::npos) << text << "\nsays only:\n" << said;
  };
  says("sources: [{at: [5, 5], sinusoid: {frequency: 5}}]\ntime: {steps: 10}\n", "cells per wavelength");
  says(std::string(pulse) + "time: {step: 0.5, steps: 10}\n", "18 for 1 %");
  says(std::string(pulse) + "time: {scheme: two-level, steps: 10}\n", "damps");
  says("initial: {velocity: x}\ntime: {steps: 10}\n", "cannot be told");
  says(std::string(pulse) + "time: {steps: 10}\nsolver: {tolerance: 0.1}\n", "tolerance 0.1");
  says(std::string(pulse) + "time: {steps: 10}\nsolver: {norm: relative-2}\n",
       "norm: increment is the safe choice");
  says(std::string(pulse) + "time: {steps: 10, courant: 20}\n", "condition number");
  says(std::string(pulse) + "time: {steps: 10, courant: 20}\nsolver: {max-iterations: 20}\n",
       "max-iterations (20)");
  says(std::string(pulse) + "time: {steps: 10, courant: 0.3}\n", "explicit is stable");
  says(std::string(pulse) +
           "time: {steps: 10}\nshape: {circle: {center: [5, 5], radius: 4}, rim: staircase}\n",
       "in stairs");
  const std::string lake = std::string(pulse) + "shape: {circle: {center: [5, 5], radius: 4}, edge: free}\n";
  says(lake + "time: {scheme: explicit, courant: 0.7, steps: 10}\n", "heavier cells");
  const std::string nine = lake + "space: {order: 4}\ntime: {scheme: numerov, courant: 0.7, steps: 10}\n";
  EXPECT_EQ(Asked(nine).said().find("heavier cells"), std::string::npos);
  says(std::string(pulse) + "time: {steps: 6000}\noutput: {fields: {every: 1}}\n", "frames are many");
}

TEST(Advice, TellsARunThatDoesNotFit) {
  Asked asked(std::string(pulse) + "time: {steps: 10}\n");
  asked.device.free = 1000;
  EXPECT_NE(asked.said().find("GB free"), std::string::npos);
}

TEST(CopyBandwidth, IsMeasuredOnTheCpu) {
  const double rate = copy_bandwidth(cpu_facts());
  EXPECT_GT(rate, 1e8);
  EXPECT_LT(rate, 1e13);
}

TEST(Foreseen, IsTheChoiceOfAutoAndWhatACostIsMadeFrom) {
  const Asked fixed("time: {steps: 10}\n");
  EXPECT_FALSE(foreseen(fixed.config, fixed.model, fixed.scheme, fixed.plan, fixed.device));
  const Asked large("time: {steps: 1000, courant: 20}\nsolver: {method: auto}\n", {"grid.cells=[512, 512]"});
  const auto choice = foreseen(large.config, large.model, large.scheme, large.plan, large.device);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->candidates()[std::size_t(choice->now())].name, "sine-transform");
  EXPECT_EQ(large.estimate().iterations, 2);  // direct, and one refinement
  const Asked shaped(
      "time: {steps: 1000}\nsolver: {method: auto}\nshape: {circle: {center: [5, 5], radius: 4}}\n");
  const auto other = foreseen(shaped.config, shaped.model, shaped.scheme, shaped.plan, shaped.device);
  for (const MethodCandidate& c : other->candidates()) EXPECT_NE(c.name, "sine-transform");
}

}  // namespace
}  // namespace wavesim
