// Shapes that ranks share out: region, rims and what is made of them are those of one rank in the rows of each, runs have the same
// bits, and no rank has memory for all nodes.

#include <cmath>

#include "tests/sim/models_on_ranks.hpp"
#include "tests/sim/runs_on_ranks.hpp"

namespace wavesim::test {
namespace {

const std::string tall = "grid: {size: [0.7, 10], cells: [23, 330]}, ";
const char* const signal = "{driven: {sinusoid: {frequency: 2, amplitude: 0.2}}}";
const std::string initial_and_receivers =
    ", initial: {displacement: {gaussian: {center: [0.3, 2.9], width: 0.3, amplitude: 1}}, velocity: 'cos(y) "
    "+ x'}, "
    "receivers: [{name: l, from: [0.11, 0.1], to: [0.61, 9.7], count: 41}, {name: r, at: [0.35, 7.72]}], "
    "sources: "
    "[{name: a, area: {gaussian: {center: [0.4, 7.8], width: 0.2, amplitude: 3}}, sinusoid: {frequency: 4, "
    "amplitude: 1}}";
const std::string wave =
    initial_and_receivers +
    ", {name: s, at: [0.35, 3.94], ricker: {frequency: 3, delay: 0.2}}, {name: d, at: [0.3, "
    "5.03], dipole: [0, 1], ricker: {frequency: 3, delay: 0.2}}]";

/// Shapes across the rows where ranks meet; `rim` after their own keys.
std::vector<std::string> shapes(const std::string& rim) {
  return {
      "{circle: {center: [0.35, 5], radius: 4.83}" + rim + "}",
      "{ellipse: {center: [0.35, 5], radii: [4.9, 0.31], angle: 88}" + rim + "}",
      "{polygon: [[0.05, 0.2], [0.63, 1.3], [0.4, 5.1], [0.66, 9.8], [0.31, 9.9], [0.02, 6.4]]" + rim + "}",
      "{rectangles: [[0.05, 0.4, 0.5, 4.9], [0.21, 4.9, 0.66, 9.7]]" + rim + "}",
      "{expression: '0.3 - abs(x - 0.35 - 0.05 * sin(2 * y))'" + rim + "}",
      "[{circle: {center: [0.3, 3], radius: 2.6}" + rim + "}, {rectangles: [[0.1, 5, 0.6, 9.6]]" + rim +
          "}, {not: {ellipse: {center: [0.6, 5], radii: [0.14, 0.4]}}" + rim +
          "}, {not: {not: {rectangles: [[0, 0, 0.7, 9.1]]}}}]"};
}
const std::vector<std::string> rims{"",
                                    ", rim: staircase",
                                    ", edge: free",
                                    ", edge: free, rim: staircase",
                                    std::string(", edge: ") + signal,
                                    std::string(", edge: ") + signal + ", rim: staircase",
                                    ", edge: absorbing",
                                    ", edge: {absorbing: {reflection: 0.3}}, rim: staircase"};

TEST(ShapesOnRanks, AreThoseOfOneRankWithEachRim) {
  for (const std::string& rim : rims)
    for (const std::string& shape : shapes(rim))
      for (const char* order : {"2", "4"})
        expect_same_models(
            tall + "medium: {speed: '1 + 0.1 * y', density: '2 - y/10', damping: '0.1 * y'}, shape: " +
                shape + wave + ", space: {order: " + order + "}",
            ".", {4});
}

TEST(ShapesOnRanks, StandBesideEachEdge) {
  for (const char* edges :
       {"absorbing", "{left: periodic, right: periodic, bottom: free, top: absorbing}",
        "{left: fixed, right: free, bottom: {driven: {sinusoid: {frequency: 2, amplitude: 0.2}}}, top: "
        "{absorbing: "
        "{radiation: {}}}}",
        "{left: free, right: free, bottom: {absorbing: {sponge: {thickness: 100 cells}}}, top: free}"})
    for (const char* order : {"2", "4"})
      for (const char* medium : {"speed: 1", "model: shallow-water, depth: '1.05 - 0.1 * y'"})
        expect_same_models(tall + "medium: {" + medium + "}, edges: " + edges +
                           ", shape: [{expression: '10 - y', edge: free}, {not: {circle: {center: [0.4, "
                           "3.3], radius: 0.12}}, edge: "
                           "free}, {not: {ellipse: {center: [0.15, 6.1], radii: [0.1, 1.9]}}}]" +
                           wave + ", space: {order: " + order + "}");
}

TEST(ShapesOnRanks, AreReadFromFiles) {
  const Folder folder;
  std::vector<double> values;
  std::vector<unsigned> grey;
  for (long row = 0; row < 500; ++row)
    for (long column = 0; column < 40; ++column) {
      const double v = 0.5 + 0.4 * std::sin(0.05 * double(row)) * std::cos(0.2 * double(column));
      values.push_back(v), grey.push_back(unsigned(255 * v));
    }
  folder.write_hdf5("m.h5", "/sea", 500, 40, values);
  folder.write_png("m.png", 500, 40, 1, 8, grey);
  for (const std::string& rim : {rims[0], rims[2], ", rim: cut" + rims[0], ", rim: cut" + rims[2]})
    for (const char* file : {"{file: m.h5, threshold: 0.4", "{file: m.h5, flip: y", "{image: m.png"}) {
      expect_same_models(
          tall + "medium: {speed: 1}, shape: " + file + rim + "}" + initial_and_receivers + "]", folder.path);
      expect_same_models(tall + "medium: {speed: {file: m.h5, offset: 1}}, shape: {not: " + file + "}" + rim +
                             "}" + initial_and_receivers + "]",
                         folder.path);
    }
}

/// Shapes in layers are those of the edge of the rectangle, which may lie far from a rank's rows; initial fields are not.
TEST(ShapesOnRanks, AreReadFromFilesThatReachBeyondTheGrid) {
  const Folder folder;
  std::vector<double> values;
  for (long row = 0; row < 201; ++row)
    for (long column = 0; column < 4; ++column)
      values.push_back((std::abs(row - 100) < 3) == (column % 2 == 0) ? 0.9 : 0.1);
  folder.write_hdf5("m.h5", "/sea", 201, 4, values);
  for (const auto& [edges, keys] :
       {std::pair{"bottom: free, top: {absorbing: {sponge: {thickness: 300 cells}}}", ""},
        std::pair{"bottom: {absorbing: {sponge: {thickness: 300 cells}}}, top: free", ", flip: y"}}) {
    const std::string file = std::string("file: m.h5, spacing: [0.25, 0.1]") + keys;
    expect_same_models(tall + "medium: {speed: 1}, edges: {left: free, right: free, " + edges +
                           "}, shape: {" + file + "}, initial: {displacement: {" + file + "}}",
                       folder.path, {8});
  }
}

/// In the first and in the last row of a rank nodes lack the neighbour by which they are held or taken away.
TEST(ShapesOnRanks, SayOfAllNodesOnlyWhatTheySurelyKnow) {
  const std::string still = tall + "medium: {speed: 1}, shape: ";
  long first = 0, last = 0;
  run_rank_threads(2, [&](Ranks& ranks) {
    const Model own = build_model(config("{" + tall + "medium: {speed: 1}}"), &ranks);
    if (ranks.rank() == 0)
      last = own.grid.end_row() - 1;
    else
      first = own.grid.first_row();
  });
  const double h = 10.0 / 330;
  const auto beside = [&](long row, double towards) { return std::to_string(h * (double(row) + towards)); };
  for (const auto& [row, way] : {std::pair{first, 1}, std::pair{last, -1}}) {
    SCOPED_TRACE(row);
    const auto between = [&, row = row, way = way](double a, double b) {
      return std::pair{beside(row, std::min(way * a, way * b)), beside(row, std::max(way * a, way * b))};
    };
    const auto [low, high] = between(-0.3, 0.7);
    const Config c =
        config("{" + still + "{rectangles: [[0, " + low + ", 0.7, " + high + "]], rim: staircase}}");
    const std::string alone = sentence([&] { build_model(c); });
    EXPECT_FALSE(alone.empty());
    run_rank_threads(2, [&](Ranks& ranks) { EXPECT_EQ(sentence([&] { build_model(c, &ranks); }), alone); });

    const auto [end, begin] = between(-0.1, 0.6);
    const std::string takes_none = still + "{not: {not: {rectangles: [[0, 0, 0.7, " + end + "], [0, " +
                                   begin + ", 0.7, 10]]}, rim: staircase}}";
    EXPECT_FALSE(build_model(config("{" + takes_none + "}")).notes.empty());
    expect_same_models(takes_none, ".", {2});
  }
}

/// Parts that a wall divides, whose sources, receivers and initial states are on several ranks.
TEST(ShapesOnRanks, FindWhatNoWaveConnects) {
  const auto divided = [](const std::string& walls, const std::string& more) {
    const std::string yaml =
        tall + "medium: {speed: 1}, shape: {rectangles: " + walls + ", edge: free}" + more;
    expect_same_models(yaml, ".", {2, 3, 5});
    return build_model(config("{" + yaml + "}")).notes;
  };
  const std::string points =
      ", sources: [{name: a, at: [0.1, 1], ricker: {frequency: 3, delay: 0.2}}, {name: b, at: [0.6, 9], "
      "ricker: "
      "{frequency: 3, delay: 0.2}}], receivers: [{name: l, from: [0.1, 0.5], to: [0.1, 9.5], count: 7}, "
      "{name: r, from: "
      "[0.6, 0.5], to: [0.6, 9.5], count: 7}]";
  // two lanes, a snake through three, and islands
  EXPECT_TRUE(divided("[[0, 0, 0.3, 10], [0.4, 0, 0.7, 10]]", points).empty());
  EXPECT_TRUE(divided("[[0, 0, 0.18, 10], [0, 9.5, 0.45, 10], [0.27, 0, 0.45, 10], [0.27, 0, 0.7, 0.5], "
                      "[0.54, 0, 0.7, 10]]",
                      points)
                  .empty());
  EXPECT_FALSE(divided("[[0, 0, 0.3, 4], [0, 4.5, 0.3, 10], [0.4, 0, 0.7, 10]]", points).empty());
  EXPECT_FALSE(divided("[[0, 0, 0.3, 4], [0, 4.5, 0.3, 10], [0.4, 0, 0.7, 3], [0.4, 4, 0.7, 10]]",
                       points + ", initial: {displacement: 'y > 5 && y < 6 && x > 0.5 ? 1 : 0'}")
                   .empty());
}

TEST(ShapesOnRanks, SayTheSameOfWhatIsWrong) {
  const Folder folder;
  folder.write_hdf5("m.h5", "/sea", 331, 24, std::vector<double>(331 * 24, 0.2));
  for (const char* wrong :
       {"shape: {circle: {center: [9, 9], radius: 1}}", "shape: {expression: 'sqrt(9.3 - y)'}",
        "shape: {file: m.h5}",
        "shape: {rectangles: [[0, 0, 0.7, 5]]}, sources: [{at: [0.3, 8], ricker: {frequency: 1}}]",
        "edges: absorbing, shape: {circle: {center: [0.3, 0], radius: 3}, edge: {driven: {sinusoid: "
        "{frequency: 2, "
        "amplitude: 0.2}}}}",
        "shape: {rectangles: [[0, 0, 0.7, 9]]}, sources: [{name: m, at: {x: 0.3, y: '9.2 + 0.01 * t'}, "
        "ricker: "
        "{frequency: 1, delay: 0}}]"}) {
    SCOPED_TRACE(wrong);
    const Config c = config("{" + tall + wrong + "}", folder.path);
    const std::string alone = sentence([&] { build_model(c); });
    EXPECT_FALSE(alone.empty());
    run_rank_threads(3, [&](Ranks& ranks) { EXPECT_EQ(sentence([&] { build_model(c, &ranks); }), alone); });
  }
}

std::string run_of(const std::string& shape, const std::string& time, const std::string& solver,
                   const std::string& more = "") {
  return "{" + tall +
         "medium: {speed: '1 + 0.5 * x', density: '2 - y/10', damping: '0.04 * y'}, shape: " + shape + wave +
         ", time: {" + time + "}, solver: {" + solver +
         "}, output: {fields: {every: 7, quantities: [displacement, velocity, energy-density, "
         "max-displacement, "
         "arrival-time], arrival-threshold: 0.05}, energy: {every: 3}}" +
         more + "}";
}

TEST(ShapesOnRanks, GiveTheBitsOfOneInRuns) {
  for (const std::size_t rim : {0, 2, 4, 6})
    for (const std::string& shape : shapes(rims[rim])) {
      expect_same_bits(run_of(shape, "scheme: explicit, courant: 0.5, steps: 20", "method: cg"), {4});
      expect_same_bits(run_of(shape, "courant: 1, steps: 5", "method: chebyshev, tolerance: 1e-9"), {3});
      expect_same_bits(run_of(shape, "scheme: numerov, courant: 0.7, steps: 5",
                              "method: chebyshev, tolerance: 1e-9", ", space: {order: 4}"),
                       {3});
    }
}

TEST(ShapesOnRanks, GiveTheBitsOfOneBesideLayersAndMovingSources) {
  const std::string still = "{name: s, at: [0.35, 3.94]", moving = "{name: s, at: {x: 0.35, y: '2 + 9 * t'}";
  for (const std::string& shape : shapes(rims[2]))
    for (const char* order : {"2", "4"}) {
      std::string run =
          run_of(shape, "courant: 1.2, steps: 9", "method: chebyshev, tolerance: 1e-9",
                 std::string(", space: {order: ") + order +
                     "}, edges: {left: {absorbing: {pml: {thickness: 5 cells}}}, right: free, bottom: "
                     "{absorbing: {pml: {thickness: 5 cells}}}, top: fixed}");
      expect_same_bits(run, {4});
      run.replace(run.find(still), still.size(), moving);
      expect_same_bits(run, {4});
    }
}

TEST(ShapesOnRanks, TakeTheirShareOfTheMemory) {
  // 1024 x 10000 nodes, as in ModelOnRanks; faces, displacement, shares of cells and coefficients are arrays
  for (const char* order : {"2", "4"}) {
    const auto [whole, shared] = memory_of_simulations(
        config("{grid: {size: [1, 20], cells: [1023, 10000]}, medium: {speed: 1, damping: 1}, "
               "shape: [{ellipse: {center: [0.5, 10], radii: [0.49, 9.9]}}, {not: {circle: {center: [0.5, "
               "9], radius: "
               "0.2}}, edge: free}, {not: {rectangles: [[0, 14, 0.4, 14.2]]}, edge: absorbing}], initial: "
               "{displacement: 'x * y'}, time: {scheme: numerov, courant: 0.5, steps: 1}, solver: {method: "
               "chebyshev}, "
               "receivers: [{name: r, at: [0.5, 11]}], sources: [{at: [0.5, 5], ricker: {frequency: 1, "
               "delay: 1}}], "
               "space: {order: " +
               std::string(order) + "}}"),
        8);
    EXPECT_GT(whole, 10 * 80e6);
    EXPECT_LT(shared, 1.5 * whole);
  }
}

}  // namespace
}  // namespace wavesim::test
