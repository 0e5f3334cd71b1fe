#include <numeric>

#include "given.hpp"

using namespace wavesim;
using namespace wavesim::test;

namespace {

const Grid unit = grid({1, 1}, {10, 10});

long count(const std::vector<std::uint8_t>& mask) { return std::accumulate(mask.begin(), mask.end(), 0L); }

/// The mask as rows of text, the top first.
std::string picture(const std::vector<std::uint8_t>& mask, const Grid& g) {
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

TEST(Circle, AFixedRimHoldsTheNearestNodeOfEachGridLine) {
  // On the row through the center the rim is 2.4 cells away, on the next row 2.18, on the one after 1.33.
  const auto circle = shape("{circle: {center: [0.5, 0.5], radius: 0.24}}");
  EXPECT_EQ(picture(circle->inside(unit), unit).substr(2 * 12, 7 * 12),
            "...........\n"
            "...........\n"
            "....###....\n"
            "....###....\n"
            "....###....\n"
            "...........\n"
            "...........\n");
  const auto larger = shape("{circle: {center: [0.5, 0.5], radius: 0.26}}");
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
  EXPECT_EQ(cut->edge, "free");
  EXPECT_EQ(count(cut->inside(unit)), 121 - 13);
}

TEST(Not, RefusesARimOfTheInnerShape) {
  const auto cut = shape("{not: {circle: {center: [0.5, 0.5], radius: 0.2}, edge: free}}");
  EXPECT_SENTENCE(cut->inside(unit), "within 'not'", "beside");
}
