// Schemes of fourth order against exact solutions.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "../running.hpp"
#include "frequencies.hpp"
#include "orders.hpp"
#include "sim/run/advice.hpp"
#include "sim/time/scheme.hpp"

using namespace wavesim;
using namespace wavesim::test;

namespace {

constexpr double pi = std::numbers::pi;

const char* const numerov =
    "space: {order: 4}, time: {scheme: numerov, courant: 0.6, end: 0.7}, solver: {tolerance: 1e-12}";
const char* const crank_nicolson =
    "space: {order: 4}, time: {scheme: crank-nicolson, order: 4, courant: 0.5, end: 0.7}, solver: "
    "{tolerance: 1e-12}";

/// By the settings of space, time and solver.
class FourthOrderInTime : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Schemes, FourthOrderInTime, testing::Values(numerov, crank_nicolson),
                         [](const auto& info) { return info.index == 0 ? "Numerov" : "CrankNicolson"; });

/// The largest error at the end of runs of `yaml`, whose cells are %d x %d, against u(x, y, t).
template <class F>
std::vector<double> errors(const std::string& yaml, const F& u, double slope = 1,
                           std::initializer_list<int> cells = {16, 32, 64}) {
  std::vector<double> all;
  for (const int n : cells) {
    Running run(with(yaml.c_str(), n, int(n * slope)));
    run.finish();
    all.push_back(run.error([&](double x, double y) { return u(x, y, run.time()); }));
  }
  return all;
}

}  // namespace

TEST_P(FourthOrderInTime, StandingWaveBetweenFixedEdges) {
  const auto e = errors(
      "{grid: {size: [1, 1], cells: [%d, %d]}, initial: {displacement: {mode: {m: 2, n: 1}}}, " +
          std::string(GetParam()) + "}",
      [](double x, double y, double t) {
        return std::cos(pi * std::sqrt(5.0) * t) * std::sin(2 * pi * x) * std::sin(pi * y);
      },
      1.25);
  EXPECT_GT(last_order(e), 3.8) << text(e);
  EXPECT_LT(e.back(), 3e-6) << text(e);
}

TEST_P(FourthOrderInTime, StandingWaveBetweenFreeEdgesThatStartsWithAVelocity) {
  const auto e = errors(
      "{grid: {size: [1, 1], cells: [%d, %d]}, edges: free, initial: {velocity: "
      "\"cos(pi*x)*cos(2*pi*y)\"}, " +
          std::string(GetParam()) + "}",
      [](double x, double y, double t) {
        const double omega = pi * std::sqrt(5.0);
        return std::sin(omega * t) / omega * std::cos(pi * x) * std::cos(2 * pi * y);
      });
  EXPECT_GT(last_order(e), 3.8) << text(e);
}

TEST_P(FourthOrderInTime, PlaneWaveRoundPeriodicEdges) {
  const auto e = errors(
      "{grid: {size: [1, 1], cells: [%d, %d]}, edges: periodic, initial: {displacement: "
      "\"sin(2*pi*(x+y))\", velocity: \"-2*pi*sqrt(2)*cos(2*pi*(x+y))\"}, " +
          std::string(GetParam()) + "}",
      [](double x, double y, double t) { return std::sin(2 * pi * (x + y - std::sqrt(2.0) * t)); });
  EXPECT_GT(last_order(e), 3.8) << text(e);
}

// A wave that comes through the left edge; the other side is far.
TEST_P(FourthOrderInTime, WaveFromADrivenEdge) {
  const auto e = errors(
      "{grid: {size: [1, 0.25], cells: [%d, %d]}, edges: {left: {driven: {expression: "
      "\"sin(3*t)^6\"}}, right: fixed, bottom: free, top: free}, " +
          std::string(GetParam()) + "}",
      [](double x, double, double t) { return t > x ? std::pow(std::sin(3 * (t - x)), 6) : 0; }, 0.25,
      {48, 96, 192});
  EXPECT_GT(last_order(e), 3.7) << text(e);
}

// u = cos(2 t) sin(pi x) cos(pi y / 2), m = 1 + x/2, T = 1 + y/2: f = m u_tt - div(T grad u).
TEST_P(FourthOrderInTime, SmoothVaryingMediumWithAnAreaSource) {
  const auto e = errors(
      "{grid: {size: [1, 1], cells: [%d, %d]}, edges: {left: fixed, right: fixed, bottom: free, top: fixed}, "
      "medium: {density: \"1 + x/2\", speed: \"sqrt((1 + y*y/2) / (1 + x/2))\"}, "
      "initial: {displacement: \"sin(pi*x)*cos(pi*y/2)\"}, "
      "sources: [{name: a, area: \"-4*(1 + x/2)*sin(pi*x)*cos(pi*y/2) + (1 + "
      "y*y/2)*pi*pi*1.25*sin(pi*x)*cos(pi*y/2) "
      "+ 0.5*pi*y*sin(pi*y/2)*sin(pi*x)\", expression: \"cos(2*t)\"}], " +
          std::string(GetParam()) + "}",
      [](double x, double y, double t) { return std::cos(2 * t) * std::sin(pi * x) * std::cos(pi * y / 2); });
  EXPECT_GT(last_order(e), 3.5) << text(e);
  EXPECT_LT(e.back(), 2e-7) << text(e);
}

TEST(FourthOrder, FrequenciesOfASmoothVaryingMedium) {
  for (const char* edges : {"fixed", "free"}) {
    std::vector<std::vector<double>> found;
    for (const int n : {12, 24, 48, 96})
      found.push_back(frequencies(
          model(with(
              "{grid: {size: [1, 1], cells: [%d, %d]}, edges: %s, space: {order: 4}, medium: {density: \"1 + "
              "0.3*cos(4*x)*sin(2*y+1)\", speed: \"sqrt((1 + 0.4*sin(3*x+0.5)*cos(2*y)) / (1 + "
              "0.3*cos(4*x)*sin(2*y+1)))\"}}",
              n, n + n / 4, edges)),
          6));
    double order = 9;
    for (std::size_t k = 1; k < 6; ++k)  // differences fall by 16 from one grid to the next
      order = std::min(order, std::log2(std::abs((found[1][k] - found[2][k]) / (found[2][k] - found[3][k]))));
    EXPECT_GT(order, 3.8) << edges;
  }
}

// Off the nodes, beside a run on a fine grid.
TEST(FourthOrder, TraceOfAPointSource) {
  const auto trace = [](int n) {
    Running run(with(
        "{grid: {size: [1, 1], cells: [%d, %d]}, edges: periodic, space: {order: 4}, medium: {speed: \"1 + "
        "0.2*sin(2*pi*x)*cos(2*pi*y)\"}, sources: [{name: s, at: [0.413, 0.531], ricker: {frequency: 3, "
        "delay: 0.4}}], receivers: [{name: r, at: [0.671, 0.327]}], time: {scheme: numerov, step: %.17g, "
        "steps: %d}, solver: {tolerance: 1e-12}}",
        n, n, 0.4 / n, int(2.2 * n)));
    std::vector<double> values;
    while (run.done < run.plan.steps) {
      run.step();
      if (run.done % (n / 20) != 0) continue;
      run.stepper->sample(run.time());
      values.push_back(run.stepper->samples()[0][0]);
    }
    return values;
  };
  const auto fine = trace(160);
  std::vector<double> e;
  for (const int n : {20, 40, 80}) {
    const auto coarse = trace(n);
    double squares = 0, size = 0;
    for (std::size_t k = 0; k < fine.size(); ++k)
      squares += std::pow(coarse[k] - fine[k], 2), size += fine[k] * fine[k];
    e.push_back(std::sqrt(squares / size));
  }
  EXPECT_GT(last_order(e), 3.6) << text(e);
}

TEST(FourthOrder, NumerovConservesEnergyInTenThousandStepsNearItsLimit) {
  Running run(
      "{grid: {size: [1, 1], cells: [24, 24]}, space: {order: 4}, initial: {displacement: {gaussian: "
      "{center: [0.4, "
      "0.55], width: 0.05}}}, time: {scheme: numerov, courant: 0.705, steps: 10000}, solver: {tolerance: "
      "1e-13}}");
  run.step();
  EXPECT_LT(energy_drift(run), 1e-10);
}

TEST(FourthOrder, CrankNicolsonConservesEnergyInFiveThousandLongSteps) {
  for (const char* velocity : {"0", "\"sin(2*pi*x)*sin(pi*y)\""}) {
    Running run(
        with("{grid: {size: [1, 1], cells: [24, 24]}, space: {order: 4}, initial: {displacement: {gaussian: "
             "{center: [0.4, 0.55], width: 0.05}}, velocity: %s}, time: {order: 4, courant: 3, steps: 5000}, "
             "solver: {tolerance: 1e-12}}",
             velocity));
    run.step();
    run.step();
    EXPECT_LT(energy_drift(run), 1e-10) << velocity;
  }
}

// The error of the frequency is z^4/15, after one period at Courant numbers that no scheme with a limit has.
TEST(FourthOrder, CrankNicolsonHasTheErrorOfMathMdAtLongSteps) {
  const double omega = pi * std::sqrt(2.0);
  for (const double courant : {1.5, 3.0}) {
    Running run(with(
        "{grid: {size: [1, 1], cells: [64, 64]}, space: {order: 4}, initial: {displacement: {mode: {m: 1, "
        "n: 1}}}, time: {order: 4, courant: %g, end: %.17g}, solver: {tolerance: 1e-12}}",
        courant, 10.25 * 2 * pi / omega));
    run.finish();
    const double z = omega * run.plan.dt, slower = std::pow(z, 4) / 15 + std::pow(pi / 64, 4) / 480;
    EXPECT_NEAR(time_phase_error(run.scheme, z), std::pow(z, 4) / 15, 1e-18);
    const double angle = 10.25 * 2 * pi * (1 - slower);  // u is cos of it, and near 0
    const double error =
        run.error([&](double x, double y) { return std::cos(angle) * std::sin(pi * x) * std::sin(pi * y); });
    EXPECT_LT(error, 0.05 * std::abs(std::cos(angle))) << courant;
  }
}

TEST(FourthOrder, CrankNicolsonDecaysWithDampingAndRadiationAtAnyStep) {
  for (const int order : {2, 4})
    for (const double courant : {1.0, 30.0})
      for (const char* loss :
           {"edges: {absorbing: {radiation: {}}}",
            "medium: {speed: \"1 + 0.5*sin(7*x+3*y)\", damping: \"x < 0.5 ? 0 : 100\"}",
            "shape: {circle: {center: [0.5, 0.5], radius: 0.41}, edge: {absorbing: {reflection: 0.1}}}"}) {
        Running run(
            with("{grid: {size: [1, 1], cells: [20, 24]}, space: {order: %d}, %s, initial: {displacement: "
                 "\"sin(1000*x*y) + sin(3141*x + 777*y)\"}, time: {order: 4, courant: %g, steps: 600}, "
                 "solver: {tolerance: 1e-9}}",
                 order, loss, courant));
        run.step();
        const double first = run.stepper->largest_displacement();
        run.finish();
        EXPECT_LT(run.stepper->largest_displacement(), 2 * first) << order << loss << courant;
      }
}

// While the damping of a point is below three times its mass: the Courant number of a radiating edge below 1.5.
TEST(FourthOrder, CrankNicolsonRadiatesWithSecondOrder) {
  const auto e = errors(
      "{grid: {size: [1, 0.25], cells: [%d, %d]}, space: {order: 4}, edges: {left: free, right: {absorbing: "
      "{radiation: "
      "{}}}, bottom: free, top: free}, initial: {displacement: \"exp(-((x-0.5)/0.08)^2)\"}, time: {order: 4, "
      "courant: 0.8, end: 2}, solver: {tolerance: 1e-12}}",
      [](double, double, double) { return 0; }, 0.25, {64, 128, 256});
  EXPECT_GT(last_order(e), 1.9) << text(e);
}

TEST(FourthOrder, CrankNicolsonOfFourthOrderSaysWhatItDoesNotDo) {
  EXPECT_SENTENCE(Running("{time: {order: 3, steps: 1}}"), "order' is 3", "2 or 4");
  EXPECT_SENTENCE(Running("{time: {scheme: explicit, order: 4, steps: 1}}"), "remove 'order'");
  EXPECT_SENTENCE(Running("{edges: absorbing, time: {order: 4, steps: 1}}"), "perfectly matched", "radiation",
                  "order: 2");
  EXPECT_SENTENCE(Running("{time: {order: 4, steps: 1}, solver: {energy: exact}}"), "energy: exact",
                  "order: 2");
  EXPECT_SENTENCE(Running("{time: {order: 4, steps: 1}, output: {energy: {balance: true}}}"), "balance",
                  "order: 2");
}

TEST(FourthOrder, NumerovIsRefusedBeyondItsCourantNumber) {
  EXPECT_SENTENCE(Running("{space: {order: 4}, time: {scheme: numerov, courant: 0.71, steps: 1}}"),
                  "unstable", "0.707", "crank-nicolson");
  EXPECT_SENTENCE(Running("{time: {scheme: numerov, courant: 0.87, steps: 1}}"), "unstable", "0.866");
  EXPECT_SENTENCE(Running("{space: {order: 4}, time: {scheme: explicit, courant: 0.5, steps: 1}}"),
                  "numerov");
  EXPECT_SENTENCE(Running("{space: {order: 3}}"), "write 2, 4 or 8");
}

TEST(FourthOrder, JumpsOfTheMediumKeepTheLimit) {
  const char* const yaml =
      "{grid: {size: [1, 1], cells: [40, 40]}, space: {order: 4}, medium: {speed: \"y < 0.517 ? 1 : 3\", "
      "density: "
      "\"x < 0.41 ? 1 : 0.3\"}, initial: {displacement: "
      "{gaussian: {center: [0.45, 0.5], width: 0.04}}}, time: {scheme: numerov, courant: 0.705, steps: "
      "2000}, solver: "
      "{tolerance: 1e-13}}";
  Running run(yaml);
  run.step();
  const double first = run.stepper->energy();
  run.finish();
  EXPECT_NEAR(run.stepper->energy() / first, 1, 1e-9);
}

TEST(FourthOrder, DrumsWithCutRimsAreOfThirdOrder) {
  std::vector<double> errors;
  for (const int n : {50, 100, 200})
    errors.push_back(worst_error(model(with("{grid: {size: [1, 1], cells: [%d, %d]}, space: {order: 4}, "
                                            "shape: {circle: {center: [0.5031, 0.4977], radius: 0.4}}}",
                                            n, n)),
                                 fixed_drum));
  EXPECT_GT(last_order(errors), 2.8) << text(errors);
  EXPECT_LT(errors.back(), 4e-6) << text(errors);
}

TEST(FourthOrder, ARunOfADrumWithACutRimIsOfThirdOrder) {
  const double k = fixed_drum[0];
  std::string bessel = "1";  // J0(k r) by its series, whose terms are below 1e-14 in the end
  for (int n = 12; n >= 1; --n) bessel = with("1-q/%d*(", n * n) + bessel + ")";
  const std::string q = with("(%.15g*((x-0.5031)^2+(y-0.4977)^2))", k * k / 4);
  for (std::size_t at; (at = bessel.find('q')) != std::string::npos;) bessel.replace(at, 1, q);
  const auto e = errors(
      "{grid: {size: [1, 1], cells: [%d, %d]}, space: {order: 4}, "
      "shape: {circle: {center: [0.5031, 0.4977], radius: 0.4}}, "
      "time: {scheme: numerov, courant: 0.6, end: 0.3}, "
      "solver: {tolerance: 1e-11, preconditioner: jacobi}, "
      "initial: {displacement: \"" +
          bessel + "\"}}",
      [&](double x, double y, double t) {
        const double r = std::hypot(x - 0.5031, y - 0.4977);
        return r < 0.4 ? std::cyl_bessel_j(0, k * r) * std::cos(k * t) : 0;
      },
      1, {32, 64, 128});
  EXPECT_GT(last_order(e), 2.7) << text(e);
}

TEST(FourthOrder, EllipsesOnCellsThatAreNoSquaresAreOfThirdOrder) {
  std::array<std::vector<double>, 3> f;
  for (int k = 0; k < 3; ++k)
    f[k] = frequencies(
        model(with(
            "{grid: {size: [1, 1.2], cells: [%d, %d]}, space: {order: 4}, medium: {speed: 2, density: 3}, "
            "shape: {ellipse: {center: [0.5031, 0.5977], radii: [0.42, 0.27], angle: 25}}}",
            50 << k, 48 << k)),
        6);
  for (int i = 0; i < 6; ++i) {
    const double coarse = std::abs(f[0][i] - f[1][i]), fine = std::abs(f[1][i] - f[2][i]);
    EXPECT_GT(std::log2(coarse / fine), 2.6) << i << ": " << coarse << " " << fine;
  }
}

TEST(FourthOrder, CutRimsKeepTheLimitOfTheStep) {
  for (const char* edge : {"fixed", "free"}) {
    Running run(with(
        "{grid: {size: [1, 1], cells: [40, 40]}, space: {order: 4}, shape: {circle: {center: [0.5031, "
        "0.4977], radius: 0.4}, edge: %s}, initial: {displacement: {gaussian: {center: [0.45, 0.5], width: "
        "0.05}}}, time: {scheme: numerov, courant: 0.705, steps: 2000}, solver: {tolerance: 1e-13}}",
        edge));
    run.step();
    const double first = run.stepper->energy();
    run.finish();
    EXPECT_NEAR(run.stepper->energy() / first, 1, 1e-9) << edge;
  }
}
