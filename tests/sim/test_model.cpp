#include <cmath>

#include "given.hpp"

using namespace wavesim;
using namespace wavesim::test;

namespace {

double sum(const std::vector<double>& v) {
  double s = 0;
  for (const double x : v) s += x;
  return s;
}

bool has_note(const Model& m, const std::string& piece) {
  for (const std::string& note : m.notes)
    if (note.find(piece) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST(ModelGrid, AddsLayersOutsideTheUsersRectangle) {
  const Model m = model(
      "grid: {size: [2, 1], cells: [20, 10], origin: [3, 4]}\n"
      "edges: {left: {absorbing: {sponge: {thickness: 5 cells}}}, top: {absorbing: {sponge: {thickness: "
      "0.2}}}}");
  EXPECT_EQ(m.grid.cells, (std::array<long, 2>{25, 12}));
  EXPECT_NEAR(m.grid.x(0), 2.5, 1e-12);
  EXPECT_NEAR(m.grid.y(0), 4, 1e-12);
  EXPECT_NEAR(m.grid.low(0), 3, 1e-12);
  EXPECT_NEAR(m.grid.high(0), 5, 1e-12);
  EXPECT_NEAR(m.grid.high(1), 5, 1e-12);
}

TEST(ModelGrid, RefusesNegativeSizesAndNoCells) {
  EXPECT_SENTENCE(model("grid: {size: [-1, 1], cells: [10, 10]}"), "test.yaml:1", "size", "-1");
  EXPECT_SENTENCE(model("grid: {size: [1, 1], cells: [0, 10]}"), "test.yaml:1", "cells");
  EXPECT_SENTENCE(model("grid: {size: [1, 1], cells: [100000, 100000]}"), "fewer cells");
  EXPECT_SENTENCE(model("grid: {size: [1, 1], cells: [1, 10]}"), "nothing can move");
}

TEST(ModelGrid, PeriodicEdgesComeInPairs) {
  const Model m = model("edges: {left: periodic, right: periodic}");
  EXPECT_TRUE(m.grid.periodic[0]);
  EXPECT_FALSE(m.grid.periodic[1]);
  EXPECT_SENTENCE(model("edges: {left: periodic}"), "test.yaml:1", "left edge is periodic",
                  "right edge is not");
  EXPECT_SENTENCE(model("edges: {top: periodic, left: periodic, right: periodic}"), "top edge",
                  "bottom edge");
  EXPECT_SENTENCE(model("grid: {size: [1, 1], cells: [2, 10]}\nedges: {left: periodic, right: periodic}"),
                  "at least 3 cells");
}

TEST(ModelMedium, AMembraneHasItsDensityForMass) {
  const Model m = model("medium: {speed: 3, density: 2, damping: 5}");
  EXPECT_TRUE(m.mass.uniform());
  EXPECT_EQ(m.mass.constant, 2);
  EXPECT_EQ(m.face_x.constant, 18);
  EXPECT_EQ(m.damping.constant, 10);
  EXPECT_EQ(m.largest_speed, 3);
}

TEST(ModelMedium, ShallowWaterTakesItsDepth) {
  const Model m = model("medium: {model: shallow-water, depth: \"10 + 30 * x\", gravity: 10}");
  EXPECT_EQ(m.mass.constant, 1);
  EXPECT_DOUBLE_EQ(m.face_x[m.grid.index(0, 3)], 115);
  EXPECT_DOUBLE_EQ(m.face_x[m.grid.index(9, 3)], 385);
  EXPECT_DOUBLE_EQ(m.smallest_speed, 10);
  EXPECT_DOUBLE_EQ(m.largest_speed, 20);
  const Model by_speed = model("medium: {model: shallow-water, speed: 4}");
  EXPECT_EQ(by_speed.mass.constant, 1);
  EXPECT_EQ(by_speed.face_y.constant, 16);
}

TEST(ModelMedium, AMembraneMayHaveTensionAndMass) {
  const Model m = model("medium: {tension: 18, mass: 2, damping: 5}");
  EXPECT_DOUBLE_EQ(m.mass.constant, 2);
  EXPECT_DOUBLE_EQ(m.face_x.constant, 18);
  EXPECT_DOUBLE_EQ(m.speed.constant, 3);
  EXPECT_DOUBLE_EQ(m.damping.constant, 10);
  const Model varies = model("medium: {tension: 18, mass: \"2 + x\"}");
  const std::size_t i = varies.grid.index(5, 3);
  EXPECT_DOUBLE_EQ(varies.mass[i], 2.5);
  EXPECT_DOUBLE_EQ(varies.speed[i], std::sqrt(18 / 2.5));
  EXPECT_DOUBLE_EQ(varies.face_x[i], 18);
  const Model by_speed = model("medium: {speed: \"sqrt((18 + x) / 2)\", density: 2}"),
              by_tension = model("medium: {tension: \"18 + x\", mass: 2}");
  EXPECT_NEAR(by_speed.face_y[i], by_tension.face_y[i], 1e-12);
}

TEST(ModelMedium, TensionAndMassAreRefusedWhereTheyMeanNothing) {
  EXPECT_SENTENCE(model("medium: {tension: 1}"), "needs 'mass'");
  EXPECT_SENTENCE(model("medium: {mass: 1}"), "needs 'tension'");
  EXPECT_SENTENCE(model("medium: {tension: 1, mass: 1, speed: 1}"), "both 'tension' and 'speed'");
  EXPECT_SENTENCE(model("medium: {tension: 1, mass: 1, density: 1}"), "both 'tension' and 'density'");
  EXPECT_SENTENCE(model("medium: {model: acoustic, tension: 1, mass: 1}"), "belongs to model: membrane");
  EXPECT_SENTENCE(model("medium: {tension: \"x - 0.25\", mass: 1}"), "tension", "-0.25 N/m");
  EXPECT_SENTENCE(model("medium: {tension: 1, mass: \"x - 0.25\"}"), "mass", "-0.25 kg/m^2");
}

TEST(ModelMedium, AnAcousticOneIsAboutPressure) {
  const Model m = model("medium: {model: acoustic, speed: 2, density: 5}");
  EXPECT_DOUBLE_EQ(m.mass.constant, 1 / 20.0);
  EXPECT_DOUBLE_EQ(m.face_x.constant, 1 / 5.0);
}

TEST(ModelMedium, RefusesWhatNoWaveGoesThrough) {
  EXPECT_SENTENCE(model("medium: {speed: \"x - 0.25\"}"), "test.yaml:1", "speed", "-0.25 m/s",
                  "x = 0, y = 0");
  EXPECT_SENTENCE(model("medium: {speed: 0}"), "speed");
  EXPECT_SENTENCE(model("medium: {speed: 1, density: \"-x\"}"), "density", "kg/m^2");
  EXPECT_SENTENCE(model("medium: {speed: 1, damping: \"x - 0.5\"}"), "damping", "-0.5", "negative");
  EXPECT_SENTENCE(model("medium: {model: shallow-water, depth: \"x - 0.25\"}"), "depth", "-0.25 m", "shape");
}

TEST(ModelMedium, RefusesQuantitiesOfOtherModels) {
  EXPECT_SENTENCE(model("medium: {density: 1}"), "speed");
  EXPECT_SENTENCE(model("medium: {speed: 1, depth: 5}"), "depth", "shallow-water");
  EXPECT_SENTENCE(model("medium: {model: shallow-water, speed: 1, depth: 5}"), "both");
  EXPECT_SENTENCE(model("medium: {model: shallow-water}"), "'depth'", "'speed'");
  EXPECT_SENTENCE(model("medium: {model: shallow-water, speed: 1, density: 5}"), "density");
  EXPECT_SENTENCE(model("medium: {model: jelly, speed: 1}"), "jelly", "membrane");
}

TEST(ModelMedium, NeedsToBePositiveInsideTheShapeOnly) {
  const Model m = model(
      "shape: {expression: \"x - 0.35\", edge: free}\n"
      "medium: {model: shallow-water, depth: \"(x - 0.35) * 10\", gravity: 10}");
  EXPECT_NEAR(m.smallest_speed, std::sqrt(5.0), 1e-12);
  EXPECT_NEAR(m.largest_speed, std::sqrt(65.0), 1e-12);
  for (std::size_t i = 0; i < m.grid.node_count(); ++i) {
    EXPECT_GE(m.face_x[i], 0);
    EXPECT_LE(m.speed[i], m.largest_speed * (1 + 1e-15));
  }
}

TEST(ModelMedium, GoesOnIntoLayersByItsEdgeValues) {
  const Model m = model(
      "edges: {left: {absorbing: {sponge: {thickness: 3 cells}}}, bottom: {absorbing: {sponge: {thickness: 2 "
      "cells}}}}\n"
      "medium: {speed: \"1 + x + 2 * y\"}");
  const Grid& g = m.grid;
  EXPECT_DOUBLE_EQ(m.speed[g.index(0, 2)], 1);
  EXPECT_DOUBLE_EQ(m.speed[g.index(0, 0)], 1);
  EXPECT_DOUBLE_EQ(m.speed[g.index(1, 7)], 2);
  EXPECT_DOUBLE_EQ(m.speed[g.index(8, 1)], 1.5);
  EXPECT_DOUBLE_EQ(m.speed[g.index(13, 12)], 4);
}

TEST(ModelMedium, IsPeriodicWhereItsEdgesAre) {
  const Model m = model("edges: {left: periodic, right: periodic}\nmedium: {speed: \"1 + x\"}");
  for (long iy = 0; iy <= 10; ++iy) EXPECT_EQ(m.speed[m.grid.index(10, iy)], 1);
}

TEST(ModelEdges, AreFixedUnlessTheConfigSaysOtherwise) {
  for (const EdgeCondition& e : model("").edges) EXPECT_EQ(e.kind, EdgeCondition::fixed);
}

TEST(ModelEdges, ASpongeGrowsAsTheSquareOfTheDepthAndAddsInCorners) {
  const Model m = model(
      "edges: {left: {absorbing: {sponge: {thickness: 4 cells, strength: 16}}}, top: {absorbing: {sponge: "
      "{thickness: 2 cells, strength: 8}}}}\n"
      "medium: {speed: 1, density: 3, damping: 1}");
  const Grid& g = m.grid;
  EXPECT_DOUBLE_EQ(m.damping[g.index(4, 3)], 3);
  EXPECT_DOUBLE_EQ(m.damping[g.index(3, 3)], 3 * (1 + 1));
  EXPECT_DOUBLE_EQ(m.damping[g.index(0, 3)], 3 * (1 + 16));
  EXPECT_DOUBLE_EQ(m.damping[g.index(9, 11)], 3 * (1 + 2));
  EXPECT_DOUBLE_EQ(m.damping[g.index(9, 12)], 3 * (1 + 8));
  EXPECT_DOUBLE_EQ(m.damping[g.index(0, 12)], 3 * (1 + 16 + 8));
}

TEST(ModelEdges, ASpongeScalesWithTheSpeedOfTheMedium) {
  const std::string edges = "edges: {left: {absorbing: {sponge: {thickness: 4 cells}}}}\n";
  EXPECT_NEAR(model(edges + "medium: {speed: 7}").edges[left].sponge_damping,
              7 * model(edges + "medium: {speed: 1}").edges[left].sponge_damping, 1e-9);
}

TEST(ModelRegion, IsEmptyWhereTheWholeRectangleIsInside) {
  EXPECT_TRUE(model("").region.empty());
  EXPECT_TRUE(model("shape: {rectangles: [[0, 0, 1, 1]]}").region.empty());
}

TEST(ModelRegion, IsTheUnionOfTheShapesLessTheCutOuts) {
  const Model m = model(
      "shape:\n"
      "  - {rectangles: [[0, 0, 0.55, 1]], edge: free}\n"
      "  - {rectangles: [[0.45, 0, 0.85, 1]]}\n"
      "  - {not: {rectangles: [[0.15, 0.15, 0.25, 0.25]]}}\n"
      "  - {not: {rectangles: [[0.15, 0.35, 0.25, 0.45]]}, edge: free}");
  const Grid& g = m.grid;
  EXPECT_EQ(m.region[g.index(1, 5)], Node::inside_free_rim);
  EXPECT_EQ(m.region[g.index(5, 5)], Node::inside_free_rim);
  EXPECT_EQ(m.region[g.index(7, 5)], Node::inside_fixed_rim);
  EXPECT_EQ(m.region[g.index(9, 5)], Node::outside);
  EXPECT_EQ(m.region[g.index(2, 2)], Node::outside_fixed);
  EXPECT_EQ(m.region[g.index(2, 4)], Node::outside_free);
}

TEST(ModelRegion, AWallAloneLeavesTheRestOfTheRectangle) {
  const Model m = model("shape: {not: {rectangles: [[0.5, 0, 0.5, 0.4]]}, edge: free}");
  EXPECT_EQ(m.region[m.grid.index(5, 0)], Node::outside_free);
  EXPECT_EQ(m.region[m.grid.index(5, 3)], Node::outside_free);
  EXPECT_EQ(m.region[m.grid.index(5, 4)], Node::beyond_free_rim);  // in one piece round the end of the wall
  EXPECT_TRUE(is_inside(m.region[m.grid.index(5, 5)]));
  EXPECT_TRUE(is_inside(m.region[m.grid.index(4, 0)]));
}

TEST(ModelRegion, ACutOutThatTakesNothingIsToldOf) {
  EXPECT_TRUE(has_note(model("shape: {not: {rectangles: [[0.52, 0.1, 0.54, 0.9]]}}"), "takes no node away"));
}

TEST(ModelRegion, NeedsAnUnknown) {
  EXPECT_SENTENCE(
      model("shape: {circle: {center: [0.5, 0.5], radius: 0.001}}\ngrid: {size: [1, 1], cells: [9, 9]}"),
      "test.yaml:1", "nothing can move");
  EXPECT_SENTENCE(model("shape: {circle: {center: [5, 5], radius: 0.1}}"), "shape", "x = 0 to 1");
}

TEST(ModelInitial, IsZeroOnFixedEdgesAndOutsideAndSaysSo) {
  const Model m = model(
      "initial: {displacement: 0.25, velocity: \"x\"}\n"
      "shape: {rectangles: [[0, 0, 0.75, 1]]}\n"
      "edges: {left: fixed, right: free, bottom: free, top: free}");
  const Grid& g = m.grid;
  EXPECT_EQ(m.displacement[g.index(0, 5)], 0);
  EXPECT_EQ(m.displacement[g.index(1, 5)], 0.25);
  EXPECT_EQ(m.displacement[g.index(8, 5)], 0);
  EXPECT_EQ(m.velocity[g.index(8, 5)], 0);
  EXPECT_DOUBLE_EQ(m.velocity[g.index(7, 0)], 0.7);
  EXPECT_TRUE(has_note(m, "displacement is 0.25 m on the fixed left edge; it is set to 0"));
  EXPECT_TRUE(has_note(m, "velocity is 1 m/s outside the shape"));
  EXPECT_FALSE(has_note(m, "velocity is 0 m/s on"));
}

TEST(ModelInitial, RoundingOnAFixedEdgeIsNotWorthANote) {
  const Model m = model("initial: {displacement: {mode: {m: 3, n: 2}}}");
  EXPECT_TRUE(m.notes.empty());
  EXPECT_EQ(m.displacement[m.grid.index(10, 5)], 0);
}

TEST(ModelInitial, AtRestItStaysOneNumber) {
  const Model m = model("");
  EXPECT_TRUE(m.displacement.uniform());
  EXPECT_TRUE(m.velocity.uniform());
}

TEST(ModelInitial, APacketSetsItsVelocity) {
  const Model m = model(
      "initial: {displacement: {packet: {center: [0.5, 0.5], wavelength: 0.5, width: 0.1, phase: "
      "1.5707963}}}\n"
      "medium: {speed: 3}");
  // u = -sin(k a) bell: at the center u_t = -c u_a = c k.
  EXPECT_NEAR(m.velocity[m.grid.index(5, 5)], 3 * 2 * 3.14159265 / 0.5, 1e-5);
}

TEST(ModelInitial, PeriodicAxesHaveTheirFirstNodeTwice) {
  const Model m = model("initial: {displacement: \"x\"}\nedges: {left: periodic, right: periodic}");
  EXPECT_EQ(m.displacement[m.grid.index(10, 5)], 0);
  EXPECT_NEAR(m.displacement[m.grid.index(9, 5)], 0.9, 1e-12);
}

TEST(ModelSources, APointSpreadsBilinearly) {
  const Model m = model("sources: [{name: shot, at: [0.525, 0.35], ricker: {frequency: 1}}]");
  const Source& s = m.sources.at(0);
  ASSERT_EQ(s.node.size(), 4u);
  EXPECT_EQ(s.node[0], m.grid.index(5, 3));
  EXPECT_NEAR(s.weight[0], 0.75 * 0.5, 1e-12);
  EXPECT_NEAR(s.weight[1], 0.25 * 0.5, 1e-12);
  EXPECT_NEAR(sum(s.weight), 1, 1e-12);
}

TEST(ModelSources, OnANodeItHasOneWeight) {
  const Source s = model("sources: [{at: [0.3, 0.7], ricker: {frequency: 1}}]").sources.at(0);
  ASSERT_EQ(s.node.size(), 1u);
  EXPECT_EQ(s.node[0], std::size_t(7 * 11 + 3));
  EXPECT_EQ(s.weight[0], 1);
  EXPECT_EQ(s.name, "source-1");
}

TEST(ModelSources, WhatFallsOnAFixedEdgeIsLostAndTold) {
  const Model m = model("sources: [{name: shot, at: [0.025, 0.5], ricker: {frequency: 1}}]");
  EXPECT_NEAR(sum(m.sources.at(0).weight), 0.25, 1e-12);
  EXPECT_TRUE(has_note(m, "75 %"));
}

TEST(ModelSources, MustBeWhereSomethingMoves) {
  EXPECT_SENTENCE(model("sources: [{name: shot, at: [1.5, 0.5], ricker: {frequency: 1}}]"), "test.yaml:1",
                  "shot", "[1.5, 0.5]", "outside the grid");
  EXPECT_SENTENCE(model("sources: [{name: shot, at: [0, 0.5], ricker: {frequency: 1}}]"), "cannot move");
  EXPECT_SENTENCE(model("shape: {circle: {center: [0.5, 0.5], radius: 0.3}}\n"
                        "sources: [{name: shot, at: [0.05, 0.05], ricker: {frequency: 1}}]"),
                  "test.yaml:2", "cannot move");
}

TEST(ModelSources, InAnAbsorbingLayerTheyAreOutside) {
  EXPECT_SENTENCE(model("edges: {left: {absorbing: {sponge: {thickness: 5 cells}}}}\n"
                        "sources: [{at: [-0.1, 0.5], ricker: {frequency: 1}}]"),
                  "outside the grid (x = 0 to 1");
}

TEST(ModelSources, AnAreaIsIntegratedOverDualCells) {
  const std::string source = "sources: [{area: 2, ricker: {frequency: 1}}]\n";
  // All of the square with free edges; without the half cells along fixed ones; periodic ends are one.
  EXPECT_NEAR(sum(model(source + "edges: free").sources.at(0).weight), 2, 1e-12);
  EXPECT_NEAR(sum(model(source).sources.at(0).weight), 2 * 0.81, 1e-12);
  const Model periodic = model(source + "edges: periodic");
  EXPECT_NEAR(sum(periodic.sources.at(0).weight), 2, 1e-12);
  EXPECT_EQ(periodic.sources.at(0).node.size(), 100u);
  EXPECT_SENTENCE(model("sources: [{area: \"x < -1\", ricker: {frequency: 1}}]"), "zero on all nodes");
}

TEST(ModelSources, HaveNamesOfTheirOwnAndOnePlace) {
  EXPECT_SENTENCE(model("sources:\n  - {name: a, at: [0.5, 0.5], ricker: {frequency: 1}}\n"
                        "  - {name: a, at: [0.4, 0.5], ricker: {frequency: 1}}"),
                  "test.yaml:3", "two sources are named 'a'");
  EXPECT_SENTENCE(model("sources: [{at: [0.5, 0.5], area: 1, ricker: {frequency: 1}}]"), "'at'", "'area'");
  EXPECT_SENTENCE(model("sources: [{ricker: {frequency: 1}}]"), "'at'", "'area'");
}

TEST(ModelReceivers, InterpolateBilinearly) {
  const Model m = model("receivers: [{name: rim, at: [0.525, 1]}]");
  const Receiver& r = m.receivers.at(0);
  EXPECT_EQ(r.name, "rim");
  double u = 0;
  for (int k = 0; k < 4; ++k) {
    const std::size_t ix = r.node[k] % 11, iy = r.node[k] / 11;
    u += r.weight[k] * (2.0 * double(ix) - 3.0 * double(iy) + 1);
  }
  EXPECT_NEAR(u, 2 * 5.25 - 3 * 10 + 1, 1e-12);
}

TEST(ModelReceivers, ALineHasItsEnds) {
  const Model m = model("receivers: [{name: line, from: [0.1, 0.2], to: [0.9, 0.6], count: 5}]");
  ASSERT_EQ(m.receivers.size(), 5u);
  EXPECT_EQ(m.receivers[0].name, "line[0]");
  EXPECT_EQ(m.receivers[4].name, "line[4]");
  EXPECT_EQ(m.receivers[4].x, 0.9);
  EXPECT_NEAR(m.receivers[1].x, 0.3, 1e-15);
  EXPECT_NEAR(m.receivers[1].y, 0.3, 1e-15);
}

TEST(ModelReceivers, OnAPeriodicAxisReadTheFirstOfTwoNodes) {
  const Model m = model("receivers: [{at: [0.975, 0.5]}]\nedges: periodic");
  for (const std::size_t node : m.receivers.at(0).node) EXPECT_LT(node % 11, 10u);
  EXPECT_EQ(m.receivers[0].node[1] % 11, 0u);
  EXPECT_NEAR(m.receivers[0].weight[1] + m.receivers[0].weight[3], 0.75, 1e-12);
}

TEST(ModelReceivers, RefuseWhatTheyCannotRecord) {
  EXPECT_SENTENCE(model("receivers: [{name: far, at: [2, 0.5]}]"), "test.yaml:1", "far", "[2, 0.5]",
                  "x = 0 to 1");
  EXPECT_SENTENCE(model("receivers: [{name: half, from: [0, 0.5]}]"), "'from' and 'to'");
  EXPECT_SENTENCE(model("receivers: [{from: [0, 0.5], to: [1, 0.5]}]"), "'count' is 1", "at least 2");
  EXPECT_SENTENCE(model("receivers: [{name: a, at: [0.5, 0.5]}, {name: a, at: [0.4, 0.5]}]"),
                  "two receivers are named 'a'");
}

TEST(ModelReceivers, OnAFixedEdgeRecordNothingAndSaySo) {
  EXPECT_TRUE(has_note(model("receivers: [{name: wall, at: [0, 0.5]}]"), "will record 0 only"));
  EXPECT_TRUE(model("receivers: [{name: wall, at: [0, 0.5]}]\nedges: free").notes.empty());
}

namespace {

/// Two rooms, below and above y = 0.5.
Model two_rooms(const std::string& more) {
  return model("shape: {rectangles: [[0, 0, 1, 0.45], [0, 0.55, 1, 1]]}\n" + more);
}
const char* const nothing_reaches = "that no source, initial state or edge reaches";

}  // namespace

TEST(ModelParts, AReceiverThatNothingReachesIsToldOf) {
  const std::string receivers = "receivers: [{name: low, at: [0.5, 0.2]}, {name: high, at: [0.5, 0.8]}]\n";
  const std::string source = "sources: [{name: pump, at: [0.5, 0.2], ricker: {frequency: 1}}]\n";
  EXPECT_TRUE(has_note(two_rooms(receivers + source),
                       std::string("the receiver 'high' lies in a part of the region ") + nothing_reaches));
  EXPECT_TRUE(has_note(two_rooms(receivers), "the receivers 'low', 'high' lie in"));
  EXPECT_TRUE(
      has_note(two_rooms("receivers: [{name: line, from: [0.1, 0.8], to: [0.9, 0.8], count: 9}]\n" + source),
               "the receivers 'line[0]', 'line[1]', 'line[2]' and 6 more lie in"));
  EXPECT_FALSE(has_note(model("shape: {rectangles: [[0, 0, 1, 0.5], [0, 0.5, 1, 1]]}\nedges: {left: free}\n" +
                              receivers + source),
                        nothing_reaches));
}

TEST(ModelParts, AnInitialStateOrAnEdgeReachesWhatItTouches) {
  const std::string high = "receivers: [{name: high, at: [0.5, 0.8]}]\n";
  for (const char* what : {"displacement", "velocity"}) {
    const std::string field = std::string("initial: {") + what + ": {gaussian: {center: [0.5, ";
    EXPECT_FALSE(has_note(two_rooms(high + field + "0.8], width: 0.05}}}\n"), nothing_reaches)) << what;
    EXPECT_TRUE(has_note(two_rooms(high + field + "0.2], width: 0.05}}}\n"), nothing_reaches)) << what;
  }
  for (const char* edge : {"{driven: {sinusoid: {frequency: 1}}}",
                           "{absorbing: {radiation: {incoming: {sinusoid: {frequency: 1}}}}}"}) {
    EXPECT_FALSE(has_note(two_rooms(high + "edges: {top: " + edge + "}\n"), nothing_reaches)) << edge;
    EXPECT_FALSE(has_note(two_rooms(high + "edges: {left: " + edge + "}\n"), nothing_reaches)) << edge;
    EXPECT_TRUE(has_note(two_rooms(high + "edges: {bottom: " + edge + "}\n"), nothing_reaches)) << edge;
  }
  EXPECT_FALSE(has_note(
      two_rooms(
          "receivers: [{name: edge, at: [0.5, 0]}]\nedges: {bottom: {driven: {sinusoid: {frequency: 1}}}}\n"),
      nothing_reaches));
}

TEST(ModelParts, PeriodicEdgesConnect) {
  const std::string rest =
      "receivers: [{name: high, at: [0.5, 0.8]}]\nsources: [{at: [0.5, 0.2], ricker: {frequency: 1}}]\n";
  EXPECT_FALSE(has_note(two_rooms(rest + "edges: {bottom: periodic, top: periodic}\n"), nothing_reaches));
  const std::string walls =
      "shape: {not: {rectangles: [[0.3, 0, 0.4, 1]]}}\nreceivers: [{at: [0.2, 0.5]}]\n"
      "sources: [{at: [0.8, 0.5], ricker: {frequency: 1}}]\n";
  EXPECT_TRUE(has_note(model(walls), nothing_reaches));
  EXPECT_FALSE(has_note(model(walls + "edges: {left: periodic, right: periodic}\n"), nothing_reaches));
}

TEST(ModelParts, PartsAreJoinedRoundObstacles) {
  // A comb: its teeth are joined by its back only, which is the last row.
  const Model m = model(
      "shape: {not: {rectangles: [[0.2, 0, 0.3, 0.75], [0.5, 0, 0.6, 0.75], [0.8, 0, 0.85, 0.75]]}}\n"
      "receivers: [{at: [0.1, 0.1]}, {at: [0.4, 0.1]}, {at: [0.9, 0.1]}]\n"
      "sources: [{at: [0.7, 0.1], ricker: {frequency: 1}}]\n");
  EXPECT_FALSE(has_note(m, nothing_reaches));
}

TEST(ModelParts, ASourceThatNoReceiverHearsIsToldOf) {
  const std::string sources =
      "sources: [{name: pump, at: [0.5, 0.2], ricker: {frequency: 1}}, {name: drip, at: [0.5, 0.8], ricker: "
      "{frequency: 1}}]\n";
  EXPECT_TRUE(has_note(two_rooms(sources + "receivers: [{at: [0.5, 0.8]}]\n"),
                       "the source 'pump' lies in a part of the region that holds no receiver"));
  EXPECT_FALSE(has_note(two_rooms(sources), "holds no receiver"));
}
