// What changes the energy in a step is known to rounding, term by term.

#include <cmath>

#include "running.hpp"

using namespace wavesim;
using namespace wavesim::test;

namespace {

struct Sums {
  EnergyChange change;
  double first = 0, last = 0, largest_error = 0;  // of the balance, relative to the largest term so far
  double unexplained() const {
    return last - first - change.sources + change.damping + change.outflow - change.residual;
  }
};

Sums sums_of(const std::string& yaml, const std::string& device = "cpu") {
  Config c = config(yaml);
  c.output.energy.balance = true;
  Running run(c, device);
  Sums s;
  s.first = s.last = run.stepper->energy();
  double scale = std::abs(s.first);
  while (run.done < run.plan.steps) {
    run.step();
    const EnergyChange c = run.stepper->energy_change();
    s.last = run.stepper->energy();
    if (c.begins) {
      s.first = s.last;
      continue;
    }
    s.change.sources += c.sources;
    s.change.damping += c.damping;
    s.change.outflow += c.outflow;
    s.change.residual += c.residual;
    for (const double v : {s.last, c.sources, s.change.sources, s.change.outflow})
      scale = std::max(scale, std::abs(v));
    s.largest_error = std::max(s.largest_error, std::abs(s.unexplained()) / scale);
  }
  return s;
}

const std::string pluck = "initial: {displacement: {gaussian: {center: [0.4, 0.6], width: 0.1}}}, ";
const std::string shot = "sources: [{at: [0.3, 0.4], ricker: {frequency: 4, amplitude: 3}}], ";
std::string problem(const std::string& rest, int cells = 32) {
  return "{name: t, grid: {size: [1, 1], cells: [" + std::to_string(cells) + ", " + std::to_string(cells) +
         "]}, " + rest + "}";
}
const std::string even = "medium: {model: membrane, density: 2, speed: 1}, ";
const std::string uneven =
    "medium: {model: membrane, density: \"2 + x\", speed: \"1 + 0.3 * sin(5 * y)\", damping: 0.4}, ";

}  // namespace

TEST(Balance, ClosesToRoundingInEveryStep) {
  int tried = 0;
  for (const std::string& medium : {even, uneven})
    for (const std::string space : {"", "space: {order: 4}, "})
      for (const std::string scheme :
           {"scheme: crank-nicolson, courant: 2", "scheme: numerov, courant: 0.6",
            "scheme: explicit, courant: 0.5", "scheme: theta, weights: [0.3, 0.4, 0.3], courant: 1.5"})
        for (const std::string edges :
             {"edges: fixed, ",
              "edges: {left: absorbing, right: {absorbing: {reflection: 0.3}}, bottom: free, "
              "top: {absorbing: {radiation: {}}}}, ",
              "edges: {left: {driven: {sinusoid: {frequency: 2}}}, right: absorbing, bottom: periodic, top: "
              "periodic}, ",
              "edges: free, shape: {circle: {center: [0.5, 0.5], radius: 0.42}, edge: {absorbing: "
              "{reflection: "
              "0.5}}}, "}) {
          if (!space.empty() && scheme.find("explicit") != std::string::npos) continue;
          const std::string yaml = problem(medium + space + edges + pluck + shot + "time: {" + scheme +
                                           ", steps: 60}, solver: {tolerance: 1e-4}");
          EXPECT_LT(sums_of(yaml).largest_error, 2e-14) << yaml;
          ++tried;
        }
  EXPECT_EQ(tried, 56);
}

TEST(Balance, SolvesThatAreExactLeaveNoWorkToResiduals) {
  const Sums s = sums_of(problem(uneven + "edges: absorbing, " + pluck + shot +
                                 "time: {courant: 1, steps: 80}, solver: {tolerance: 1e-13}"));
  EXPECT_LT(std::abs(s.change.residual), 1e-10 * s.first);
  EXPECT_GT(s.change.damping, 0.01 * s.first);
  EXPECT_GT(s.change.outflow, 0.1 * s.first);
  EXPECT_GT(s.change.sources, 0);
}

TEST(Balance, ResidualsOfLooseSolvesExplainTheDrift) {
  const Sums s = sums_of(problem(even + "edges: fixed, " + pluck +
                                 "time: {courant: 1, steps: 80}, solver: {method: jacobi, tolerance: 1e-3}"));
  EXPECT_GT(std::abs(s.last - s.first), 1e-4 * s.first);
  EXPECT_NEAR(s.change.residual, s.last - s.first, 1e-13 * s.first);
  EXPECT_EQ(s.change.sources, 0);
  EXPECT_EQ(s.change.outflow, 0);
  EXPECT_EQ(s.change.damping, 0);
}

TEST(Balance, WhatGoesIntoALayerIsWhatTheDomainLoses) {
  for (const std::string space : {"", "space: {order: 4}, "}) {
    const Sums s = sums_of(problem(even + space + "edges: absorbing, " + pluck +
                                   "time: {courant: 0.6, end: 3}, solver: {tolerance: 1e-12}"));
    EXPECT_LT(s.last, 1e-3 * s.first);
    EXPECT_NEAR(s.change.outflow, s.first, 1e-3 * s.first);
    EXPECT_NEAR(s.change.damping, 0, 1e-13 * s.first);
  }
}

TEST(Balance, DampingOfTheMediumIsToldFromThatOfEdges) {
  const auto lost = [](const std::string& edges, const std::string& damping) {
    return sums_of(problem("medium: {model: membrane, density: 2, speed: 1" + damping + "}, edges: " + edges +
                           ", " + pluck + "time: {courant: 1, steps: 60}, solver: {tolerance: 1e-12}"))
        .change;
  };
  EXPECT_NEAR(lost("{absorbing: {radiation: {}}}", "").damping, 0, 1e-14);  // of 0.03 J
  EXPECT_EQ(lost("free", ", damping: 1").outflow, 0);
  // the same damping, written as a constant and as a formula: one is stored as a number, one as an array
  const EnergyChange a = lost("{absorbing: {reflection: 0.4}}", ", damping: 1"),
                     b = lost("{absorbing: {reflection: 0.4}}", ", damping: \"1 + 0 * x\"");
  EXPECT_NEAR(a.damping, b.damping, 1e-12 * a.damping);
  EXPECT_NEAR(a.outflow, b.outflow, 1e-12 * a.outflow);
}

TEST(Balance, OfSchemesThatDoNotConserveIsRefused) {
  EXPECT_SENTENCE(Running(problem(even + pluck +
                                  "time: {scheme: two-level, steps: 1}, output: {energy: "
                                  "{balance: true}}")),
                  "balance", "two-level");
}

TEST(Balance, OnAGpuIsThatOfTheCpu) {
#ifdef WAVESIM_HAVE_CUDA
  if (cuda_facts().empty()) GTEST_SKIP() << why_no_cuda();
  for (const std::string& rest :
       {uneven + "edges: absorbing, ", even + "edges: {absorbing: {radiation: {}}}, ",
        uneven + "space: {order: 4}, edges: absorbing, "}) {
    const std::string yaml =
        problem(rest + pluck + shot + "time: {courant: 0.6, steps: 50}, solver: {tolerance: 1e-4}");
    const Sums a = sums_of(yaml), b = sums_of(yaml, "cuda");
    EXPECT_EQ(a.last, b.last) << yaml;
    EXPECT_EQ(a.change.sources, b.change.sources) << yaml;
    EXPECT_EQ(a.change.damping, b.change.damping) << yaml;
    EXPECT_EQ(a.change.outflow, b.change.outflow) << yaml;
    EXPECT_EQ(a.change.residual, b.change.residual) << yaml;
  }
#else
  GTEST_SKIP() << "a build without CUDA";
#endif
}
