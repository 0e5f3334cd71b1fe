// What method: auto makes of prices: no solve here.

#include <gtest/gtest.h>

#include <algorithm>

#include "solvers/automatic/prices.hpp"
#include "solvers/automatic/selector.hpp"

namespace wavesim::test {
namespace {

/// A membrane of n x n cells at Courant number 1 of crank-nicolson.
SystemFacts membrane(double n, bool gpu = false) {
  SystemFacts f;
  f.gpu = gpu;
  f.matrix = {Structure::rectangle, true, false};
  f.nx = f.ny = n - 1;
  f.points = f.nx * f.ny;
  f.blocked_sweeps = 8;
  f.fused_steps = true;
  f.transformed = 256;
  f.bounds = {1, 3};
  return f;
}

std::vector<MethodCandidate> candidates(const SystemFacts& f, const Prices& prices) {
  SolverOptions o;
  o.method = "auto";
  o.prices = std::make_shared<const Prices>(prices);
  return candidates_for(o, f);
}

CostEstimate estimate(const std::string& name, const SystemFacts& f, const Prices& prices) {
  for (const MethodCandidate& c : candidates(f, prices))
    if (c.name == name) return c.estimate;
  ADD_FAILURE() << name << " is no candidate";
  return {};
}

std::string first_choice(const SystemFacts& f, const Prices& prices) {
  const Selector s(candidates(f, prices), 1000);
  return s.candidates()[std::size_t(s.now())].name;
}

/// Prices in proportion to the points: all the same but for a factor.
Prices in_proportion() {
  Prices p;
  p.machine = "a machine";
  p.threads = 2;
  p.cells = {100, 1000};
  for_each_curve([](const char*, PriceCurve& c) { c = {{0, 0}, {0, 0}, {1e-4, 1e-2}}; }, p);
  return p;
}

TEST(Prices, AreThoseOfOneThreadAndOfSixteenAndLieBetweenThemForOthers) {
  const Prices one = built_in_prices(1), four = built_in_prices(4), sixteen = built_in_prices(16),
               more = built_in_prices(64);
  EXPECT_EQ(four.threads, 4);
  EXPECT_EQ(more.threads, 64);
  for_each_curve(
      [](const char* key, const PriceCurve& a, const PriceCurve& b, const PriceCurve& c,
         const PriceCurve& d) {
        for (std::size_t k = 0; k < a.each.size(); ++k) {
          EXPECT_GE(b.each[k], std::min(a.each[k], c.each[k])) << key;
          EXPECT_LE(b.each[k], std::max(a.each[k], c.each[k])) << key;
        }
        EXPECT_EQ(c.each, d.each) << key;
        EXPECT_EQ(a.each.size(), built_in_prices(1).cells.size()) << key;
      },
      one, four, sixteen, more);
}

TEST(Prices, AreMetAtTheSizesThatTheyAreForAndInterpolatedBetween) {
  Prices p = in_proportion();
  p.cg[0].each = {2e-4, 8e-2};  // s a point: 2e-8 and 8e-8
  p.cg[0].solve = {1e-3, 1e-1};
  SystemFacts f = membrane(101);  // 100 x 100 points
  EXPECT_NEAR(estimate("cg", f, p).each / 2e-4, 1, 1e-9);
  EXPECT_NEAR(estimate("cg", f, p).solve / 1e-3, 1, 1e-9);
  f = membrane(1001);
  EXPECT_NEAR(estimate("cg", f, p).each / 8e-2, 1, 1e-9);
  f = membrane(2001);  // four times the points
  EXPECT_NEAR(estimate("cg", f, p).each / 32e-2, 1, 1e-9);
  f = membrane(51);  // what takes the time there is not the points
  EXPECT_NEAR(estimate("cg", f, p).each / 2e-4, 1, 1e-9);
  f = membrane(std::sqrt(1e5) + 1);
  EXPECT_NEAR(estimate("cg", f, p).each / (1e5 * 4e-8), 1, 1e-9);
}

TEST(Prices, DecideWhichMethodBegins) {
  const SystemFacts f = membrane(401);
  Prices p = in_proportion();
  p.cg[0].each = {1e-6, 1e-4};
  EXPECT_EQ(first_choice(f, p), "cg");
  p.cg[0].each = {1e-2, 1};
  EXPECT_EQ(first_choice(f, p), "sine-transform");  // one iteration
  p.transform.each = {1e-2, 1};
  p.steps[0].each = {1e-5, 1e-3};
  EXPECT_EQ(first_choice(f, p), "chebyshev");
  p.steps[0].solve = {1, 1};  // what a step costs beside its passes
  EXPECT_EQ(first_choice(f, p).substr(0, 2), "cg");
}

TEST(Prices, HaveNoSayOnAGpu) {
  const SystemFacts f = membrane(400, true);
  Prices slow = in_proportion();
  for_each_curve([](const char*, PriceCurve& c) { c = {{9, 9}, {9, 9}, {9, 9}}; }, slow);
  for (const MethodCandidate& c : candidates(f, slow))
    EXPECT_EQ(c.estimate.each, estimate(c.name, f, in_proportion()).each) << c.name;
}

TEST(Prices, OfACallerWhoKnowsNoneAreThoseOfSixteenThreads) {
  SolverOptions o;
  o.method = "auto";
  const SystemFacts f = membrane(400);
  for (const MethodCandidate& c : candidates_for(o, f))
    EXPECT_EQ(c.estimate.each, estimate(c.name, f, built_in_prices(16)).each) << c.name;
}

}  // namespace
}  // namespace wavesim::test
