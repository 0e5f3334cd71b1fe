#include <numbers>
#include <numeric>

#include "given.hpp"
#include "tests/sim/running.hpp"

using namespace wavesim;
using namespace wavesim::test;

namespace {

const Grid unit = grid({1, 1}, {10, 10});

long count(const Array<std::uint8_t>& mask) { return std::accumulate(mask.begin(), mask.end(), 0L); }

/// The mask as rows of text, the top first.
std::string picture(const Array<std::uint8_t>& mask, const Grid& g) {
  std::string text;
  for (long iy = g.cells[1]; iy >= 0; --iy) {
    for (long ix = 0; ix <= g.cells[0]; ++ix) text += mask[g.index(ix, iy)] ? '#' : '.';
    text += '\n';
  }
  return text;
}

}  // namespace

TEST(Circle, NodesOnItsRimAreNotInside) {
  const auto circle = shape("{circle: {center: [0.5, 0.5], radius: 0.2}, edge: free}");
  EXPECT_EQ(count(circle->inside(unit)), 9);           // r < 2 cells: 3 x 3
  EXPECT_EQ(count(circle->covered(unit, false)), 13);  // and the four at r = 2
}

TEST(Circle, AFixedRimInStairsHoldsTheNearestNodeOfEachGridLine) {
  // On the row through the center the rim is 2.4 cells away, on the next row 2.18, on the one after 1.33.
  const auto circle = shape("{circle: {center: [0.5, 0.5], radius: 0.24}, rim: staircase}");
  EXPECT_EQ(picture(circle->inside(unit), unit).substr(2 * 12, 7 * 12),
            "...........\n"
            "...........\n"
            "....###....\n"
            "....###....\n"
            "....###....\n"
            "...........\n"
            "...........\n");
  const auto larger = shape("{circle: {center: [0.5, 0.5], radius: 0.26}, rim: staircase}");
  EXPECT_TRUE(larger->inside(unit)[unit.index(7, 5)]);   // 2.6: node 3 is the nearer one
  EXPECT_FALSE(circle->inside(unit)[unit.index(7, 5)]);  // 2.4: node 2
  // A cut-out grows to the nearest node likewise.
  EXPECT_TRUE(larger->covered(unit, true)[unit.index(8, 5)]);
  EXPECT_FALSE(circle->covered(unit, true)[unit.index(8, 5)]);
  EXPECT_FALSE(larger->covered(unit, false)[unit.index(8, 5)]);
}

TEST(Circle, RoundingDoesNotDecideAboutItsRim) {
  const Grid g = grid({0.4, 0.4}, {400, 400});
  const auto mask = shape("{circle: {center: [0.2, 0.2], radius: 0.19}}")->inside(g);
  EXPECT_FALSE(mask[g.index(10, 200)]);
  EXPECT_TRUE(mask[g.index(11, 200)]);
  EXPECT_FALSE(mask[g.index(390, 200)]);
  EXPECT_FALSE(mask[g.index(200, 10)]);
  EXPECT_FALSE(mask[g.index(200, 390)]);
}

TEST(Ellipse, TurnsItsAxes) {
  const Grid g = grid({1, 1}, {100, 100});
  const auto mask =
      shape("{ellipse: {center: [0.5, 0.5], radii: [0.4, 0.1], angle: 90}, edge: free}")->inside(g);
  EXPECT_TRUE(mask[g.index(50, 89)]);
  EXPECT_FALSE(mask[g.index(50, 91)]);
  EXPECT_TRUE(mask[g.index(59, 50)]);
  EXPECT_FALSE(mask[g.index(61, 50)]);
  EXPECT_NEAR(double(count(mask)), 3.14159 * 40 * 10, 40);
}

TEST(Polygon, IsWhatItsCornersEnclose) {
  const Grid g = grid({6, 4}, {6, 4});
  const auto mask =
      shape("{polygon: [[1, 0.5], [5, 0.5], [5, 3.5], [3, 1.5], [1, 3.5]], edge: free}")->inside(g);
  EXPECT_EQ(picture(mask, g),
            ".......\n"
            ".......\n"
            "..#.#..\n"
            "..###..\n"
            ".......\n");
}

TEST(Polygon, CountsItsRimAsCovered) {
  const Grid g = grid({6, 4}, {6, 4});
  const auto polygon = shape("{polygon: [[1, 1], [4, 1], [1, 4]], edge: free}");
  EXPECT_EQ(count(polygon->inside(g)), 1);
  EXPECT_EQ(count(polygon->covered(g, false)), 10);  // with four nodes on each leg and on the diagonal
  EXPECT_SENTENCE(shape("{polygon: [[0, 0], [1, 1]]}")->inside(g), "2 corners", "at least 3");
}

TEST(Rectangles, AreTakenTogether) {
  const Grid g = grid({6, 4}, {6, 4});
  const auto s = shape("{rectangles: [[0.5, 0.5, 2.5, 1.5], [3.5, 0.5, 5.5, 3.5]]}");
  EXPECT_EQ(picture(s->inside(g), g),
            ".......\n"
            "....##.\n"
            "....##.\n"
            ".##.##.\n"
            ".......\n");
  EXPECT_SENTENCE(shape("{rectangles: [[2, 0, 1, 1]]}")->inside(g), "[2, 0, 1, 1]", "inside out");
}

TEST(Rectangles, ReachTheEdgesOfTheGridAndGoOnBeyond) {
  Grid g = grid({6, 4}, {6, 4});
  const auto s = shape("{rectangles: [[0, 0, 6, 2]]}");
  EXPECT_EQ(picture(s->inside(g), g),
            ".......\n"
            ".......\n"
            ".......\n"
            "#######\n"
            "#######\n");
  g.cells = {8, 4};  // two cells of absorbing layer on the right
  g.layer[0][1] = 2;
  EXPECT_EQ(picture(s->inside(g), g),
            ".........\n"
            ".........\n"
            ".........\n"
            "#########\n"
            "#########\n");
}

TEST(ShapeExpression, IsInsideWhereGreaterThanZero) {
  const auto mask = shape("{expression: \"x - 0.55\", edge: free}")->inside(unit);
  EXPECT_EQ(count(mask), 5 * 11);
  EXPECT_TRUE(mask[unit.index(6, 0)]);
  EXPECT_SENTENCE(shape("{expression: \"sqrt(x - 2)\"}")->inside(unit), "sqrt(x - 2)", "not a number");
}

TEST(FileShape, IsInsideWhereTheMaskIsSet) {
  const Folder folder;
  folder.write_hdf5("m.h5", "/sea", 2, 3, {1, 0, 0, 1, 1, 0});
  const Grid g = grid({2, 1}, {2, 1});
  EXPECT_EQ(picture(shape("{file: m.h5, dataset: /sea, edge: free}", folder.path)->inside(g), g),
            "##.\n#..\n");
  EXPECT_EQ(picture(shape("{file: m.h5, dataset: /sea, flip: y, edge: free}", folder.path)->inside(g), g),
            "#..\n##.\n");
}

TEST(FileShape, TheGulfHasItsSea) {
  const std::filesystem::path data =
      std::filesystem::path(WAVESIM_SOURCE_DIR) / "../shared/data/gulf_caribbean_bathymetry.h5";
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "needs gulf_caribbean_bathymetry.h5 in ../shared/data";
  const Grid g = grid({5119970, 2668681}, {1470, 720});  // rounded to whole metres
  const auto mask = shape("{file: " + data.string() + ", dataset: /sea, flip: y, edge: free}")->inside(g);
  EXPECT_NEAR(double(count(mask)), 867517, 2000);  // of the file's own description
  EXPECT_TRUE(mask[g.index(270, 525)]);            // 25.5 N, 90 W
  EXPECT_FALSE(mask[g.index(30, 690)]);            // Texas
}

TEST(ImageShape, IsInsideWhereItIsBright) {
  const Folder folder;
  folder.write_png("m.png", 2, 2, 1, 8, {255, 0, 0, 0});  // the upper left
  const Grid g = grid({4, 4}, {4, 4});
  EXPECT_EQ(picture(shape("{image: m.png, edge: free}", folder.path)->inside(g), g),
            "##...\n##...\n.....\n.....\n.....\n");
  EXPECT_EQ(count(shape("{image: m.png, threshold: 1}", folder.path)->inside(g)), 0);
}

TEST(Not, TakesAwayAShapeWithItsRim) {
  const auto cut = shape("{not: {circle: {center: [0.5, 0.5], radius: 0.2}}, edge: free}");
  EXPECT_TRUE(cut->cuts_out());
  EXPECT_TRUE(cut->has_free_rim());
  EXPECT_EQ(count(cut->inside(unit)), 121 - 13);
}

TEST(Not, RefusesARimOfTheInnerShape) {
  const auto cut = shape("{not: {circle: {center: [0.5, 0.5], radius: 0.2}, edge: free}}");
  EXPECT_SENTENCE(cut->inside(unit), "within 'not'", "beside");
}

namespace {

/// The number of parts of a region that faces connect.
int parts(const Model& m) {
  const Grid& g = m.grid;
  std::vector<bool> seen(g.node_count());
  int count = 0;
  for (std::size_t start = 0; start < seen.size(); ++start) {
    if (seen[start] || !is_inside(m.region[start])) continue;
    ++count;
    std::vector<std::size_t> open{start};
    seen[start] = true;
    while (!open.empty()) {
      const std::size_t i = open.back(), nx = std::size_t(g.nodes(0));
      open.pop_back();
      const auto enter = [&](bool there, std::size_t j) {
        if (!there || seen[j] || !is_inside(m.region[j])) return;
        const std::size_t first = std::min(i, j), next = std::max(i, j);
        if (!((next - first == 1 ? m.face_x : m.face_y)[first] > 0)) return;
        seen[j] = true;
        open.push_back(j);
      };
      enter(i % nx > 0, i - 1);
      enter(i % nx + 1 < nx, i + 1);
      enter(i >= nx, i - nx);
      enter(i + nx < seen.size(), i + nx);
    }
  }
  return count;
}

/// The region as rows of digits, the top first.
std::string picture(const Model& m) {
  std::string text;
  for (long iy = m.grid.cells[1]; iy >= 0; --iy) {
    for (long ix = 0; ix <= m.grid.cells[0]; ++ix) text += char('0' + int(m.region[m.grid.index(ix, iy)]));
    text += '\n';
  }
  return text;
}

/// The model of a shape in YAML, "EDGE" replaced, on a grid of 3 x 3 m and 30 x 30 cells.
Model room(std::string shape, const std::string& edge, const std::string& more = "") {
  for (std::size_t at; (at = shape.find("EDGE")) != std::string::npos;) shape.replace(at, 4, "edge: " + edge);
  return model("grid: {size: [3, 3], cells: [30, 30]}\nshape: " + shape + "\n" + more);
}

/// One room written in two ways: the same nodes, and how many parts they have.
struct SameRoom {
  std::string name, pieces, whole;
  int parts = 1;
};
void PrintTo(const SameRoom& room, std::ostream* out) { *out << room.name; }

class TouchingShapes : public ::testing::TestWithParam<SameRoom> {};

const std::string ell =
    "{polygon: [[0.5, 0.5], [2.5, 0.5], [2.5, 1.5], [1.5, 1.5], [1.5, 2.5], [0.5, 2.5]], EDGE}";

}  // namespace

TEST_P(TouchingShapes, AreTheRoomThatTheyMakeUp) {
  for (const std::string edge : {"fixed", "free"}) {
    const Model pieces = room(GetParam().pieces, edge);
    EXPECT_EQ(parts(pieces), GetParam().parts) << edge;
    if (!GetParam().whole.empty()) {
      EXPECT_EQ(picture(pieces), picture(room(GetParam().whole, edge))) << edge;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    AlongALine, TouchingShapes,
    ::testing::Values(
        SameRoom{"Rectangles", "{rectangles: [[0.5, 0.5, 2.5, 1.5], [0.5, 1.5, 1.5, 2.5]], EDGE}", ell},
        SameRoom{"RectanglesInAList",
                 "[{rectangles: [[0.5, 0.5, 2.5, 1.5]], EDGE}, {rectangles: [[0.5, 1.5, 1.5, 2.5]], EDGE}]",
                 ell},
        SameRoom{"RectanglesAtTheEdgesOfTheGrid", "{rectangles: [[0, 0, 2, 1], [0, 1, 1, 3]], EDGE}",
                 "{polygon: [[-1, -1], [2, -1], [2, 1], [1, 1], [1, 4], [-1, 4]], EDGE}"},
        SameRoom{
            "FourRectanglesRoundAPoint",
            "{rectangles: [[0.5, 0.5, 1, 1], [1, 0.5, 2.5, 1], [0.5, 1, 1, 2.5], [1, 1, 2.5, 2.5]], EDGE}",
            "{rectangles: [[0.5, 0.5, 2.5, 2.5]], EDGE}"},
        SameRoom{"ASideBetweenTheNodes",
                 "[{rectangles: [[0.5, 0.5, 1.43, 1.5]], EDGE}, {rectangles: [[1.43, 0.5, 2.5, 1.5]], EDGE}]",
                 "{rectangles: [[0.5, 0.5, 2.5, 1.5]], EDGE}"},
        SameRoom{
            "CoordinatesThatAreRounded",
            "[{rectangles: [[0.5, 0.5, 0.89999999, 1.5]], EDGE}, {polygon: [[0.90000001, 0.5], [2.5, 0.5], "
            "[2.5, 1.5], [0.90000001, 1.5]], EDGE}]",
            "{rectangles: [[0.5, 0.5, 2.5, 1.5]], EDGE}"},
        SameRoom{"PolygonsWithASide",
                 "[{polygon: [[0.5, 0.5], [2.5, 0.5], [2.5, 1.5]], EDGE}, {polygon: [[0.5, 0.5], [2.5, 1.5], "
                 "[0.5, 1.5]], EDGE}]",
                 "{rectangles: [[0.5, 0.5, 2.5, 1.5]], EDGE}"},
        SameRoom{
            "PolygonsWithAPartOfASide",
            "[{polygon: [[0.5, 0.5], [2.5, 2.5], [0.5, 2.5]], EDGE}, {polygon: [[1, 1], [1.5, 0.5], [2.5, "
            "1.5], [2, 2]], EDGE}]",
            "{polygon: [[0.5, 0.5], [1, 1], [1.5, 0.5], [2.5, 1.5], [2, 2], [2.5, 2.5], [0.5, 2.5]], EDGE}"},
        SameRoom{
            "ThreePolygonsRoundAPoint",
            "[{polygon: [[1, 1], [2, 0.5], [2.5, 2.5]], EDGE}, {polygon: [[1, 1], [2.5, 2.5], [0.5, 2.2]], "
            "EDGE}, {polygon: [[1, 1], [0.5, 2.2], [0.3, 0.4], [2, 0.5]], EDGE}]",
            "{polygon: [[2, 0.5], [2.5, 2.5], [0.5, 2.2], [0.3, 0.4]], EDGE}"},
        SameRoom{
            "APolygonThatTouchesItself",
            "{polygon: [[0.5, 0.5], [2.5, 0.5], [2.5, 2.5], [0.5, 2.5], [0.5, 0.5], [1, 1], [1, 2], [2, 2], "
            "[2, 1], [1, 1]], EDGE}",
            "{rectangles: [[0.5, 0.5, 2.5, 1], [0.5, 2, 2.5, 2.5], [0.5, 1, 1, 2], [2, 1, 2.5, 2]], EDGE}"},
        SameRoom{
            "DifferentKinds",
            "[{rectangles: [[0.5, 0.5, 1.5, 1.5]], EDGE}, {polygon: [[1.5, 0.5], [2.5, 0.5], [1.5, 1.5]], "
            "EDGE}]",
            "{polygon: [[0.5, 0.5], [2.5, 0.5], [1.5, 1.5], [0.5, 1.5]], EDGE}"},
        SameRoom{
            "ARectangleAndAFormula",
            "[{rectangles: [[0.5, 0.5, 0.7, 1.5]], EDGE}, {expression: \"x > 0.7 ? min(min(x - 0.7, 2.5 - "
            "x), min(y - 0.5, 1.5 - y)) : -1\", EDGE}]",
            ""},
        SameRoom{
            "Formulas",
            "[{expression: \"min(min(1.5 - x, x - 0.55), min(y - 0.55, 1.45 - y))\", EDGE}, {expression: "
            "\"min(min(x - 1.5, 2.45 - x), min(y - 0.55, 1.45 - y))\", EDGE}]",
            "{expression: \"min(min(2.45 - x, x - 0.55), min(y - 0.55, 1.45 - y))\", EDGE}"},
        SameRoom{
            "ThroughACutOut",
            "[{rectangles: [[0.5, 0.5, 1.5, 1.5], [1.5, 0.5, 2.5, 1.5]], EDGE}, {not: {rectangles: [[1.2, "
            "0.8, 1.5, 1.1]]}, EDGE}]",
            "[{rectangles: [[0.5, 0.5, 2.5, 1.5]], EDGE}, {not: {rectangles: [[1.2, 0.8, 1.5, 1.1]]}, "
            "EDGE}]"},
        SameRoom{
            "ACutOutAlongTheSide",
            "[{rectangles: [[0.5, 0.5, 1.5, 1.5], [1.5, 0.5, 2.5, 1.5]], EDGE}, {not: {rectangles: [[1.5, "
            "0.5, 1.5, 1.5]]}, EDGE}]",
            "", 2}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    OnlyInAPoint, TouchingShapes,
    ::testing::Values(
        SameRoom{"Rectangles", "{rectangles: [[0.5, 0.5, 1.5, 1.5], [1.5, 1.5, 2.5, 2.5]], EDGE}", "", 2},
        SameRoom{
            "Polygons",
            "[{polygon: [[1.5, 1.5], [0.5, 1.05], [0.5, 1.95]], EDGE}, {polygon: [[1.5, 1.5], [2.5, 1.95], "
            "[2.5, 1.05]], EDGE}]",
            "", 2},
        SameRoom{
            "PolygonsWithANarrowGap",
            "[{polygon: [[1.5, 1.5], [1.45, 2.5], [0.5, 2.5], [0.5, 0.5], [1.45, 0.5]], EDGE}, {polygon: "
            "[[1.5, 1.5], [1.55, 2.5], [2.5, 2.5], [2.5, 0.5], [1.55, 0.5]], EDGE}]",
            "", 2},
        SameRoom{
            "Circles",
            "[{circle: {center: [1, 1.5], radius: 0.5}, EDGE}, {circle: {center: [2, 1.5], radius: 0.5}, "
            "EDGE}]",
            "", 2},
        SameRoom{
            "AnEllipseAndARectangle",
            "[{ellipse: {center: [1, 1.5], radii: [0.4, 0.5], angle: 90}, EDGE}, {rectangles: [[1.5, 0.5, "
            "2.5, 2.5]], EDGE}]",
            "", 2}),
    [](const auto& info) { return info.param.name; });

TEST(ShapesThatTouch, TakeTheRimOfTheFirstOneOnTheSideThatTheyShare) {
  const Model m =
      room("[{rectangles: [[0.5, 0.5, 1.5, 1.5]], edge: free}, {rectangles: [[1.5, 0.5, 2.5, 1.5]]}]", "");
  EXPECT_EQ(m.region[m.grid.index(14, 10)], Node::inside_free_rim);
  EXPECT_EQ(m.region[m.grid.index(15, 10)], Node::inside_free_rim);
  EXPECT_EQ(m.region[m.grid.index(16, 10)], Node::inside_fixed_rim);
}

TEST(ShapesThatTouch, LeaveOutWhatOneFormulaOrPictureLeavesOutInItsMidst) {
  EXPECT_EQ(parts(room("{expression: \"abs(x - 1.5)\", edge: free}", "")), 2);
  EXPECT_EQ(parts(room("[{expression: \"abs(x - 1.5)\", edge: free}, {circle: {center: [0.5, 0.5], radius: "
                       "0.1}, edge: free}]",
                       "")),
            2);
}

TEST(ShapesThatTouch, AreSeparateWhereTwoPicturesAreBlack) {
  const Folder folder;  // a black pixel at each node: at the threshold, but not enclosed
  folder.write_png("m.png", 2, 2, 1, 8, {0, 0, 0, 0});
  EXPECT_SENTENCE(model("shape: [{image: m.png, threshold: 0}, {image: m.png, threshold: 0}]", folder.path),
                  "no node of the grid lies inside");
}

TEST(Shapes, OfSamplesSayTheirRangeWhereNoNodeLiesInside) {
  const Folder folder;
  folder.write_png("dark.png", 2, 2, 3, 8, {0, 0, 0, 51, 51, 51, 0, 0, 0, 0, 0, 0});
  EXPECT_SENTENCE(model("shape: {image: dark.png}", folder.path), "no node of the grid lies inside",
                  "the brightness of", "dark.png is 0 to 0.2", "the threshold 0.5",
                  "give another 'threshold'");
  folder.write_hdf5("land.h5", "sea", 2, 2, {-3, -2, -1, 0});
  EXPECT_SENTENCE(model("shape: {file: land.h5, threshold: 7}", folder.path), "the range of",
                  "land.h5 is -3 to 0", "the threshold 7");
}

TEST(ShapesThatTouch, DoSoFarFromTheOrigin) {
  const Model m = model(
      "grid: {size: [3, 3], cells: [30, 30], origin: [3500000, 5600000]}\n"
      "shape: [{rectangles: [[3500000.5, 5600000.5, 3500001.1, 5600002.5]]}, {rectangles: [[3500001.1, "
      "5600000.5, 3500002.5, 5600002.5]]}]");
  EXPECT_EQ(parts(m), 1);
}

TEST(CutOuts, TakeTheirRimBesideAndNotWithin) {
  EXPECT_SENTENCE(model("shape: {not: {circle: {center: [0.5, 0.5], radius: 0.2}, rim: staircase}}"),
                  "test.yaml:1", "'rim: staircase' within 'not' has no effect");
  EXPECT_TRUE(model("shape: {not: {circle: {center: [0.5, 0.5], radius: 0.2}}, rim: staircase}")
                  .rim.crossings.empty());
}

TEST(ShapesThatTouch, CarryTheStandingWaveOfTheWholeRoom) {
  // Half a wave along both halves together; a fixed rim lies on the nodes, a free one half-way between them.
  struct Room {
    double low, high, low_y, high_y;
    const char *edge, *wave;
  };
  for (const Room& r : {Room{0.5, 2.5, 0.5, 1.5, "fixed", "sin(pi * (x - 0.5) / 2) * sin(pi * (y - 0.5))"},
                        Room{0.55, 2.45, 0.55, 1.45, "free", "cos(pi * (x - 0.55) / 1.9)"}}) {
    const double k = std::numbers::pi / (r.high - r.low),
                 l = r.edge == std::string("fixed") ? std::numbers::pi : 0;
    const double period = 2 * std::numbers::pi / std::hypot(k, l);
    Running run(
        with("grid: {size: [3, 2], cells: [30, 20]}\n"
             "shape: [{rectangles: [[%g, %g, 1.5, %g]], edge: %s}, {rectangles: [[1.5, %g, %g, %g]], "
             "edge: %s}]\n"
             "initial: {displacement: \"%s\"}\ntime: {end: %.17g, courant: 0.2}",
             r.low, r.low_y, r.high_y, r.edge, r.low_y, r.high, r.high_y, r.edge, r.wave, period));
    const std::vector<double> before = run.field();
    run.finish();
    const std::vector<double> after = run.field();
    double most = 0;
    for (std::size_t i = 0; i < before.size(); ++i) most = std::max(most, std::abs(after[i] - before[i]));
    EXPECT_LT(most, 1e-3) << r.edge;
  }
}
