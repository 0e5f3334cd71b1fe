// Models that ranks share out: each has the values of one that has all, in its own rows, and the same ranges, notes and
// errors; and each takes its share of the memory.

#include <gtest/gtest.h>

#include <cmath>

#include "sim/model/sampled_model.hpp"
#include "tests/sim/models_on_ranks.hpp"

namespace wavesim::test {
namespace {

const char* const tall = "grid: {size: [0.7, 10], cells: [23, 330]}, ";

TEST(ModelOnRanks, IsThatOfOneRank) {
  for (const char* medium : {"medium: {speed: '1 + 0.1 * y', density: '2 - y/10', damping: '0.1 * y'}",
                             "medium: {speed: 'x + y > 5 ? 1 : 2'}",
                             "medium: {model: acoustic, speed: '1 + x', density: 'y < 4.98 ? 1 : 3'}",
                             "medium: {model: shallow-water, depth: '1 + 0.1 * sin(3 * y)'}",
                             "medium: {tension: 2, mass: '1 + y'}",
                             "medium: {speed: {layers: [{from: 0, value: 1}, {from: 3, value: 2}]}}"})
    expect_same_models(
        std::string(tall) + medium +
        ", initial: {displacement: {packet: {center: [0.3, 7.1], wavelength: 1, direction: [0, 1], "
        "width: 0.5}}, velocity: 'cos(y) + x'}");
}

TEST(ModelOnRanks, HasTheLayersAndTheHeldEdgesOfOne) {
  expect_same_models(
      std::string(tall) +
      "medium: {speed: '1 + 0.1 * y'}, edges: {left: periodic, right: periodic, bottom: {absorbing: "
      "{sponge: {thickness: 100 cells}}}, top: {driven: {sinusoid: {frequency: 2, amplitude: 0.2}}}}, "
      "initial: {displacement: '1 + y'}");
  for (const char* medium : {"1", "'1 + 0.1 * y'"})
    for (const char* edges : {"absorbing", "{bottom: absorbing, top: absorbing, left: free, right: fixed}"})
      expect_same_models(std::string(tall) + "medium: {speed: " + medium + "}, edges: " + edges);
  expect_same_models(
      std::string(tall) +
      "medium: {speed: '1 + 0.1 * y'}, edges: fixed, initial: {displacement: 'y - 7', velocity: 3}");
}

TEST(ModelOnRanks, HasTheMediaOfFiles) {
  const Folder folder;
  for (const auto& [rows, columns] : {std::pair{331L, 24L}, std::pair{50L, 7L}, std::pair{1700L, 60L}}) {
    std::vector<double> values;
    for (long k = 0; k < rows * columns; ++k) values.push_back(1.5 + std::sin(0.37 * double(k)) + (k > 1000));
    folder.write_hdf5("a.h5", "/speed", rows, columns, values);
    for (const char* keys :
         {"", ", flip: y", ", spacing: [0.12, 0.3], origin: [-0.01, -1]", ", spacing: [0.12, 0.3], flip: y"})
      if (columns == 7 || std::string(keys).find("spacing") == std::string::npos)
        expect_same_models(std::string(tall) + "medium: {speed: {file: a.h5" + keys + "}}", folder.path);
  }
}

TEST(ModelOnRanks, SaysTheSameOfWhatIsWrong) {
  const Folder folder;
  std::vector<double> values(331 * 24, 1.0);
  values[300 * 24 + 5] = std::nan("");
  folder.write_hdf5("a.h5", "/speed", 331, 24, values);
  for (const char* wrong :
       {"medium: {speed: '9 - y'}", "medium: {speed: 'sqrt(9.3 - y)'}",
        "medium: {speed: 1, damping: '9 - y'}", "medium: {speed: {file: a.h5}}",
        "medium: {speed: 1}, initial: {velocity: '1 / (y > 6 && y < 7 ? 0 : 1)'}",
        "medium: {speed: 1}, sources: [{area: 0, sinusoid: {frequency: 1, amplitude: 1}}]"}) {
    SCOPED_TRACE(wrong);
    const Config c = config("{" + std::string(tall) + wrong + "}", folder.path);
    const std::string alone = sentence([&] { build_model(c); });
    EXPECT_FALSE(alone.empty());
    run_rank_threads(3, [&](Ranks& ranks) { EXPECT_EQ(sentence([&] { build_model(c, &ranks); }), alone); });
  }
}

TEST(ModelOnRanks, ShareOutMoreNodesThanOneCounts) {
  const auto large = [](const std::string& edges) {
    return config(
        "{grid: {size: [1, 1], cells: [65536, 65536]}, medium: {speed: 1}, time: {courant: 1, steps: 1}, "
        "edges: " +
        edges + "}");
  };
  const Config fixed = large("fixed"), ring = large("periodic");
  const Model outline = outline_of(fixed);
  EXPECT_FALSE(is_countable(fixed, outline, 1));
  EXPECT_FALSE(is_countable(fixed, outline, 2));
  EXPECT_TRUE(is_countable(fixed, outline, 3));
  EXPECT_FALSE(is_countable(ring, outline_of(ring), 64));
  EXPECT_SENTENCE(build_model(fixed), "the grid has 65537 x 65537 nodes");
  EXPECT_SENTENCE(build_model(fixed), "more processes (mpirun -n N) or GPUs (--gpus N)");
  EXPECT_SENTENCE(build_model(ring), "where y is periodic");
}

TEST(ModelOnRanks, TakesItsShareOfTheMemory) {
  // 1024 x 10000 nodes; of several arrays of 82 MB each rank has an eighth and some rows beside it
  const Config c = config(
      "{grid: {size: [1, 20], cells: [1023, 10000]}, medium: {speed: '1 + y', density: '2 + x', damping: "
      "'y'}, "
      "initial: {displacement: 'x * y'}, time: {scheme: explicit, courant: 0.5, steps: 1}}");
  const auto [whole, shared] = memory_of_simulations(c, 8);
  EXPECT_GT(whole, 10 * 80e6);
  // Rows beside the own ones, and pages of 2 MiB at the ends of arrays of 10 MB, are a third more; one array over all nodes on
  // each rank would be half more.
  EXPECT_LT(shared, 1.5 * whole);
}

}  // namespace
}  // namespace wavesim::test
