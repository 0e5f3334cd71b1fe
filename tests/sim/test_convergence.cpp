#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

constexpr double pi = 3.14159265358979323846;

double mode_error(const char* scheme, int n, double end) {
  Running run(
      with("{grid: {size: [1, 1], cells: [%d, %d]}, initial: {displacement: {mode: {m: 1, n: 1}}}, "
           "time: {scheme: %s, courant: %g, end: %g}, solver: {tolerance: 1e-10}}",
           n, n, scheme, std::string(scheme) == "explicit" ? 0.5 : 1.0, end));
  run.finish();
  const double omega = pi * std::sqrt(2.0);
  return run.error(
      [&](double x, double y) { return std::cos(omega * run.time()) * std::sin(pi * x) * std::sin(pi * y); });
}

TEST(StandingMode, ConvergesAtSecondOrderInSpaceAndTimeTogether) {
  for (const char* scheme : {"crank-nicolson", "explicit"}) {
    double before = 0;
    for (int n : {16, 32, 64, 128, 256}) {
      const double error = mode_error(scheme, n, 1.0);
      if (before > 0) {
        EXPECT_GE(std::log2(before / error), 1.95) << scheme << " " << n;
      }
      before = error;
    }
  }
}

TEST(StandingMode, ConvergesAtFirstOrderInTwoLevels) {
  double before = 0;
  for (int n : {64, 128, 256, 512}) {
    const double error = mode_error("two-level", n, 0.4);
    if (before > 0) {
      EXPECT_GE(std::log2(before / error), 0.85) << n;
      EXPECT_LE(std::log2(before / error), 1.3) << n;
    }
    before = error;
  }
}

TEST(StandingMode, OfFreeEdgesConvergesAtSecondOrder) {
  double before = 0;
  for (int n : {32, 64, 128}) {
    Running run(
        with("{grid: {size: [1, 1], cells: [%d, %d]}, edges: free, initial: {displacement: "
             "\"cos(pi*x)*cos(pi*y)\"}, "
             "time: {courant: 1, end: 0.4}, solver: {tolerance: 1e-10}}",
             n, n));
    run.finish();
    const double e = run.error([&](double x, double y) {
      return std::cos(pi * std::sqrt(2.0) * run.time()) * std::cos(pi * x) * std::cos(pi * y);
    });
    if (before > 0) {
      EXPECT_GE(std::log2(before / e), 1.95) << n;
    }
    before = e;
  }
}

TEST(PlaneWave, ReturnsToItselfRoundAPeriodicDomain) {
  double before = 0;
  for (int n : {32, 64, 128}) {
    Running run(
        with("{grid: {size: [1, 0.25], cells: [%d, %d]}, edges: periodic, initial: {displacement: "
             "\"sin(2*pi*x)\", velocity: \"-2*pi*cos(2*pi*x)\"}, "
             "time: {courant: 1, end: 1}, solver: {tolerance: 1e-10}}",
             n, n / 4));
    run.finish();
    const double e = run.error([&](double x, double) { return std::sin(2 * pi * (x - run.time())); });
    if (before > 0) {
      EXPECT_GE(std::log2(before / e), 1.95) << n;
    }
    before = e;
  }
}

// u = cos(2 t) sin(pi x) cos(pi y / 2) in m = 1 + x/2, T = 1 + y/2, eta = 0.3 m: f = m u_tt + eta u_t - div(T
// grad u).
TEST(ManufacturedSolution, WithVariableMediumDampingAndSourceConvergesAtSecondOrder) {
  // Sources are sums of s(t) g(x, y): three of them.
  double before = 0;
  for (int n : {16, 32, 64, 128}) {
    Running run(with(
        "{grid: {size: [1, 1], cells: [%d, %d]}, edges: {left: fixed, right: fixed, bottom: free, top: "
        "fixed}, "
        "medium: {density: \"1 + x/2\", speed: \"sqrt((1 + y/2) / (1 + x/2))\", damping: 0.3}, "
        "initial: {displacement: \"sin(pi*x)*cos(pi*y/2)\"}, "
        "sources: [{name: a, area: \"-4*(1 + x/2)*sin(pi*x)*cos(pi*y/2) + (1 + "
        "y/2)*pi*pi*1.25*sin(pi*x)*cos(pi*y/2) + 0.25*pi*sin(pi*y/2)*sin(pi*x)\", expression: \"cos(2*t)\"}, "
        "{name: b, area: \"-0.6*(1 + x/2)*sin(pi*x)*cos(pi*y/2)\", expression: \"sin(2*t)\"}], "
        "time: {courant: 1, end: 0.7}, solver: {tolerance: 1e-10}}",
        n, n));
    run.finish();
    const double e = run.error([&](double x, double y) {
      return std::cos(2 * run.time()) * std::sin(pi * x) * std::cos(pi * y / 2);
    });
    if (before > 0) {
      EXPECT_GE(std::log2(before / e), 1.9) << n << " " << e;
    }
    before = e;
  }
}

TEST(PointSource, GivesTheSameTraceOnFinerGrids) {
  std::vector<std::vector<double>> traces;
  for (int n : {40, 80, 160}) {
    Running run(with(
        "{grid: {size: [1, 1], cells: [%d, %d]}, sources: [{name: s, at: [0.41, 0.53], ricker: {frequency: "
        "4, delay: 0.3}}], "
        "receivers: [{name: r, at: [0.63, 0.37]}], time: {step: %g, steps: %d}, solver: {tolerance: 1e-8}}",
        n, n, 0.4 / n, 2 * n));
    std::vector<double> trace;
    while (run.done < run.plan.steps) {
      run.step();
      run.stepper->sample(run.time());
      for (const auto& s : run.stepper->samples())
        if (run.done % (n / 40) == 0) trace.push_back(s[0]);
    }
    traces.push_back(trace);
  }
  const auto distance = [&](int a, int b) {
    double d = 0, size = 0;
    for (std::size_t k = 0; k < traces[0].size(); ++k) {
      d = std::max(d, std::abs(traces[a][k] - traces[b][k]));
      size = std::max(size, std::abs(traces[b][k]));
    }
    return d / size;
  };
  EXPECT_LT(distance(1, 2), 0.06);
  EXPECT_LT(distance(1, 2), 0.4 * distance(0, 1));
}

}  // namespace
}  // namespace wavesim::test
