#include <cmath>

#include "given.hpp"

using namespace wavesim;
using namespace wavesim::test;

TEST(Edge, WordsMeanWhatTheySay) {
  EXPECT_EQ(edge("fixed")->condition(1, 1).kind, EdgeCondition::fixed);
  EXPECT_EQ(edge("free")->condition(1, 1).kind, EdgeCondition::free);
  EXPECT_FALSE(edge("free")->condition(1, 1).radiation);
  EXPECT_EQ(edge("periodic")->condition(1, 1).kind, EdgeCondition::periodic);
}

TEST(Driven, MovesAsItsSignal) {
  const EdgeCondition c = edge("{driven: {sinusoid: {frequency: 1, amplitude: 2}}}")->condition(1, 1);
  EXPECT_EQ(c.kind, EdgeCondition::driven);
  EXPECT_DOUBLE_EQ(c.driven_by->at(0.25), 2);
}

TEST(Absorbing, RadiationHasNoLayer) {
  const auto e = edge("{absorbing: {radiation: {}}}");
  const EdgeCondition c = e->condition(5, 0.1);
  EXPECT_EQ(c.kind, EdgeCondition::free);
  EXPECT_TRUE(c.radiation);
  EXPECT_EQ(c.sponge_damping, 0);
  EXPECT_EQ(e->layer_cells(0.1), 0);
}

TEST(Absorbing, TakesAnIncomingWave) {
  const EdgeCondition c =
      edge("{absorbing: {radiation: {incoming: {expression: \"2 * t\"}}}}")->condition(1, 1);
  ASSERT_TRUE(c.incoming);
  EXPECT_DOUBLE_EQ(c.incoming->at(3), 6);
}

TEST(Absorbing, ASpongeIsMeasuredInMetresOrCells) {
  EXPECT_EQ(edge("{absorbing: {sponge: {thickness: 20 cells}}}")->layer_cells(0.1), 20);
  EXPECT_EQ(edge("{absorbing: {sponge: {thickness: 0.5}}}")->layer_cells(0.1), 5);
  EXPECT_EQ(edge("{absorbing: {sponge: {thickness: 0.55}}}")->layer_cells(0.1), 6);
  for (const std::string wrong : {"2.5 cells", "thick", "-1", "0", "3 miles"})
    EXPECT_SENTENCE(edge("{absorbing: {sponge: {thickness: " + wrong + "}}}")->layer_cells(0.1),
                    "test.yaml:1", wrong.c_str());
}

TEST(Absorbing, ASpongeTakesAWaveThereAndBackToATenth) {
  const auto e = edge("{absorbing: {sponge: {thickness: 20 cells}}}");
  const EdgeCondition c = e->condition(5, 0.1);
  EXPECT_TRUE(c.radiation);
  // Twice the integral of rate / (2 c) over the layer is strength L / (3 c).
  EXPECT_NEAR(std::exp(-c.sponge_damping * 2 / (3 * 5)), 0.1, 1e-12);
  EXPECT_EQ(edge("{absorbing: {radiation: {}, sponge: {thickness: 2, strength: 7}}}")
                ->condition(5, 0.1)
                .sponge_damping,
            7);
}

TEST(Absorbing, NamesWhatItIsMadeOf) {
  EXPECT_SENTENCE(edge("{absorbing: {pml: {}, sponge: {thickness: 3 cells}}}"), "one way", "pml");
  EXPECT_SENTENCE(edge("{absorbing: {radiation: {}, reflection: 0.5}}"), "one way", "reflection");
  EXPECT_SENTENCE(edge("{absorbing: {pml: {reflection: 0.9}}}"), "reflection");
  EXPECT_SENTENCE(edge("{absorbing: {pml: {thickness: thick}}}")->layer_cells(0.1), "pml", "thick");
  EXPECT_SENTENCE(edge("{absorbing: {sponge: {}}}"), "thickness");
}

TEST(Absorbing, AloneIsAPerfectlyMatchedLayer) {
  for (const char* yaml : {"absorbing", "{absorbing: {}}", "{absorbing: {pml: {}}}",
                           "{absorbing: {pml: {thickness: 20 cells, reflection: 1e-4}}}"}) {
    const auto e = edge(yaml);
    EXPECT_EQ(e->layer_cells(0.1), 20) << yaml;
    const EdgeCondition c = e->condition(5, 0.1);
    EXPECT_TRUE(c.radiation);
    // Twice the integral of rate / c over the layer is 2 rate L / (3 c).
    EXPECT_NEAR(std::exp(-2 * c.pml_rate * 2 / (3 * 5)), 1e-4, 1e-16) << yaml;
    EXPECT_EQ(c.sponge_damping, 0);
  }
}

TEST(Absorbing, RefusesAnIncomingWaveThroughASponge) {
  EXPECT_SENTENCE(
      edge("{absorbing: {radiation: {incoming: {sinusoid: {frequency: 1}}}, sponge: {thickness: 5 cells}}}"),
      "incoming", "sponge");
}
