#include <random>

#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

const char* const pluck =
    "grid: {size: [1, 1], cells: [24, 24]}, initial: {displacement: {gaussian: {center: [0.4, 0.55], width: "
    "0.15}}}";

TEST(Energy, OfCrankNicolsonDriftsLessThanRoundingInTenThousandSteps) {
  Running run(with("{%s, time: {courant: 1, steps: 10000}, solver: {tolerance: 1e-13}}", pluck));
  EXPECT_LT(energy_drift(run), 1e-10);
}

// CG started from u(n) conserves at any tolerance (field.md D2), so an energy test alone proves nothing.
TEST(Energy, IsConservedByCgAtAnyToleranceWhileTheErrorGrowsWithIt) {
  std::vector<double> exact, errors;
  for (double tolerance : {1e-12, 1e-6, 1e-4, 1e-2}) {
    Running run(with("{%s, time: {courant: 2, steps: 60}, solver: {tolerance: %g}}", pluck, tolerance));
    const double first = run.stepper->energy();
    run.finish();
    EXPECT_NEAR(run.stepper->energy() / first, 1, 1e-11) << tolerance;
    const auto u = run.field();
    if (exact.empty()) {
      exact = u;
      continue;
    }
    double e = 0;
    for (std::size_t i = 0; i < u.size(); ++i) e = std::max(e, std::abs(u[i] - exact[i]));
    errors.push_back(e);
  }
  EXPECT_LT(10 * errors[0], errors[1]);
  EXPECT_LT(10 * errors[1], errors[2]);
}

TEST(Energy, DriftsWithTheToleranceWhereTheGuessIsAnother) {
  std::vector<double> drift;
  for (double tolerance : {1e-8, 1e-4}) {
    Running run(with("{%s, time: {courant: 2, steps: 60}, solver: {tolerance: %g, guess: extrapolate}}",
                     pluck, tolerance));
    const double first = run.stepper->energy();
    run.finish();
    drift.push_back(std::abs(run.stepper->energy() / first - 1));
  }
  EXPECT_GT(drift[1], 1e-9);
  EXPECT_LT(drift[0], 0.01 * drift[1]);
}

/// The largest drift from the first step on, in 10000 steps.
double drift_of(const char* time, const char* solver, const char* more = "") {
  Running run(with("{%s, %s time: {%s, steps: 10000}, solver: {%s, tolerance: 1e-4, energy: exact}}", pluck,
                   more, time, solver));
  run.step();
  return energy_drift(run);
}

TEST(Energy, ThatIsExactIsConservedAtAnyToleranceByAnyMethod) {
  for (const char* solver : {"method: bicgstab", "method: jacobi", "method: chebyshev", "guess: extrapolate"})
    EXPECT_LT(drift_of("courant: 1", solver), 1e-12) << solver;
  EXPECT_LT(drift_of("courant: 1", "method: cg", "precision: mixed,"), 1e-12);
  EXPECT_LT(drift_of("scheme: theta, weights: [0.3, 0.4, 0.3], courant: 1.5", "method: bicgstab"), 1e-12);
  EXPECT_LT(drift_of("scheme: numerov, courant: 0.6", "method: chebyshev", "space: {order: 4},"), 1e-12);
  EXPECT_LT(drift_of("courant: 1", "method: jacobi", "precision: single,"),
            2e-4);  // what single precision bears
  EXPECT_SENTENCE(Running(with("{%s, time: {scheme: explicit, steps: 1}, solver: {energy: exact}}", pluck)),
                  "energy: exact", "no solves");
  EXPECT_SENTENCE(Running(with("{%s, time: {scheme: two-level, steps: 1}, solver: {energy: exact}}", pluck)),
                  "energy: exact", "does not");
}

// A product, three inner products and an update a step, and nothing else.
TEST(Energy, ThatIsExactCostsThreePassesAStep) {
  for (const std::string& device : devices())
    for (const char* time : {"courant: 1", "scheme: theta, weights: [0.3, 0.4, 0.3], courant: 1.5"}) {
      const std::string yaml =
          "{%s, time: {%s, steps: 12}, solver: {method: cg, tolerance: 1e-9, energy: %s}}";
      Running exact(with(yaml.c_str(), pluck, time, "exact"), device),
          solved(with(yaml.c_str(), pluck, time, "as-solved"), device);
      exact.finish();
      solved.finish();
      const OperationCounts &a = exact.stepper->counts(), &b = solved.stepper->counts();
      EXPECT_EQ(a.count("<b, e>, <d, A e>, <e, A e>"), 12) << time;
      EXPECT_EQ(a.count("d += beta d") + a.count("d += beta e"), 12) << time;
      const bool three_levels = std::string(time) != "courant: 1";
      EXPECT_EQ(a.count("e = d + p"), three_levels ? 11 : 0) << time;
      EXPECT_EQ(b.count("<b, e>, <d, A e>, <e, A e>"), 0);
      if (exact.iterations == solved.iterations) {
        EXPECT_EQ(a.passes - b.passes, 12 * 3 + a.count("e = d + p")) << time;
      }
    }
}

TEST(Energy, OfThreeLevelsWithEqualWeightsIsConserved) {
  Running run(
      with("{%s, time: {scheme: theta, weights: [0.3, 0.4, 0.3], courant: 1.5, steps: 300}, solver: "
           "{tolerance: 1e-13}}",
           pluck));
  run.step();
  const double first = run.stepper->energy();
  run.finish();
  EXPECT_NEAR(run.stepper->energy() / first, 1, 1e-11);
}

TEST(Energy, OfNumerovOnFivePointsIsConserved) {
  Running run(
      with("{%s, time: {scheme: numerov, courant: 0.86, steps: 1000}, solver: {tolerance: 1e-13}}", pluck));
  run.step();
  const double first = run.stepper->energy();
  run.finish();
  EXPECT_NEAR(run.stepper->energy() / first, 1, 1e-11);
}

TEST(Energy, OfLeapfrogIsConserved) {
  Running run(with("{%s, time: {scheme: explicit, courant: 0.6, steps: 1000}}", pluck));
  run.step();
  const double first = run.stepper->energy();
  run.finish();
  EXPECT_NEAR(run.stepper->energy() / first, 1, 1e-12);
}

TEST(Energy, OfTwoLevelsFallsInEveryStep) {
  Running run(
      with("{%s, time: {scheme: two-level, courant: 1, steps: 200}, solver: {tolerance: 1e-12}}", pluck));
  run.step();
  double before = run.stepper->energy();
  while (run.done < run.plan.steps) {
    run.step();
    const double now = run.stepper->energy();
    EXPECT_LT(now, before) << run.done;
    before = now;
  }
}

// A mode of a damped membrane is u'' + g u' + w^2 u = 0: its energy is known exactly and falls by exp(-g t),
// with a ripple.
TEST(Energy, FallsByTheExponentialLawOfDamping) {
  const double g = 0.5, w = M_PI * std::sqrt(2.0), w1 = std::sqrt(w * w - g * g / 4);
  Running run(
      "{grid: {size: [1, 1], cells: [64, 64]}, initial: {displacement: {mode: {m: 1, n: 1}}}, "
      "medium: {speed: 1, damping: 0.5}, time: {courant: 1, end: 4}, solver: {tolerance: 1e-10}}");
  const double first = run.stepper->energy();
  run.finish();
  const double t = run.time(), c = std::cos(w1 * t), s = std::sin(w1 * t);
  const double u = c + g / (2 * w1) * s, v = -w * w / w1 * s;  // both over exp(-g t / 2)
  const double expected = std::exp(-g * t) * (u * u + v * v / (w * w));
  EXPECT_NEAR(run.stepper->energy() / first, expected, 0.01 * expected);
}

TEST(RandomState, AtCourantThirtyTwoDoesNotGrow) {
  for (const char* scheme : {"crank-nicolson", "two-level", "theta, weights: [0.25, 0.5, 0.25]"}) {
    Config c =
        config(with("{grid: {size: [1, 1], cells: [40, 40]}, time: {scheme: %s, courant: 32, steps: 60}, "
                    "solver: {max-iterations: 2000, tolerance: 1e-8}}",
                    scheme));
    Running run(std::move(c));
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform(-1, 1);
    run.model.displacement.values.resize(run.model.grid.node_count());
    for (double& v : run.model.displacement.values) v = uniform(random);
    StepperSetup setup{run.model, run.scheme, run.plan, {}};
    setup.solver.max_iterations = 2000;
    setup.solver.tolerance = 1e-8;
    run.stepper = make_host_stepper(false, setup);
    const double first = run.stepper->energy();
    double largest = 0;
    while (run.done < run.plan.steps) {
      run.step();
      largest = std::max(largest, run.stepper->largest_displacement());
    }
    EXPECT_LT(largest, 4) << scheme;
    EXPECT_LT(run.stepper->energy(), 1.01 * first) << scheme;
  }
}

TEST(EnergyDensity, AddsUpToTheEnergy) {
  Running run(
      with("{%s, edges: {left: free, right: fixed, bottom: free, top: free}, time: {courant: 1, steps: 20}}",
           pluck));
  run.finish();
  const auto density = run.field(Quantity::energy_density);
  double sum = 0;
  const Grid& g = run.model.grid;
  for (long iy = 0; iy < g.nodes(1); ++iy)
    for (long ix = 0; ix < g.nodes(0); ++ix)
      sum += density[g.index(ix, iy)] * g.spacing[0] * g.spacing[1] * (ix == 0 ? 0.5 : 1) *
             (iy == 0 || iy == g.cells[1] ? 0.5 : 1);
  EXPECT_NEAR(sum, run.stepper->energy(), 1e-12 * sum);
}

}  // namespace
}  // namespace wavesim::test
