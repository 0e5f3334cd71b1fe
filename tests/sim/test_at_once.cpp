// Steps that a method takes as a whole, right-hand side and all (sim/stepper): the same waves as through a
// system that is assembled and solved, in one pass over memory where the wave is smooth.

#include <gtest/gtest.h>

#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

constexpr const char* pass = "u += d, p = carry d + (1 - carry) p, steps on A d = M p - delta K u, |b - A d|";

std::string pulse(double width) {
  return with("initial: {displacement: {gaussian: {center: [0.4, 0.5], width: %g, amplitude: 1}}}", width);
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

/// Everything that enters a step but through the matrix: sources, driven and radiating edges, damping, a
/// medium that varies.
TEST(AtOnce, GivesTheWavesOfASolve) {
  const std::string sources =
      "sources: [{name: s, at: [0.21, 0.33], ricker: {frequency: 3, delay: 0.3}}, {name: t, at: [0.02, 0.5], "
      "sinusoid: {frequency: 2}}]";
  for (const char* edges :
       {"fixed", "free", "periodic", "{left: free, right: fixed, bottom: periodic, top: periodic}",
        "{left: {driven: {sinusoid: {frequency: 2, amplitude: 0.2}}}, right: free, bottom: fixed, top: "
        "{absorbing: "
        "{radiation: {}}}}"})
    for (const char* medium :
         {"{speed: 1}", "{speed: 2, damping: 0.7}", "{speed: '1 + x * y', density: '2 - x'}",
          "{speed: '2 - y', damping: '0.7 * x'}"})
      for (const char* norm : {"relative-2", "increment", "max"})
        for (const std::string& device : devices()) {
          SCOPED_TRACE(std::string(edges) + ", " + medium + ", " + norm + ", " + device);
          const auto yaml = [&](const char* method, double tolerance) {
            return with(
                "{grid: {size: [1, 1.1], cells: [64, 51]}, edges: %s, medium: %s, %s, %s, time: {courant: "
                "1, steps: 50}, solver: {method: %s, norm: %s, tolerance: %g}}",
                edges, medium, sources.c_str(), pulse(0.1).c_str(), method, norm, tolerance);
          };
          Running by_cg(yaml("cg", 1e-13), device), at_once(yaml("chebyshev", 1e-11), device);
          by_cg.finish();
          at_once.finish();
          EXPECT_EQ(by_cg.stepper->counts().count(pass), 0);
          EXPECT_GE(at_once.stepper->counts().count(pass), at_once.plan.steps);
          const double size = by_cg.stepper->largest_displacement();
          EXPECT_LT(difference(at_once.field(), by_cg.field()), 1e-7 * size);
          EXPECT_LT(difference(at_once.field(Quantity::velocity), by_cg.field(Quantity::velocity)),
                    1e-5 * size);
          EXPECT_NEAR(at_once.stepper->energy(), by_cg.stepper->energy(), 1e-6 * by_cg.stepper->energy());
        }
}

/// With nine points over three levels, where the force enters the pass; damping takes the way through a system.
TEST(AtOnce, GivesTheWavesOfASolveOnNinePoints) {
  const char* const pass_of_three_levels = "p += e, u += p, steps on A e = -delta K u + force, |b - A e|";
  const std::string sources =
      "sources: [{name: s, at: [0.21, 0.33], ricker: {frequency: 3, delay: 0.1}}, {name: t, at: [0.02, 0.5], "
      "sinusoid: {frequency: 2}}]";
  for (const char* edges :
       {"fixed", "free", "periodic", "{left: free, right: fixed, bottom: periodic, top: periodic}",
        "{left: {driven: {sinusoid: {frequency: 2, amplitude: 0.2}}}, right: free, bottom: "
        "fixed, top: {absorbing: {radiation: {}}}}"})
    for (const char* medium : {"{speed: 1}", "{speed: 2, damping: 0.7}"})
      for (const char* norm : {"relative-2", "increment", "max"})
        for (const char* scheme :
             {"scheme: numerov, courant: 0.6", "scheme: theta, weights: [0.3, 0.4, 0.3], courant: 1.5"})
          for (const std::string& device : devices()) {
            SCOPED_TRACE(std::string(edges) + ", " + medium + ", " + norm + ", " + scheme + ", " + device);
            const auto yaml = [&](const char* method, double tolerance) {
              return with(
                  "{grid: {size: [1, 1.1], cells: [64, 51]}, edges: %s, space: {order: 4}, medium: %s, %s, "
                  "%s, "
                  "time: {%s, steps: 50}, solver: {method: %s, norm: %s, tolerance: %g}}",
                  edges, medium, sources.c_str(), pulse(0.1).c_str(), scheme, method, norm, tolerance);
            };
            Running by_cg(yaml("cg", 1e-13), device), at_once(yaml("chebyshev", 1e-11), device);
            by_cg.finish();
            at_once.finish();
            const bool damped = std::string(medium).find("damping") != std::string::npos ||
                                std::string(edges).find("radiation") != std::string::npos;
            EXPECT_EQ(by_cg.stepper->counts().count(pass_of_three_levels), 0);
            if (damped)
              EXPECT_EQ(at_once.stepper->counts().count(pass_of_three_levels), 0);
            else
              EXPECT_GE(at_once.stepper->counts().count(pass_of_three_levels), at_once.plan.steps - 1);
            const double size = by_cg.stepper->largest_displacement();
            EXPECT_LT(difference(at_once.field(), by_cg.field()), 1e-8 * size);
            EXPECT_NEAR(at_once.stepper->energy(), by_cg.stepper->energy(), 1e-7 * by_cg.stepper->energy());
          }
}

/// A direct solver between the transforms of a step: from u and p to the next ones, without a system.
TEST(AtOnce, GivesTheWavesOfASolveByTransforms) {
  constexpr const char* conclusion = "p = carry d + (1 - carry) p, |b - A d|";
  for (const char* edges :
       {"fixed", "free", "periodic", "{left: free, right: fixed, bottom: periodic, top: periodic}",
        "{left: {driven: {sinusoid: {frequency: 2, amplitude: 0.2}}}, right: free, bottom: fixed, top: "
        "free}"})
    for (const char* medium : {"{speed: 1}", "{speed: 2, damping: 0.7}"})
      for (const char* norm : {"relative-2", "increment", "max"})
        for (const char* scheme : {"crank-nicolson", "two-level"})
          for (const std::string& device : devices()) {
            SCOPED_TRACE(std::string(edges) + ", " + medium + ", " + norm + ", " + scheme + ", " + device);
            const auto yaml = [&](const char* method, double tolerance) {
              return with(
                  "{grid: {size: [1, 1.1], cells: [64, 51]}, edges: %s, medium: %s, sources: [{name: s, at: "
                  "[0.21, 0.33], ricker: {frequency: 3, delay: 0.3}}], %s, time: {scheme: %s, courant: 7, "
                  "steps: 20}, solver: {method: %s, norm: %s, tolerance: %g}}",
                  edges, medium, pulse(0.1).c_str(), scheme, method, norm, tolerance);
            };
            Running by_cg(yaml("cg", 1e-13), device), direct(yaml("sine-transform", 1e-11), device);
            by_cg.finish();
            direct.finish();
            EXPECT_EQ(direct.stepper->counts().count(conclusion),
                      std::string(scheme) == "two-level" ? 1 : direct.plan.steps);  // which starts with one
            EXPECT_EQ(direct.stepper->counts().count("r = b - A d"), 0);
            for (const int n : direct.iterations) EXPECT_EQ(n, 1);
            const double size = by_cg.stepper->largest_displacement();
            EXPECT_LT(difference(direct.field(), by_cg.field()), 1e-9 * size);
            EXPECT_LT(difference(direct.field(Quantity::velocity), by_cg.field(Quantity::velocity)),
                      1e-7 * size);
            EXPECT_NEAR(direct.stepper->energy(), by_cg.stepper->energy(), 1e-8 * by_cg.stepper->energy());
          }
}

/// What u + d cannot hold of a small d is left to solves.
TEST(AtOnce, GoesBackToSolvesWhereRoundingOfTheFieldIsInTheWay) {
  Running r(with(
      "{grid: {size: [1, 1], cells: [64, 64]}, medium: {speed: 1}, initial: {displacement: "
      "'1e6 + 0 * x + exp(-50 * (x - 0.4)^2)'}, edges: free, time: {courant: 1, steps: 4}, solver: {method: "
      "sine-transform, norm: increment, tolerance: 1e-13}}"));
  r.finish();
  EXPECT_EQ(r.stepper->counts().count("b = M p - beta D p + gamma K p - delta K u"), r.plan.steps);
  EXPECT_EQ(r.stepper->counts().count("r = b - A d"), 1);  // refined once, in the first step
}

/// Shapes and sponges, at the rims of which points couple to nothing.
TEST(AtOnce, GivesTheWavesOfASolveInShapesAndSponges) {
  for (const char* more :
       {"shape: {circle: {center: [0.5, 0.52], radius: 0.41}}, medium: {speed: 1}",
        "shape: {not: {circle: {center: [0.7, 0.4], radius: 0.15}}, edge: free}, medium: {speed: '1 + x'}",
        "edges: {absorbing: {radiation: {}, sponge: {thickness: 12 cells}}}, medium: {speed: '2 - x * y'}",
        "shape: {not: {circle: {center: [0.7, 0.4], radius: 0.15}}}, edges: {left: free, right: {absorbing: "
        "{sponge: {thickness: 9 cells}}}, bottom: fixed, top: free}, medium: {speed: '1 + y', damping: 0.3}"})
    for (const char* precision : {"double", "single"})
      for (const std::string& device : devices()) {
        SCOPED_TRACE(std::string(more) + ", " + precision + ", " + device);
        const bool single = std::string(precision) == "single";
        const auto yaml = [&](const char* method, const char* of, double tolerance) {
          return with(
              "{grid: {size: [1, 1.1], cells: [64, 50]}, %s, %s, sources: [{name: s, at: [0.31, 0.43], "
              "ricker: {frequency: 3, delay: 0.3}}], time: {courant: 1, steps: 50}, precision: %s, solver: "
              "{method: %s, norm: relative-2, tolerance: %g}}",
              more, pulse(0.1).c_str(), of, method, tolerance);
        };
        Running by_cg(yaml("cg", "double", 1e-12), device),
            at_once(yaml("chebyshev", precision, single ? 1e-6 : 1e-11), device);
        by_cg.finish();
        at_once.finish();
        EXPECT_EQ(by_cg.stepper->counts().count(pass), 0);
        EXPECT_GE(at_once.stepper->counts().count(pass), at_once.plan.steps);
        EXPECT_LT(difference(at_once.field(), by_cg.field()),
                  (single ? 1e-3 : 1e-7) * by_cg.stepper->largest_displacement());
        EXPECT_NEAR(at_once.stepper->energy(), by_cg.stepper->energy(),
                    (single ? 1e-3 : 1e-6) * by_cg.stepper->energy());
      }
}

/// A smooth wave takes one pass a step, at a tolerance that takes a rough one two; and no other pass reads
/// the fields.
TEST(AtOnce, TakesOnePassForASmoothWaveAndTwoForARoughOne) {
  for (const char* speed : {"1", "'1 + 0.1 * sin(6 * x) * y'"}) {
    const bool varies = std::string(speed) != "1";
    const auto run = [&](const std::string& initial) {
      Running r(
          with("{grid: {size: [1, 1], cells: [200, 200]}, medium: {speed: %s}, %s, time: {courant: 1, steps: "
               "100}, solver: {method: chebyshev, norm: relative-2, tolerance: 1e-8}}",
               speed, initial.c_str()));
      r.finish();
      // and that of the spectrum; of a varying medium those that scale its faces and its masses
      EXPECT_EQ(r.stepper->counts().passes, r.stepper->counts().count(pass) + (varies ? 3 : 1));
      return r;
    };
    const Running smooth = run(pulse(0.06));  // 1e-10 at the nearest edge: no kink there
    for (std::size_t k = 0; k < smooth.iterations.size(); ++k)
      EXPECT_EQ(smooth.iterations[k], 8) << "step " << k;
    const Running rough = run("initial: {displacement: 'sin(1e6 * x * (1 + y)) * sin(7e5 * y)'}");
    long passes = 0;
    for (const int n : rough.iterations) passes += n / 8;
    EXPECT_GE(passes, 200);
    EXPECT_LE(passes, 210);  // now and then it tries whether the wave has become smooth
  }
}

/// What studies ask of a step: the increment, although none is stored.
TEST(AtOnce, KnowsItsIncrement) {
  Running r(with(
      "{grid: {size: [1, 1], cells: [40, 40]}, medium: {speed: 1}, %s, time: {courant: 1, steps: 4}, solver: "
      "{method: chebyshev, tolerance: 1e-10}}",
      pulse(0.1).c_str()));
  r.step();
  const auto before = r.field();
  r.step();
  const auto after = r.field();
  const double* const d = std::get<const double*>(r.stepper->increment());
  const Extent e = make_extent(39, 39);  // the unknowns between fixed edges
  for (int row = 0; row < 39; ++row)
    for (int col = 0; col < 39; ++col) {
      const std::size_t node = std::size_t(row + 1) * 41 + std::size_t(col + 1);
      EXPECT_NEAR(d[row * e.pitch + col], after[node] - before[node], 1e-15);
    }
}

/// Where it does not hold, the system is solved as before: another scheme, a guess, another format, a matrix
/// of large condition.
TEST(AtOnce, LeavesOtherSystemsToSolves) {
  for (const char* more :
       {"medium: {speed: '1 + x'}, time: {courant: 1, steps: 3}, solver: {method: cg}",
        "medium: {speed: '1 + x'}, time: {courant: 30, steps: 3}, solver: {method: chebyshev}",
        "medium: {speed: 1}, time: {courant: 1, steps: 3, scheme: two-level}, solver: {method: chebyshev}",
        "medium: {speed: 1}, time: {courant: 1, steps: 3}, solver: {method: chebyshev, guess: extrapolate}",
        "medium: {speed: 1}, time: {courant: 1, steps: 3}, solver: {method: chebyshev, format: dia}",
        "medium: {speed: 1}, time: {courant: 30, steps: 3}, solver: {method: chebyshev}"}) {
    SCOPED_TRACE(more);
    Running r(with("{grid: {size: [1, 1], cells: [40, 40]}, %s, %s}", pulse(0.1).c_str(), more));
    if (r.scheme.name == "two-level") r.step();  // its start is of the first-order form
    const long before = r.stepper->counts().count(pass);
    r.finish();
    EXPECT_EQ(r.stepper->counts().count(pass), before);
  }
}

}  // namespace
}  // namespace wavesim::test
