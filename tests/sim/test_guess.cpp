// Guesses: the same waves as without, in fewer iterations.

#include <gtest/gtest.h>

#include "sim/run/memory.hpp"
#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

/// A pulse over a layered medium that goes on for a while.
constexpr const char* pulse =
    "grid: {size: [1, 1], cells: [60, 50]}, medium: {speed: '1 + 0.4 * (y > 0.6)'}, "
    "initial: {displacement: {gaussian: {center: [0.4, 0.5], width: 0.12, amplitude: 1}}}";

struct Outcome {
  std::vector<double> u;
  double iterations = 0, drift = 0;
};

Outcome run(const std::string& scheme, double courant, double tolerance, const std::string& guess,
            const std::string& more = "") {
  Running r(with("{%s, time: {%s, courant: %g, steps: 60}, solver: {tolerance: %g, guess: %s}%s}", pulse,
                 scheme.c_str(), courant, tolerance, guess.c_str(), more.c_str()));
  const double first = r.stepper->energy();
  r.finish();
  Outcome o;
  o.u = r.field();
  for (const int n : r.iterations) o.iterations += n;
  o.drift = std::abs(r.stepper->energy() / first - 1);
  return o;
}

double difference(const Outcome& a, const Outcome& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.u.size(); ++i) most = std::max(most, std::abs(a.u[i] - b.u[i]));
  return most;
}

const std::vector<std::string> guesses{"extrapolate, guess-degree: 0",   "extrapolate, guess-degree: 1",
                                       "extrapolate, guess-degree: 2",   "projection, guess-solutions: 1",
                                       "projection, guess-solutions: 4", "projection, guess-solutions: 7"};

TEST(Guess, LeavesTheWavesAsTheyAre) {
  const std::vector<std::string> schemes{"scheme: crank-nicolson", "scheme: two-level",
                                         "scheme: theta, weights: [0.4, 0.3, 0.3]"};
  for (const std::string& scheme : schemes) {
    const Outcome exact = run(scheme, 2, 1e-11, "previous");
    for (const std::string& guess : guesses) {
      const Outcome o = run(scheme, 2, 1e-9, guess);
      EXPECT_LT(difference(o, exact), 1e-6) << scheme << ", " << guess;
      EXPECT_GT(difference(o, exact), 0) << scheme << ", " << guess;  // it was another guess
    }
  }
}

/// Steps that are short beside the wave: at Courant numbers above 1 what a guess leaves over is rough, and
/// conjugate gradients take as long for it as for all of a smooth wave.
TEST(Guess, OfASmoothWaveSavesIterations) {
  const auto iterations = [](const std::string& guess) {
    Running r(
        with("{grid: {size: [1, 1], cells: [100, 100]}, medium: {speed: 1}, "
             "initial: {displacement: {gaussian: {center: [0.5, 0.5], width: 0.07, amplitude: 1}}}, "
             "time: {courant: 0.5, steps: 40}, solver: {tolerance: 1e-6, guess: %s}}",
             guess.c_str()));
    r.finish();
    double sum = 0;
    for (const int n : r.iterations) sum += n;
    return sum;
  };
  const double without = iterations("previous");
  for (const std::string& guess : guesses) EXPECT_LT(iterations(guess), 0.75 * without) << guess;
  EXPECT_LT(iterations("projection, guess-solutions: 7"), iterations("projection, guess-solutions: 1"));
}

TEST(Guess, LetsTheEnergyDriftWithTheToleranceAndNoFurther) {
  for (const std::string& guess : guesses) {
    EXPECT_LT(run("scheme: crank-nicolson", 2, 1e-5, guess).drift, 1e-3) << guess;
    EXPECT_LT(run("scheme: crank-nicolson", 2, 1e-10, guess).drift, 1e-8) << guess;
  }
}

TEST(Guess, WorksInSinglePrecisionAndWithStoredMatrices) {
  for (const std::string& guess : guesses) {
    const Outcome wide = run("scheme: crank-nicolson", 2, 1e-5, guess),
                  narrow = run("scheme: crank-nicolson", 2, 1e-5, guess, ", precision: single");
    EXPECT_LT(difference(wide, narrow), 1e-2) << guess;
    const Outcome stored = run("scheme: crank-nicolson", 2, 1e-9, guess + ", format: dia"),
                  computed = run("scheme: crank-nicolson", 2, 1e-9, guess);
    EXPECT_LT(difference(stored, computed), 1e-6) << guess;
  }
}

TEST(Guess, ByProjectionFindsASolutionThatIsCombinedOfEarlierOnesAtOnce) {
  // A standing wave: every increment is a multiple of the one mode.
  Running r(
      "{grid: {size: [1, 1], cells: [40, 40]}, medium: {speed: 1}, "
      "initial: {displacement: {mode: {m: 1, n: 1}}}, time: {courant: 2, steps: 8}, "
      "solver: {method: jacobi, tolerance: 1e-7, guess: projection}}");
  r.finish();
  EXPECT_GT(r.iterations[0], 5);
  for (std::size_t n = 1; n < r.iterations.size(); ++n) EXPECT_LE(r.iterations[n], 1) << n;
}

TEST(Guess, CountsTheMemoryItKeeps) {
  const auto bytes = [](const char* guess) {
    const Config c = config(with("{%s, time: {courant: 2, steps: 60}, solver: {guess: %s}}", pulse, guess));
    return double(device_bytes(c, build_model(c)));
  };
  const double field = (bytes("extrapolate, guess-degree: 2") - bytes("previous")) / 2;
  EXPECT_GE(field, 8 * 59 * 49);
  EXPECT_EQ(bytes("extrapolate"), bytes("previous"));
  EXPECT_EQ(bytes("extrapolate, guess-degree: 1"), bytes("previous") + field);
  EXPECT_EQ(bytes("projection"), bytes("previous") + 4 * field);
}

TEST(Guess, RefusesOptionsOfAnotherGuess) {
  EXPECT_THROW(config(with("{%s, time: {courant: 2, steps: 1}, solver: {guess-degree: 1}}", pulse)),
               InputError);
  EXPECT_THROW(config(with("{%s, time: {courant: 2, steps: 1}, solver: {guess: extrapolate, "
                           "guess-solutions: 2}}",
                           pulse)),
               InputError);
  EXPECT_THROW(config(with("{%s, time: {courant: 2, steps: 1}, solver: {guess: projection, "
                           "guess-solutions: 8}}",
                           pulse)),
               InputError);
}

}  // namespace
}  // namespace wavesim::test
