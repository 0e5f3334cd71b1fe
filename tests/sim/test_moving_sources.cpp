// Sources that move, areas that change in time, dipoles.

#include <gtest/gtest.h>

#include <complex>
#include <numbers>

#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

const std::string room = "grid: {size: [1, 1], cells: [50, 50]}\nmedium: {speed: 1, damping: 0.3}\n";
const char* const schemes[] = {
    "time: {scheme: explicit, courant: 0.7, end: 0.4}\n",
    "time: {scheme: crank-nicolson, courant: 1, end: 0.4}\nsolver: {method: cg, tolerance: 1e-12}\n",
    "time: {scheme: crank-nicolson, courant: 1, end: 0.4}\nsolver: {method: chebyshev, format: stencil, "
    "tolerance: 1e-12}\n",
    "time: {scheme: two-level, courant: 1, end: 0.4}\nsolver: {method: cg, tolerance: 1e-12}\n",
    "time: {scheme: numerov, courant: 0.7, end: 0.4}\nspace: {order: 4}\nsolver: {method: cg, tolerance: "
    "1e-12}\n"};

std::vector<double> end_of(const std::string& yaml) {
  Running run(yaml);
  run.finish();
  return run.field();
}

void expect_same(const std::vector<double>& a, const std::vector<double>& b, double to,
                 const std::string& where) {
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i]));
    difference = std::max(difference, std::abs(a[i] - b[i]));
  }
  EXPECT_GT(largest, 1e-6) << where;
  EXPECT_LE(difference, to * largest) << where;
}

/// Splines spread a source that may move, so only waves a few cells away are those of one that rests, to second order.
TEST(MovingSources, ThatStandStillAreThoseThatRest) {
  const auto far_of = [](const std::string& yaml) {
    Running run(yaml);
    run.finish();
    std::vector<double> u = run.field();
    const Grid& g = run.model.grid;
    for (std::size_t i = 0; i < u.size(); ++i) {
      const auto [ix, iy] = g.place(i);
      if (std::hypot(g.x(ix) - 0.431, g.y(iy) - 0.52) < 0.1) u[i] = 0;
    }
    return u;
  };
  for (const std::string scheme : schemes) {
    const std::string signal = ", ricker: {frequency: 3, delay: 0.2}}]\n";
    expect_same(far_of(room + scheme + "sources: [{at: [0.431, 0.52]" + signal),
                far_of(room + scheme + "sources: [{at: {x: \"0.431 + 0 * t\", y: 0.52}" + signal), 0.05,
                scheme);
    expect_same(far_of(room + scheme + "sources: [{at: [0.431, 0.52], dipole: [0.1, 0.2]" + signal),
                far_of(room + scheme + "sources: [{at: {x: 0.431, y: 0.52}, dipole: [0.1, 0.2]" + signal),
                0.05, scheme);
  }
}

TEST(MovingSources, BesideAnEdgeAreSpreadAsThoseThatRest) {
  const std::string signal = ", ricker: {frequency: 6, delay: 0.1}}]\n";
  for (const std::string scheme : schemes)
    expect_same(end_of(room + scheme + "sources: [{at: [0.031, 0.52]" + signal),
                end_of(room + scheme + "sources: [{at: {x: \"0.031 + 0 * t\", y: 0.52}" + signal), 1e-9,
                scheme);
}

TEST(MovingSources, OfAnAreaThatGrowsAreASignalThatGrows) {
  for (const std::string scheme : schemes)
    expect_same(end_of(room + scheme + "sources: [{area: \"sin(9 * t) * x^2\", expression: \"1\"}]\n"),
                end_of(room + scheme + "sources: [{area: \"x^2\", expression: \"sin(9 * t)\"}]\n"), 1e-9,
                scheme);
}

/// Crossings of zero upwards in a second, of the displacement at the node (x, y), from `from` on.
double frequency(const std::string& yaml, double x, double y, double from) {
  Running run(yaml);
  const Grid& g = run.model.grid;  // which has the layers
  const std::size_t node = g.index(std::lround(g.in_spacings(0, x)), std::lround(g.in_spacings(1, y)));
  double before = 0, first = -1, last = -1;
  long count = 0;
  while (run.done < run.plan.steps) {
    run.step();
    const double now = run.field()[node];
    if (run.time() > from && before < 0 && now >= 0) {
      last = run.time() - run.plan.dt * now / (now - before);
      if (first < 0)
        first = last;
      else
        ++count;
    }
    before = now;
  }
  return double(count) / (last - first);
}

TEST(MovingSources, ShiftTheFrequencyAsDopplerSaid) {
  const std::string road =
      "grid: {size: [4, 3], cells: [200, 150]}\nmedium: {speed: 1}\nedges: absorbing\n"
      "time: {scheme: explicit, courant: 0.7, end: 4.5}\n"
      "sources: [{at: {x: \"1 + 0.3 * t\", y: 1.5}, sinusoid: {frequency: 3}}]\n";
  EXPECT_NEAR(frequency(road, 3.4, 1.5, 3), 3 / (1 - 0.3), 0.02);  // ahead of it
  EXPECT_NEAR(frequency(road, 0.4, 1.5, 2), 3 / (1 + 0.3), 0.02);  // behind
}

/// The nodes that a source passes are 25 in a second, each no tone of its own.
TEST(MovingSources, AreHeardWithoutTheGrid) {
  Running run(
      "grid: {size: [2, 1], cells: [100, 50]}\nmedium: {speed: 1}\nedges: absorbing\n"
      "time: {scheme: explicit, courant: 0.7, end: 3}\n"
      "sources: [{at: {x: \"0.3 + 0.5 * t\", y: 0.5}, sinusoid: {frequency: 2.5, ramp: 1}}]\n");
  const Grid& g = run.model.grid;  // which has the layers
  const std::size_t behind = g.index(std::lround(g.in_spacings(0, 0.1)), std::lround(g.in_spacings(1, 0.6)));
  std::vector<double> heard;
  while (run.done < run.plan.steps) {
    run.step();
    if (run.time() > 1) heard.push_back(run.field()[behind]);
  }
  const auto amplitude = [&](double frequency) {  // with a Hann window
    std::complex<double> sum = 0;
    const double n = double(heard.size());
    for (std::size_t k = 0; k < heard.size(); ++k)
      sum += heard[k] * (1 - std::cos(2 * std::numbers::pi * (double(k) + 0.5) / n)) *
             std::polar(1.0, -2 * std::numbers::pi * frequency * double(k) * run.plan.dt);
    return std::abs(sum);
  };
  double noise = 0;
  for (double f = 8; f < 1 / (2 * run.plan.dt); f += 0.25) noise = std::max(noise, amplitude(f));
  EXPECT_LT(noise, 0.04 * amplitude(2.5 / 1.5));  // by bilinear weights 0.16
}

TEST(MovingSources, AreTakenOneStepAtATimeWithTheSameMaxima) {
  const std::string yaml = room +
                           "time: {scheme: explicit, courant: 0.7, end: 0.4}\n"
                           "output: {fields: {quantities: [displacement, max-displacement]}}\n"
                           "sources: [{at: {x: \"0.3 + t\", y: 0.5}, ricker: {frequency: 6, delay: 0.1}}]\n";
  Running at_once(yaml), watched(yaml);
  std::vector<double> most(watched.field().size());
  while (watched.done < watched.plan.steps) {
    watched.step();
    const auto u = watched.field();
    for (std::size_t i = 0; i < u.size(); ++i) most[i] = std::max(most[i], std::abs(u[i]));
  }
  at_once.finish();
  expect_same(most, at_once.field(Quantity::max_displacement), 1e-12, "maxima");
}

TEST(Dipoles, AreTwoPolesOfOppositeSign) {
  const std::string scheme = schemes[0], signal = ", ricker: {frequency: 6, delay: 0.1}";
  expect_same(end_of(room + scheme + "sources: [{at: [0.51, 0.5], dipole: [0.02, 0]" + signal + "}]\n"),
              end_of(room + scheme + "sources: [{at: [0.52, 0.5]" + signal +
                     "}, {at: [0.5, 0.5], ricker: {frequency: 6, " + "delay: 0.1, amplitude: -1}}]\n"),
              1e-12, "two sources");
}

TEST(MovingSources, ThatMakeNoSenseAreRefused) {
  const auto source = [](const std::string& keys) {
    return model("time: {end: 1}\nsources: [{" + keys + ", ricker: {frequency: 1}}]\n");
  };
  EXPECT_SENTENCE(source("at: {x: \"3 * z\", y: 0}"), "\"z\"", "it may use t, pi");
  EXPECT_SENTENCE(source("at: {x: 1}"), "'y' is missing in 'sources.0.at'");
  EXPECT_SENTENCE(source("at: {x: 1, y: 0, z: 3}"), "unknown key 'z'");
  EXPECT_SENTENCE(source("at: {x: \"5 + t\", y: 0.5}"), "is never on nodes that can move");
  EXPECT_SENTENCE(source("at: {x: \"1 / (t - 0.5)\", y: 0.5}"), "at t = 0.5 s", "finite");
  EXPECT_SENTENCE(source("area: 1, dipole: [1, 0]"), "'dipole' belongs to a point source");
  EXPECT_SENTENCE(source("at: [0.5, 0.5], dipole: [0, 0]"), "no direction");
  EXPECT_SENTENCE(model("medium: {speed: \"1 + t\"}"), "\"t\"", "it may use x, y, pi");
  const Model m = source("at: {x: \"0.5 + t\", y: 0.5}");
  ASSERT_FALSE(m.notes.empty());
  EXPECT_NE(m.notes.back().find("is outside the grid at"), std::string::npos) << m.notes.back();
}

}  // namespace
}  // namespace wavesim::test
