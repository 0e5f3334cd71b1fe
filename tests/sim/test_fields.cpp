#include <cmath>
#include <numbers>

#include "given.hpp"

using namespace wavesim;
using namespace wavesim::test;

namespace {

const Grid unit = grid({1, 1}, {10, 10});

double at(const NodeField& f, const Grid& g, long ix, long iy) { return f[g.index(ix, iy)]; }

}  // namespace

TEST(Number, StaysOneNumber) {
  const NodeField f = field("2.5")->evaluate(unit);
  EXPECT_TRUE(f.uniform());
  EXPECT_EQ(f.constant, 2.5);
}

TEST(FieldExpression, KnowsThePlace) {
  const NodeField f = field("\"1 + x * y\"")->evaluate(unit);
  EXPECT_DOUBLE_EQ(at(f, unit, 10, 5), 1.5);
  EXPECT_DOUBLE_EQ(at(f, unit, 0, 5), 1);
}

TEST(FieldExpression, IsAlsoWrittenAsAMap) {
  EXPECT_DOUBLE_EQ(at(field("{expression: \"x - y\"}")->evaluate(unit), unit, 3, 1), 0.2);
}

TEST(FieldExpression, StaysOneNumberWhereItDoesNotVary) {
  const NodeField f = field("\"2 * pi\"")->evaluate(unit);
  EXPECT_TRUE(f.uniform());
  EXPECT_DOUBLE_EQ(f.constant, 2 * std::numbers::pi);
}

TEST(FieldExpression, NamesThePlaceWhereItIsNotFinite) {
  const auto f = field("\"sqrt(x - 0.05)\"");
  EXPECT_SENTENCE(f->evaluate(unit), "test.yaml:1", "sqrt(x - 0.05)", "nan at x = 0, y = 0");
  const auto g = field("\"1 / (x - 0.5)\"");
  EXPECT_SENTENCE(g->evaluate(unit), "inf at x = 0.5, y = 0");
}

TEST(Layers, ReachFromTheirBeginningToTheNext) {
  const NodeField f =
      field("{layers: [{from: 0, value: 1500}, {from: 0.4, value: 2000}, {from: 0.75, value: 3000}]}")
          ->evaluate(unit);
  EXPECT_EQ(at(f, unit, 0, 0), 1500);
  EXPECT_EQ(at(f, unit, 5, 3), 1500);
  EXPECT_EQ(at(f, unit, 5, 4), 2000);
  EXPECT_EQ(at(f, unit, 5, 7), 2000);
  EXPECT_EQ(at(f, unit, 5, 8), 3000);
  EXPECT_EQ(at(f, unit, 0, 10), 3000);
}

TEST(Layers, AreDepthsDownward) {
  const NodeField f =
      field("{layers: [{from: 0, value: 1}, {from: 0.3, value: 2}], direction: down}")->evaluate(unit);
  EXPECT_EQ(at(f, unit, 5, 10), 1);
  EXPECT_EQ(at(f, unit, 5, 8), 1);
  EXPECT_EQ(at(f, unit, 5, 7), 2);
  EXPECT_EQ(at(f, unit, 5, 0), 2);
}

TEST(Layers, LieAcrossEitherAxis) {
  const NodeField f =
      field("{layers: [{from: 0, value: 1}, {from: 0.5, value: 2}], axis: x}")->evaluate(unit);
  EXPECT_EQ(at(f, unit, 4, 9), 1);
  EXPECT_EQ(at(f, unit, 5, 0), 2);
}

TEST(Layers, MustGrowAndBeginWithTheGrid) {
  const auto back = field("{layers: [{from: 0, value: 1}, {from: 0, value: 2}]}");
  EXPECT_SENTENCE(back->evaluate(unit), "growing 'from'");
  const auto late = field("{layers: [{from: 0.1, value: 1}]}");
  EXPECT_SENTENCE(late->evaluate(unit), "begins at 0.1 m", "the grid at 0 m");
}

TEST(FileField, IsResampledAtItsOwnSpacing) {
  const Folder folder;
  folder.write_hdf5("v.h5", "/v", 3, 2, {1, 2, 3, 4, 5, 6}, {0.5, 1});
  const NodeField f = field("{file: v.h5, dataset: /v, scale: 10, offset: 1}", folder.path)->evaluate(unit);
  EXPECT_DOUBLE_EQ(at(f, unit, 0, 0), 11);
  EXPECT_DOUBLE_EQ(at(f, unit, 5, 5), 36);
  EXPECT_DOUBLE_EQ(at(f, unit, 10, 10), 61);
}

TEST(FileField, MarmousiHasItsWaterOnTop) {
  const std::filesystem::path data =
      std::filesystem::path(WAVESIM_SOURCE_DIR) / "../shared/data/marmousi_vp.h5";
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "needs marmousi_vp.h5 in ../shared/data";
  const Grid g = grid({9200, 3000}, {2300, 750});
  const NodeField f = field("{file: " + data.string() + ", dataset: /speed, flip: y}")->evaluate(g);
  double sum = 0;
  for (const double v : f.values) sum += v;
  EXPECT_NEAR(sum / double(f.values.size()), 2860.2, 0.1);  // of the file's own description
  EXPECT_EQ(at(f, g, 1000, 750), 1500);
  EXPECT_EQ(at(f, g, 1000, 745), 1500);
  EXPECT_GT(at(f, g, 1000, 10), 2000);
  const Grid wide = grid({9300, 3000}, {930, 300});
  EXPECT_SENTENCE(field("{file: " + data.string() + ", flip: y}")->evaluate(wide), "9200", "9300");
}

TEST(ImageField, MapsBlackAndWhiteToItsRange) {
  const Folder folder;
  folder.write_png("c.png", 2, 1, 1, 8, {255, 0});  // white above black
  const NodeField f = field("{image: c.png, range: [80, 120]}", folder.path)->evaluate(unit);
  EXPECT_DOUBLE_EQ(at(f, unit, 3, 10), 120);
  EXPECT_DOUBLE_EQ(at(f, unit, 3, 0), 80);
  EXPECT_DOUBLE_EQ(at(f, unit, 3, 5), 100);
}

TEST(Gaussian, HasItsStandardDeviation) {
  const NodeField f = field("{gaussian: {center: [0.5, 0.5], width: 0.1, amplitude: 2}}")->evaluate(unit);
  EXPECT_DOUBLE_EQ(at(f, unit, 5, 5), 2);
  EXPECT_NEAR(at(f, unit, 6, 5), 2 * std::exp(-0.5), 1e-12);
  EXPECT_NEAR(at(f, unit, 4, 4), 2 * std::exp(-1.0), 1e-12);
}

TEST(Ring, HasItsCrestOnTheRadius) {
  const NodeField f =
      field("{ring: {center: [0.5, 0.5], radius: 0.3, width: 0.1, amplitude: 2}}")->evaluate(unit);
  EXPECT_NEAR(at(f, unit, 8, 5), 2, 1e-12);
  EXPECT_NEAR(at(f, unit, 5, 2), 2, 1e-12);
  EXPECT_NEAR(at(f, unit, 5, 5), 2 * std::exp(-4.5), 1e-12);
}

TEST(Mode, IsASineWithFixedEdgesAndACosineWithFreeOnes) {
  const Grid g = grid({2, 1}, {20, 10}, {3, 4});
  const NodeField fixed = field("{mode: {m: 2, n: 1, amplitude: 3}}")->evaluate(g);
  EXPECT_NEAR(at(fixed, g, 5, 5), 3, 1e-12);
  EXPECT_NEAR(at(fixed, g, 15, 5), -3, 1e-12);
  EXPECT_NEAR(at(fixed, g, 20, 5), 0, 1e-12);
  const NodeField free = field("{mode: {m: 2, n: 0, amplitude: 3, edges: free}}")->evaluate(g);
  EXPECT_NEAR(at(free, g, 0, 7), 3, 1e-12);
  EXPECT_NEAR(at(free, g, 10, 2), -3, 1e-12);
  EXPECT_SENTENCE(field("{mode: {m: 0, n: 1}}")->evaluate(g), "zero everywhere", "edges: free");
  EXPECT_DOUBLE_EQ(field("{mode: {m: 2, n: 0, edges: free}}")->shortest_wavelength(g), 2);
}

TEST(Packet, TravelsAlongItsDirection) {
  const std::string keys =
      "wavelength: 0.1, direction: [3, 4], width: [0.08, 0.2], amplitude: 2, phase: 0.3}}";
  const Grid g = grid({1, 1}, {200, 200});
  const auto packet = field("{packet: {center: [0.5, 0.5], " + keys);
  const NodeField rate = packet->rate(g, {7, {}}).value();
  // Moved on by c dt along (0.6, 0.8), and back.
  const auto moved = [&](double d) {
    return field("{packet: {center: [" + std::to_string(0.5 + 0.6 * d) + ", " +
                 std::to_string(0.5 + 0.8 * d) + "], " + keys)
        ->evaluate(g);
  };
  const NodeField on = moved(1e-4), back = moved(-1e-4);
  for (const auto& [ix, iy] : {std::pair{100L, 100L}, {110L, 120L}, {90L, 105L}})
    EXPECT_NEAR(at(rate, g, ix, iy), (at(on, g, ix, iy) - at(back, g, ix, iy)) / (2e-4 / 7), 0.05);
  EXPECT_GT(std::abs(at(rate, g, 100, 100)), 100);
}

TEST(Packet, TakesTheSpeedAtItsCenter) {
  const auto packet = field("{packet: {center: [0.3, 0.8], wavelength: 0.2, width: 0.2, phase: 1.5}}");
  NodeField speed{0, Array<double>(unit.node_count(), 1.0)};
  speed.values[unit.index(3, 8)] = 5;
  const NodeField fast = packet->rate(unit, speed).value(), slow = packet->rate(unit, {1, {}}).value();
  EXPECT_DOUBLE_EQ(at(fast, unit, 4, 8), 5 * at(slow, unit, 4, 8));
  EXPECT_NE(at(slow, unit, 4, 8), 0);
}

TEST(Packet, RefusesWidthsAndDirectionsThatAreNone) {
  EXPECT_SENTENCE(field("{packet: {center: [0, 0], wavelength: 1, width: [1, 1, 1]}}")->evaluate(unit),
                  "3 numbers");
  EXPECT_SENTENCE(
      field("{packet: {center: [0, 0], wavelength: 1, width: 1, direction: [0, 0]}}")->evaluate(unit),
      "direction");
}

TEST(Fields, AListIsASum) {
  const Config c = config("initial: {displacement: [1, \"x\", {mode: {m: 1, n: 1}}]}");
  const NodeField f = evaluate(c.initial.displacement, unit);
  EXPECT_NEAR(at(f, unit, 5, 5), 1 + 0.5 + 1, 1e-12);
  EXPECT_TRUE(evaluate(config("initial: {displacement: [1, 2]}").initial.displacement, unit).uniform());
}
