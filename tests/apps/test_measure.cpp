// wavesim measure, and what runs with method: auto make of its file.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/apps/program.hpp"

namespace wavesim {
namespace {

const char* const config =
    "grid: {size: [1, 1], cells: [32, 32]}\nmedium: {speed: 1}\ntime: {steps: 3}\n"
    "initial: {displacement: {gaussian: {center: [0.4, 0.5], width: 0.1, amplitude: 1}}}\n"
    "solver: {method: auto}\n";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Measure, WritesAFileThatLaterRunsOfThisMachineTake) {
  const Workplace w;
  w.write("c.yaml", config);
  const Outcome before = w.run({"c.yaml", "--device", "cpu", "--output", "before"});
  EXPECT_EQ(before.status, 0) << before.err;
  EXPECT_TRUE(has(before.out, "prices: built-in, ")) << before.out;
  const Outcome measured = w.run({"measure", "--largest", "100"});
  EXPECT_EQ(measured.status, 0) << measured.err;
  EXPECT_TRUE(has(measured.err, "timing solves on 40 x 40 cells")) << measured.err;
  EXPECT_FALSE(has(measured.err, "200 x 200")) << measured.err;
  EXPECT_TRUE(has(measured.out, "/wavesim/prices/")) << measured.out;
  const Outcome after = w.run({"c.yaml", "--device", "cpu", "--output", "after"});
  EXPECT_EQ(after.status, 0) << after.err;
  EXPECT_TRUE(has(after.out, ", measured 20")) << after.out;
  const Outcome built_in =
      w.run({"c.yaml", "--device", "cpu", "--output", "again", "--set", "solver.prices=built-in"});
  EXPECT_TRUE(has(built_in.out, "prices: built-in, ")) << built_in.out;
}

TEST(Measure, DoesNotChangeThePricesOfARunThatGoesOn) {
  const Workplace w;
  w.write("c.yaml", std::string(config) + "checkpoint: {every: 2}\n");
  EXPECT_EQ(w.run({"c.yaml", "--device", "cpu"}).status, 0);
  EXPECT_EQ(w.run({"measure", "--largest", "100"}).status, 0);
  const Outcome went_on = w.run({"c.yaml", "--device", "cpu", "--resume", "--set", "time.steps=8"});
  EXPECT_EQ(went_on.status, 0) << went_on.err;
  EXPECT_TRUE(has(went_on.out, "continues from")) << went_on.out;
  EXPECT_TRUE(has(went_on.out, "prices: built-in, ")) << went_on.out;
  const Outcome page = w.run({"report", "results/c", "--output", "page.html"});
  EXPECT_EQ(page.status, 0) << page.err;
  std::ifstream file(w.folder() / "page.html");
  const std::string html{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(has(html, "built-in, ")) << html;
  EXPECT_FALSE(has(html, "chebyshev-steps")) << html;
}

TEST(Measure, WritesTheFileThatIsNamed) {
  const Workplace w;
  w.write("c.yaml", config);
  EXPECT_EQ(w.run({"measure", "--largest", "100", "-q", "--output", "p.yaml"}).status, 0);
  const Outcome taken = w.run({"c.yaml", "--device", "cpu", "--set", "solver.prices=p.yaml"});
  EXPECT_EQ(taken.status, 0) << taken.err;
  EXPECT_TRUE(has(taken.out, ", measured 20")) << taken.out;
  const Outcome nowhere = w.run({"measure", "--largest", "100", "-q", "--output", "no/p.yaml"});
  EXPECT_EQ(nowhere.status, 4);
  EXPECT_TRUE(has(nowhere.err, "cannot write no/p.yaml")) << nowhere.err;
  EXPECT_EQ(w.run({"measure", "--largest", "3"}).status, 2);
}

}  // namespace
}  // namespace wavesim
