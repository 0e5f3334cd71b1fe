// time: {phase-error: E}: scheme, order and step for an error at the end.
#include "sim/run/choose_scheme.hpp"

#include <numbers>

#include "sim/error/measured_error.hpp"
#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

/// A pulse in a box of n x n cells, with `rest` in its section `time`.
Config pulse(int n, const char* rest, const char* more = "") {
  Config c =
      config(with("{grid: {size: [1, 1], cells: [%d, %d]}, edges: free, initial: {displacement: {gaussian: "
                  "{center: [0.45, 0.55], width: 0.08}}}, time: {%s, end: 1.5} %s}",
                  n, n, rest, more));
  choose_scheme(c);
  return c;
}

TEST(ChooseScheme, TakesTheCheapestThatIsRightEnough) {
  // no space.order 8: the tension varies
  const char* const varying = ", medium: {speed: 1, density: \"1 + 0.1*x\"}";
  const Config loose = pulse(100, "phase-error: 0.1"), tight = pulse(100, "phase-error: 0.001", varying),
               smooth = pulse(100, "phase-error: 0.001"), coarse = pulse(60, "phase-error: 0.0003");
  EXPECT_EQ(loose.time.scheme, "explicit");
  EXPECT_EQ(loose.space.order, 2);
  EXPECT_EQ(tight.time.scheme, "numerov");
  EXPECT_EQ(tight.space.order, 4);
  EXPECT_EQ(smooth.time.scheme, "explicit");
  EXPECT_EQ(smooth.space.order, 8);
  EXPECT_EQ(coarse.space.order, 8);
  EXPECT_GT(*smooth.time.courant, *coarse.time.courant);
  EXPECT_FALSE(tight.time.phase_error);
  const Model m = build_model(tight);
  ASSERT_FALSE(m.notes.empty());
  EXPECT_NE(m.notes.back().find("numerov"), std::string::npos);
}

TEST(ChooseScheme, KeepsTheErrorAtTheEnd) {
  for (const char* error : {"0.05", "0.002"}) {
    Config c = pulse(100, with("phase-error: %s", error).c_str());
    c.solver.tolerance = 1e-10;
    const double measured = measure_error(c, "cpu", {}, {}).displacement->both;
    EXPECT_LT(measured, 2 * std::numbers::pi * std::stod(error)) << error;  // of a wave that is off by that
  }
}

TEST(ChooseScheme, TakesLargeStepsWhereAFastSpotForbidsOthersThem) {
  Config c = config(
      "{grid: {size: [1, 1], cells: [100, 100]}, medium: {speed: \"x < 0.05 ? 40 : 1\"}, sources: [{name: s, "
      "at: "
      "[0.5, 0.5], ricker: {frequency: 2, delay: 0.6}}], time: {phase-error: 0.3, end: 1.5}}");
  choose_scheme(c);
  EXPECT_EQ(c.time.scheme, "crank-nicolson");
  ASSERT_TRUE(c.time.step);
  EXPECT_FALSE(c.time.order);
  Config tighter = config(
      "{grid: {size: [1, 1], cells: [100, 100]}, medium: {speed: \"x < 0.05 ? 40 : 1\"}, sources: [{name: s, "
      "at: [0.5, 0.5], ricker: {frequency: 2, delay: 0.6}}], time: {phase-error: 0.02, end: 1.5}}");
  choose_scheme(tighter);
  EXPECT_EQ(tighter.time.scheme, "crank-nicolson");
  EXPECT_EQ(tighter.time.order, 4);
  EXPECT_EQ(tighter.space.order, 4);
}

TEST(ChooseScheme, NamesTheGridThatAnErrorTakes) {
  std::string sentence;
  try {
    pulse(30, "phase-error: 0.0005");
  } catch (const InputError& e) {
    sentence = e.what();
  }
  const std::size_t at = sentence.find("grid.cells [");
  ASSERT_NE(at, std::string::npos) << sentence;
  const int cells = std::stoi(sentence.substr(at + 12));
  EXPECT_GT(cells, 30);
  EXPECT_EQ(pulse(cells, "phase-error: 0.0005").space.order, 8);
  EXPECT_SENTENCE(pulse(cells * 8 / 10, "phase-error: 0.0005"), "grid.cells");
}

TEST(ChooseScheme, IsRefusedBesideWhatItChooses) {
  for (const char* rest :
       {"phase-error: 0.1, courant: 1", "phase-error: 0.1, step: 0.01", "phase-error: 0.1, scheme: numerov"})
    EXPECT_SENTENCE(pulse(50, rest), "phase-error", "leave out");
  EXPECT_SENTENCE(pulse(50, "phase-error: 0.1", ", space: {order: 4}"), "leave out");
  Config steps = config("{time: {phase-error: 0.1, steps: 10}}"),
         formula = config("{initial: {displacement: \"sin(3*x)\"}, time: {phase-error: 0.1, end: 1}}");
  EXPECT_SENTENCE(choose_scheme(steps), "end");
  EXPECT_SENTENCE(choose_scheme(formula), "cannot be told");
}

TEST(ChooseScheme, TakesFivePointsWhereTheMethodDoes) {
  EXPECT_SENTENCE(pulse(100, "phase-error: 0.001",
                        ", medium: {speed: 1, density: \"1 + 0.1*x\"}, solver: {method: cg-onchip}"),
                  "grid.cells");
}

TEST(ChooseScheme, SolvesWhereThePrecisionIsOfSolves) {
  for (const char* error : {"0.1", "0.001"})
    EXPECT_NE(pulse(100, with("phase-error: %s", error).c_str(), ", precision: mixed").time.scheme,
              "explicit");
}

}  // namespace
}  // namespace wavesim::test
