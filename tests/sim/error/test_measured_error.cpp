// wavesim error: the error that finer runs tell, beside the true one.
#include "sim/error/measured_error.hpp"

#include <numbers>

#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

constexpr double pi = std::numbers::pi;

/// The relative error of a standing wave with one half wave along x and two along y, at the end.
double true_error(const std::string& yaml) {
  Running run(yaml);
  run.finish();
  const auto u = run.field();
  const Grid& g = run.model.grid;
  const double omega = pi * std::sqrt(5.0);
  double off = 0, all = 0;
  for (long iy = 0; iy < g.nodes(1); ++iy)
    for (long ix = 0; ix < g.nodes(0); ++ix) {
      const double exact = std::sin(pi * g.x(ix)) * std::sin(2 * pi * g.y(iy)) * std::cos(omega * run.time());
      off += (u[g.index(ix, iy)] - exact) * (u[g.index(ix, iy)] - exact), all += exact * exact;
    }
  return std::sqrt(off / all);
}

std::string standing(const char* scheme, int order) {
  return with(
      "{grid: {size: [1, 1], cells: [20, 20]}, edges: fixed, space: {order: %d}, medium: {speed: 1}, "
      "initial: {displacement: \"sin(pi * x) * sin(2 * pi * y)\"}, receivers: [{name: a, at: [0.3, 0.2]}], "
      "time: {scheme: %s, courant: 0.6, end: 2.1}, solver: {tolerance: 1e-12}}",
      order, scheme);
}

TEST(MeasuredError, IsTheTrueErrorOfAStandingWave) {
  const struct {
    const char* scheme;
    int order;
  } cases[] = {{"crank-nicolson", 2}, {"explicit", 2}, {"numerov", 4}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.scheme);
    const std::string yaml = standing(c.scheme, c.order);
    const MeasuredError e = measure_error(config(yaml), "cpu", {}, {});
    EXPECT_EQ(e.order_in_time, c.order);
    EXPECT_EQ(e.order_in_space, c.order);
    ASSERT_TRUE(e.displacement && e.traces);
    EXPECT_NEAR(e.displacement->both, true_error(yaml), 0.1 * true_error(yaml));
    EXPECT_GT(e.traces->both, 0);
    EXPECT_DOUBLE_EQ(e.until, 2.1);
  }
}

TEST(MeasuredError, TellsTheStepFromTheGrid) {
  // crank-nicolson at a Courant number of 3: nine tenths and more are the step's
  const MeasuredError e =
      measure_error(config("{grid: {size: [1, 1], cells: [60, 60]}, edges: free, initial: {displacement: "
                           "\"cos(pi * x)\"}, time: {courant: 3, end: 2}, solver: {tolerance: 1e-12}}"),
                    "cpu", {}, {});
  ASSERT_TRUE(e.displacement);
  EXPECT_FALSE(e.traces);
  EXPECT_GT(e.displacement->step, 9 * e.displacement->grid);
}

TEST(MeasuredError, RunsUntilATimeAndSaysWhichRunItIs) {
  std::vector<std::array<long, 3>> runs;
  const MeasuredError e = measure_error(config(standing("crank-nicolson", 2)), "cpu", 0.5,
                                        [&](int k, const std::array<long, 2>& cells, long steps) {
                                          runs.push_back({k, cells[0], steps});
                                        });
  EXPECT_GE(e.until, 0.5);
  EXPECT_LT(e.until, 0.55);
  EXPECT_DOUBLE_EQ(e.end, 2.1);
  const std::vector<std::array<long, 3>> expected{
      {1, 20, e.steps}, {2, 20, 2 * e.steps}, {3, 40, 2 * e.steps}};
  EXPECT_EQ(runs, expected);
}

TEST(MeasuredError, RefusesATimeBeyondTheEnd) {
  EXPECT_SENTENCE(measure_error(config(standing("crank-nicolson", 2)), "cpu", 3.0, {}), "3 s", "2.1 s");
  EXPECT_SENTENCE(measure_error(config(standing("crank-nicolson", 2)), "cpu", -1.0, {}), "-1 s");
}

TEST(MeasuredError, KeepsTheMetresOfLayersThatAreCountedInCells) {
  // both sponges are 0.2 m thick; if the finer run had half of it, much more would return
  const auto error_with = [](const char* thickness) {
    return *measure_error(
                config(
                    with("{grid: {size: [1, 0.2], cells: [50, 10]}, edges: {left: free, right: {absorbing: "
                         "{sponge: {thickness: \"%s\"}}}, bottom: free, top: free}, initial: {displacement: "
                         "\"exp(-((x - 0.5)/0.1)^2)\"}, time: {courant: 0.5, end: 1.5}, solver: "
                         "{tolerance: 1e-10}}",
                         thickness)),
                "cpu", {}, {})
                .displacement;
  };
  const ErrorParts cells = error_with("10 cells"), metres = error_with("0.2");
  EXPECT_NEAR(cells.both, metres.both, 1e-6 * metres.both);
}

}  // namespace
}  // namespace wavesim::test
