// Explicit steps of eighth order in space and fourth in time against exact solutions.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "../running.hpp"
#include "orders.hpp"
#include "sim/run/advice.hpp"
#include "sim/time/scheme.hpp"

using namespace wavesim;
using namespace wavesim::test;

namespace {

constexpr double pi = std::numbers::pi;

constexpr double end = 0.7;  // seconds

/// The largest errors at the end of runs of `yaml` with so many cells and steps, against u(x, y, t).
template <class F>
std::vector<double> errors(const std::string& yaml, const std::vector<std::pair<int, int>>& cells_and_steps,
                           const F& u) {
  std::vector<double> all;
  for (const auto& [cells, steps] : cells_and_steps) {
    Running run(with(yaml.c_str(), cells, cells, end / steps, steps));
    run.finish();
    all.push_back(run.error([&](double x, double y) { return u(x, y, run.time()); }));
  }
  return all;
}
/// Steps so small that the error is the grid's, and cells so small that it is the step's.
const std::vector<std::pair<int, int>> grids{{12, 4000}, {24, 4000}}, steps{{120, 160}, {120, 320}};

const char* const explicit_steps = "space: {order: 8}, time: {scheme: explicit, step: %.17g, steps: %d}}";

/// A standing wave between the edges of `yaml`, on grids and with steps that get finer.
template <class F>
void expect_orders(const std::string& yaml, const F& u) {
  const auto in_space = errors(yaml + explicit_steps, grids, u),
             in_time = errors(yaml + explicit_steps, steps, u);
  EXPECT_GT(last_order(in_space), 7.7) << text(in_space);
  EXPECT_GT(last_order(in_time), 3.9) << text(in_time);
  EXPECT_LT(in_time.back(), 1e-7) << text(in_time);
}

}  // namespace

TEST(EighthOrder, StandingWaveBetweenFixedEdges) {
  expect_orders("{grid: {size: [1, 1], cells: [%d, %d]}, initial: {displacement: {mode: {m: 3, n: 2}}}, ",
                [](double x, double y, double t) {
                  return std::cos(pi * std::sqrt(13.0) * t) * std::sin(3 * pi * x) * std::sin(2 * pi * y);
                });
}

TEST(EighthOrder, StandingWaveBetweenFreeEdgesThatStartsWithAVelocity) {
  expect_orders(
      "{grid: {size: [1, 1], cells: [%d, %d]}, edges: free, initial: {velocity: "
      "\"cos(2*pi*x)*cos(3*pi*y)\"}, ",
      [](double x, double y, double t) {
        const double omega = pi * std::sqrt(13.0);
        return std::sin(omega * t) / omega * std::cos(2 * pi * x) * std::cos(3 * pi * y);
      });
}

TEST(EighthOrder, PlaneWaveRoundPeriodicEdges) {
  expect_orders(
      "{grid: {size: [1, 1], cells: [%d, %d]}, edges: periodic, initial: {displacement: "
      "\"sin(2*pi*(x+y))\", velocity: \"-2*pi*sqrt(2)*cos(2*pi*(x+y))\"}, ",
      [](double x, double y, double t) { return std::sin(2 * pi * (x + y - std::sqrt(2.0) * t)); });
}

TEST(EighthOrder, StandingWaveInATubeThatGoesRound) {
  expect_orders(
      "{grid: {size: [1, 1], cells: [%d, %d]}, edges: {left: periodic, right: periodic, bottom: fixed, top: "
      "free}, "
      "initial: {displacement: \"sin(2*pi*x)*sin(1.5*pi*y)\"}, ",
      [](double x, double y, double t) {
        return std::cos(2.5 * pi * t) * std::sin(2 * pi * x) * std::sin(1.5 * pi * y);
      });
}

// u = cos(9 t) sin(2 pi x) cos(2 pi y), m = 1 + cos(2 pi x)/2 of even images, T = 1: f = m u_tt - u_xx - u_yy.
TEST(EighthOrder, SmoothVaryingMediumWithAnAreaSource) {
  expect_orders(
      "{grid: {size: [1, 1], cells: [%d, %d]}, edges: {left: fixed, right: fixed, bottom: free, top: free}, "
      "medium: {model: acoustic, speed: \"1 / sqrt(1 + cos(2*pi*x)/2)\", density: 1}, "
      "initial: {displacement: \"sin(2*pi*x)*cos(2*pi*y)\"}, "
      "sources: [{name: a, area: \"(8*pi^2 - 81*(1 + cos(2*pi*x)/2))*sin(2*pi*x)*cos(2*pi*y)\", "
      "expression: \"cos(9*t)\"}], ",
      [](double x, double y, double t) {
        return std::cos(9 * t) * std::sin(2 * pi * x) * std::cos(2 * pi * y);
      });
}

// Off the nodes, beside edges, beside a run on a fine grid.
TEST(EighthOrder, TraceOfAPointSource) {
  for (const char* edges : {"fixed", "free"}) {
    const auto trace = [&](int n) {
      Running run(with(
          "{grid: {size: [1, 1], cells: [%d, %d]}, edges: %s, space: {order: 8}, medium: {model: acoustic, "
          "density: 1, speed: \"1 + 0.1*cos(2*pi*x)*cos(2*pi*y)\"}, sources: [{name: s, at: [0.413, 0.031], "
          "ricker: {frequency: 3, delay: 0.4}}], receivers: [{name: r, at: [0.671, 0.327]}], time: {scheme: "
          "explicit, step: %.17g, steps: %d}}",
          n, n, edges, 0.04 / n, int(22 * n)));
      std::vector<double> values;
      while (run.done < run.plan.steps) {
        run.step();
        if (run.done % n != 0) continue;
        run.stepper->sample(run.time());
        values.push_back(run.stepper->samples()[0][0]);
      }
      return values;
    };
    const auto fine = trace(144);
    std::vector<double> e;
    for (const int n : {24, 48}) {
      const auto coarse = trace(n);
      double squares = 0, size = 0;
      for (std::size_t k = 0; k < fine.size(); ++k)
        squares += std::pow(coarse[k] - fine[k], 2), size += fine[k] * fine[k];
      e.push_back(std::sqrt(squares / size));
    }
    EXPECT_GT(last_order(e), 7) << edges << ": " << text(e);
    EXPECT_LT(e.back(), 5e-5) << edges << ": " << text(e);
  }
}

TEST(EighthOrder, ConservesEnergyInTenThousandStepsNearItsLimit) {
  for (const char* edges : {"fixed", "free", "periodic"}) {
    Running run(with(
        "{grid: {size: [1, 1.2], cells: [24, 20]}, edges: %s, space: {order: 8}, medium: {model: acoustic, "
        "speed: \"x < 0.4 ? 1 : 0.6\", density: 2}, initial: {displacement: \"sin(1000*x*y) + sin(3141*x + "
        "777*y)\"}, time: {scheme: explicit, courant: 0.96, steps: 10000}}",
        edges));
    run.step();
    EXPECT_LT(energy_drift(run), 1e-10) << edges;
  }
}

TEST(EighthOrder, HasTheErrorsThatAdviceNames) {
  Running run(
      "{grid: {size: [1, 1], cells: [24, 24]}, edges: periodic, space: {order: 8}, initial: {displacement: "
      "\"cos(8*pi*x)\"}, time: {scheme: explicit, courant: 0.1, end: 21.0625}}");
  run.finish();
  const double kh = pi / 3, z = 8 * pi * run.plan.dt;
  const double slower = space_phase_error(8, kh) + time_phase_error(run.scheme, z);
  const double angle = 8 * pi * 21.0625 * (1 - slower);
  EXPECT_LT(run.error([&](double x, double) { return std::cos(8 * pi * x) * std::cos(angle); }), 0.04);
  EXPECT_GT(run.error([&](double x, double) { return std::cos(8 * pi * x) * std::cos(8 * pi * 21.0625); }),
            0.08);
}

TEST(EighthOrder, DecaysWithDampingAndAbsorbingEdgesNearItsLimit) {
  for (const char* loss :
       {"edges: {absorbing: {radiation: {}}}", "edges: {absorbing: {sponge: {thickness: 8 cells}}}",
        "medium: {speed: 2, damping: \"x < 0.5 ? 0 : 100\"}",
        "edges: {left: {absorbing: {radiation: {}}}, right: free, bottom: fixed, top: fixed}, "
        "medium: {model: acoustic, density: 1, speed: \"y < 0.3 ? 1 : 2\", damping: 3}"}) {
    Running run(with(
        "{grid: {size: [1, 1], cells: [40, 36]}, space: {order: 8}, %s, initial: {displacement: "
        "\"sin(1000*x*y) + sin(3141*x + 777*y)\"}, time: {scheme: explicit, courant: 0.96, steps: 3000}}",
        loss));
    run.step();
    const double first = run.stepper->energy();
    double before = first;
    while (run.done < run.plan.steps) {
      run.step();
      const double now = run.stepper->energy();
      ASSERT_LE(now, before + 1e-10 * first) << loss << " at step " << run.done;
      before = now;
    }
    EXPECT_LT(before, 0.1 * first) << loss;
  }
}

// A pulse that falls straight on a radiating edge.
TEST(EighthOrder, RadiationLetsWavesOut) {
  const auto e = errors(
      "{grid: {size: [1, 1], cells: [%d, %d]}, edges: {left: {absorbing: {radiation: {}}}, right: "
      "{absorbing: "
      "{radiation: {}}}, bottom: free, top: free}, initial: {displacement: \"exp(-((x-0.5)/0.08)^2)\"}, "
      "space: "
      "{order: 8}, medium: {speed: 3}, time: {scheme: explicit, step: %.17g, steps: %d}}",
      {{48, 200}, {96, 400}}, [](double, double, double) { return 0; });
  EXPECT_LT(e.front(), 5e-3) << text(e);
  EXPECT_GT(last_order(e), 1.5) << text(e);
}

TEST(EighthOrder, SaysWhatItDoesNotDo) {
  const auto with_order = [](const std::string& rest) {
    return "{space: {order: 8}, time: {scheme: explicit, courant: 0.5, steps: 1}, " + rest + "}";
  };
  EXPECT_SENTENCE(Running("{space: {order: 8}, time: {steps: 1}}"), "scheme: explicit", "crank-nicolson");
  EXPECT_SENTENCE(Running(with_order("shape: {circle: {center: [0.5, 0.5], radius: 0.4}}")), "rectangles",
                  "numerov");
  EXPECT_SENTENCE(Running(with_order("medium: {speed: \"1 + x\"}")), "one tension", "acoustic");
  EXPECT_SENTENCE(
      Running(with_order("edges: {left: {driven: {sinusoid: {frequency: 1}}}, right: fixed, bottom: "
                         "fixed, top: fixed}")),
      "driven", "left");
  EXPECT_SENTENCE(Running(with_order("edges: absorbing")), "perfectly matched", "sponge");
  EXPECT_SENTENCE(Running(with_order("output: {energy: {balance: true}}")), "balance");
  EXPECT_SENTENCE(Running(with_order("grid: {size: [1, 1], cells: [40, 9]}")), "10 cells", "9 along y");
  EXPECT_SENTENCE(Running("{space: {order: 8}, time: {scheme: explicit, courant: 0.97, steps: 1}}"),
                  "unstable", "0.960");
  EXPECT_SENTENCE(Running("{space: {order: 6}}"), "write 2, 4 or 8");
}
