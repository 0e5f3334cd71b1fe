// method: auto in whole runs: the waves of other methods, the same bits with any number of threads, and the
// decisions in the set-up that reports print.

#include <gtest/gtest.h>
#include <omp.h>

#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

std::string yaml(
    const char* method, const char* medium, double courant, const char* more = "",
    const char* initial = "{displacement: {gaussian: {center: [0.4, 0.5], width: 0.1, amplitude: 1}}}") {
  return with(
      "{grid: {size: [1, 1.1], cells: [64, 50]}, medium: %s, initial: %s, time: {courant: %g, steps: 60}, "
      "solver: {method: %s, tolerance: 1e-9%s}}",
      medium, initial, courant, method, more);
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

TEST(AutomaticRuns, GiveTheWavesOfConjugateGradients) {
  for (const char* medium : {"{speed: 1}", "{speed: '1 + 0.5 * sin(9 * x)', damping: 0.2}"})
    for (const double courant : {0.5, 2.0, 20.0})
      for (const char* more : {"", ", guess: extrapolate", ", format: dia"})
        for (const std::string& device : devices()) {
          SCOPED_TRACE(std::string(medium) + more + ", Courant " + std::to_string(courant) + ", " + device);
          Running by_cg(yaml("cg", medium, courant), device),
              chosen(yaml("auto", medium, courant, more), device);
          by_cg.finish();
          chosen.finish();
          EXPECT_LT(difference(chosen.field(), by_cg.field()), 1e-5 * by_cg.stepper->largest_displacement());
          EXPECT_EQ(chosen.stepper->set_up().find("auto: solve 1: "), 0u) << chosen.stepper->set_up();
        }
}

// Numerov's first step goes through a system. Those after it are one pass each on nine points without damping: prices of
// another kind, at the second solve. With damping, or five points, they are like the first.
TEST(AutomaticRuns, AreForeseenAsFusedStepsWhereStepsAreFused) {
  const auto set_up = [](int order, double damping) {
    Running run(with(
        "{grid: {size: [1, 1], cells: [60, 60]}, space: {order: %d}, medium: {speed: 1, damping: %g}, "
        "initial: "
        "{displacement: {gaussian: {center: [0.4, 0.5], width: 0.1}}}, time: {scheme: numerov, courant: 0.6, "
        "steps: 2}, solver: {method: auto, prices: built-in}}",
        order, damping));
    run.finish();
    return run.stepper->set_up();
  };
  EXPECT_NE(set_up(4, 0).find("solve 2: "), std::string::npos) << set_up(4, 0);
  EXPECT_EQ(set_up(4, 0.5).find("solve 2: "), std::string::npos) << set_up(4, 0.5);
  EXPECT_EQ(set_up(2, 0).find("solve 2: "), std::string::npos) << set_up(2, 0);
}

TEST(AutomaticRuns, HaveTheSameBitsWithAnyNumberOfThreads) {
  const int before = omp_get_max_threads();
  for (const char* medium : {"{speed: 1}", "{speed: '1 + 0.5 * sin(9 * x)'}"}) {
    std::vector<std::vector<double>> fields;
    std::vector<std::string> decisions;
    for (const int threads : {1, 2, 3, 1}) {
      omp_set_num_threads(threads);
      Running r(yaml("auto", medium, 5));
      r.finish();
      fields.push_back(r.field());
      decisions.push_back(r.stepper->set_up());
    }
    for (std::size_t k = 1; k < fields.size(); ++k) {
      EXPECT_EQ(fields[k], fields[0]);
      EXPECT_EQ(decisions[k], decisions[0]);
    }
  }
  omp_set_num_threads(before);
}

TEST(AutomaticRuns, TakeStepsAsAWholeAndGiveUpThoseThatFailInTheMiddleOfAStep) {
  constexpr const char* pass =
      "u += d, p = carry d + (1 - carry) p, steps on A d = M p - delta K u, |b - A d|";
  const auto config = [](const char* method, int most) {
    return with(
        "{grid: {size: [1, 1], cells: [1024, 1024]}, medium: {speed: 1}, edges: {left: {absorbing: "
        "{radiation: "
        "{}}}, right: fixed, bottom: fixed, top: fixed}, initial: {displacement: 'sin(1e6 * x * (1 + y)) * "
        "sin(7e5 * y)'}, sources: [{name: s, at: [0.2, 0.3], ricker: {frequency: 900, delay: 0.001}}], time: "
        "{courant: 1, steps: 3}, solver: {method: %s, tolerance: 1e-6, max-iterations: %d}}",
        method, most);
  };
  Running whole(config("auto", 500)), cut(config("auto", 8)), by_cg(config("cg", 500));
  whole.finish();
  cut.finish();
  by_cg.finish();
  EXPECT_EQ(whole.stepper->set_up().find("auto: solve 1: chebyshev"), 0u) << whole.stepper->set_up();
  EXPECT_GE(whole.stepper->counts().count(pass), 3);
  EXPECT_NE(cut.stepper->set_up().find("because chebyshev ended with max-iterations"), std::string::npos)
      << cut.stepper->set_up();
  const double size = by_cg.stepper->largest_displacement();
  EXPECT_LT(difference(cut.field(), by_cg.field()), 1e-4 * size);
  EXPECT_LT(difference(whole.field(), by_cg.field()), 1e-4 * size);
}

/// With one iteration none but a direct method gets there. It takes steps as a whole, as chebyshev does,
/// which fails before it: at some of these time steps nobody else is asked in between.
TEST(AutomaticRuns, TakeAStepAsAWholeThatAnotherMethodFailedToTakeSo) {
  for (const std::string& device : devices()) {
    int failed = 0;
    for (const double courant : {1.0, 2.0, 2.5}) {
      const auto config = [&](const char* method, int most) {
        return with(
            "{grid: {size: [1, 1], cells: [150, 150]}, medium: {speed: 1}, edges: fixed, initial: "
            "{displacement: 'sin(1e6 * x * (1 + y)) * sin(7e5 * y)'}, time: {courant: %g, steps: 1000}, "
            "solver: {method: %s, tolerance: 1e-9, max-iterations: %d}}",
            courant, method, most);
      };
      Running cut(config("auto", 1), device), by_cg(config("cg", 500), device);
      for (int n = 0; n < 3; ++n) cut.step(), by_cg.step();
      EXPECT_LT(difference(cut.field(), by_cg.field()), 1e-6 * by_cg.stepper->largest_displacement());
      failed +=
          cut.stepper->set_up().find("because chebyshev ended with max-iterations") != std::string::npos;
    }
    EXPECT_GE(failed, 1) << device;
  }
}

TEST(AutomaticRuns, AreRefusedWithAPreconditioner) {
  EXPECT_THROW(config("{solver: {method: auto, preconditioner: jacobi}}"), InputError);
}

}  // namespace
}  // namespace wavesim::test
