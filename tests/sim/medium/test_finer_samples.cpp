// Media of samples that lie closer than the nodes: all values between nodes are sharpened means.
#include <cmath>
#include <numbers>

#include "sim/medium/sharpened_means.hpp"
#include "sim/model/model.hpp"
#include "tests/sim/given.hpp"
#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

/// A file /v of speeds at n x n samples over the unit square.
template <class Speed>
void write_speeds(Folder& folder, long n, Speed&& speed) {
  std::vector<double> values;
  const double h = 1.0 / double(n - 1);
  for (long row = 0; row < n; ++row)
    for (long col = 0; col < n; ++col) values.push_back(speed(double(col) * h, double(row) * h));
  folder.write_hdf5("v.h5", "/v", n, n, values, {h, h});
}

Model of_file(const Folder& folder, int cells, const char* medium, const char* edges = "fixed") {
  return build_model(parse_config(
      with("{name: t, grid: {size: [1, 1], cells: [%d, %d]}, edges: %s, medium: {%s, speed: {file: v.h5, "
           "dataset: /v}}, time: {steps: 1}}",
           cells, cells, edges, medium),
      "t.yaml", folder.path));
}

// The file's own bilinear error is (1/1600)^2; what is left falls by more than 8 from one grid to the next.
TEST(FinerSamples, OfASmoothMediumGiveItsValuesToThirdOrderAndMore) {
  const auto speed = [](double x, double y) { return 1 + 0.3 * std::sin(3 * x + 0.5) * std::cos(2 * y); };
  Folder folder;
  write_speeds(folder, 1601, speed);
  for (const char* medium : {"model: membrane", "model: acoustic"}) {
    SCOPED_TRACE(medium);
    const bool acoustic = std::string(medium) == "model: acoustic";
    double before = 0;
    for (const int n : {8, 16, 32}) {
      const Model m = of_file(folder, n, medium);
      double off = 0;
      for (long iy = 0; iy <= n; ++iy)
        for (long ix = 0; ix < n; ++ix) {
          const double x = double(ix) / n, y = double(iy) / n, half = 0.5 / n;
          const std::size_t i = m.grid.index(ix, iy);
          const auto square = [&](double a, double b) { return speed(a, b) * speed(a, b); };
          if (acoustic)
            off = std::max(off, std::abs(m.mass[i] * square(x, y) - 1));
          else
            off = std::max(off, std::abs(m.face_x[i] / square(x + half, y) - 1));
          if (!acoustic && iy < n) off = std::max(off, std::abs(m.face_y[i] / square(x, y + half) - 1));
        }
      if (before > 0) {
        EXPECT_LT(off, before / 8);
      }
      before = off;
    }
    EXPECT_LT(before, 2e-5);
  }
}

// 0.9 cells to a wavelength of the medium: nodes see a wave of 9 cells that is not there.
TEST(FinerSamples, AreAveragedWhereNodesWouldShowAnotherMedium) {
  const double k = 2 * std::numbers::pi * 20 / 0.9;
  Folder folder;
  write_speeds(folder, 801, [k](double x, double) { return 1 / std::sqrt(1 + 0.5 * std::sin(k * x)); });
  const Model m = of_file(folder, 20, "model: acoustic");
  for (long ix = 1; ix < 20; ++ix) EXPECT_NEAR(m.mass[m.grid.index(ix, 7)], 1, 0.1) << ix;
}

TEST(FinerSamples, LeaveAGridThatMatchesTheFileItsOwnValues) {
  Folder folder;
  write_speeds(folder, 21, [](double x, double y) { return 1 + 0.5 * std::sin(9 * x) * std::cos(40 * y); });
  const Model m = of_file(folder, 20, "model: acoustic");
  for (std::size_t i = 0; i < m.grid.node_count(); ++i)
    EXPECT_DOUBLE_EQ(m.mass[i], 1 / (m.speed[i] * m.speed[i]));
}

TEST(FinerSamples, StayPositiveAtJumpsAndAreTheSameAtBothEndsOfAPeriodicAxis) {
  Folder folder;
  write_speeds(folder, 401, [](double x, double y) { return std::fmod(7 * x + 3 * y, 1) < 0.5 ? 0.1 : 30; });
  for (const char* medium : {"model: membrane", "model: acoustic"}) {
    const Model m = of_file(folder, 16, medium, "periodic");
    for (long iy = 0; iy < 16; ++iy)
      for (long ix = 0; ix < 16; ++ix) {
        EXPECT_GT(m.mass[m.grid.index(ix, iy)], 0);
        EXPECT_GT(m.face_x[m.grid.index(ix, iy)], 0);
        EXPECT_GT(m.face_y[m.grid.index(ix, iy)], 0);
      }
    if (!m.mass.uniform()) {
      for (long k = 0; k <= 16; ++k) {
        EXPECT_EQ(m.mass[m.grid.index(0, k)], m.mass[m.grid.index(16, k)]);
        EXPECT_EQ(m.mass[m.grid.index(k, 0)], m.mass[m.grid.index(k, 16)]);
      }
    }
  }
}

TEST(SharpenedMeans, AreValuesInTheMiddleOfCells) {
  Grid g;
  g.cells = {12, 2};
  g.spacing = {1.0 / 12, 1};
  const auto integral = [](double x) { return x - std::cos(3 * x) / 6; };  // of 1 + sin(3 x) / 2
  NodeField faces;
  faces.values.assign(g.node_count(), 0);
  for (long iy = 0; iy < 3; ++iy)
    for (long ix = 0; ix < 12; ++ix)
      faces.values[g.index(ix, iy)] = (integral(g.x(ix + 1)) - integral(g.x(ix))) * 12;
  sharpen_means(faces, g, 0, true);
  for (long ix = 1; ix < 11; ++ix)
    EXPECT_NEAR(faces.values[g.index(ix, 1)], 1 + 0.5 * std::sin(3 * (g.x(ix) + 0.5 / 12)), 1e-5);
  for (long ix : {0L, 11L})
    EXPECT_NEAR(faces.values[g.index(ix, 1)], 1 + 0.5 * std::sin(3 * (g.x(ix) + 0.5 / 12)), 1e-4);
}

}  // namespace
}  // namespace wavesim::test
