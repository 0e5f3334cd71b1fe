// Numbers that a config names once and its formulas use.

#include "sim/model/model.hpp"
#include "tests/config/configs.hpp"

namespace wavesim {
namespace {

const char* const slope =
    "initial: {displacement: \"height * x + y_0\"}\nparameters: {height: 2, y_0: 0.5}\n";

/// The displacement at the upper right corner of the small config, (1, 2).
double corner(const Config& config) {
  const Model m = build_model(config);
  return m.displacement[m.grid.node_count() - 1];
}

TEST(Parameters, StandInFormulasForTheirNumbers) {
  EXPECT_DOUBLE_EQ(corner(with(std::string(slope) + "edges: free\n")), 2.5);
  EXPECT_DOUBLE_EQ(corner(with(std::string(slope) + "edges: free\n", {"parameters.height=3"})), 3.5);
}

TEST(Parameters, AreKnownToSignalsAndShapesToo) {
  const Config c = with(
      "parameters: {f: 2, r: 0.25}\n"
      "sources: [{at: [0.5, 1], expression: \"sin(2 * pi * f * t)\"}]\n"
      "shape: {expression: \"r - hypot(x - 0.5, y - 1)\"}\n");
  c.sources[0].signal->prepare();
  EXPECT_NEAR(c.sources[0].signal->at(0.125), 1, 1e-15);
  const Model m = build_model(c);
  long inside = 0;
  for (const Node n : m.region) inside += is_inside(n);
  EXPECT_EQ(inside, 21);  // nodes of a disc of radius 2.5 cells
}

TEST(Parameters, AreKeptInTheEffectiveConfig) {
  Config c = with(slope);
  const std::string text = dump_config(c);
  EXPECT_NE(text.find("height: 2"), std::string::npos) << text;
  Config again = parse_config(text, "dump.yaml");
  EXPECT_EQ(dump_config(again), text);
}

TEST(Parameters, ThatCannotBeUsedAreRefused) {
  EXPECT_EQ(refusal_of("parameters: {a: 1}\n"),
            "small.yaml:5:14: no formula has the parameter 'a' in it; remove it, or correct its name");
  EXPECT_EQ(refusal_of(slope, {"parameters.heigth=3"}),
            "--set parameters.heigth: no formula has the parameter 'heigth' in it; did you mean 'height'?");
  EXPECT_EQ(refusal_of("initial: {displacement: \"x\"}\nparameters: {x: 1}\n"),
            "small.yaml:6:14: 'x' means something else in formulas; give the parameter another name");
  EXPECT_NE(refusal_of("initial: {displacement: \"sin(x)\"}\nparameters: {sin: 1}\n")
                .find("'sin' means something else"),
            std::string::npos);
  EXPECT_NE(
      refusal_of("initial: {displacement: \"a-b\"}\nparameters: {a-b: 1}\n").find("'a-b' cannot be the name"),
      std::string::npos);
  EXPECT_NE(refusal_of("initial: {displacement: \"a\"}\nparameters: {a: \"x\"}\n").find("must be a number"),
            std::string::npos);
  EXPECT_NE(refusal_of("parameters: [1]\n").find("must be names with a number each"), std::string::npos);
}

}  // namespace
}  // namespace wavesim
