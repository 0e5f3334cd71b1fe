// Frequencies of media that vary and jump, against exact ones: masses and faces between nodes.
#include <cmath>
#include <numbers>

#include "../given.hpp"
#include "frequencies.hpp"

using namespace wavesim;
using namespace wavesim::test;

namespace {

Model of(long cells, const std::string& rest) {
  const std::string n = std::to_string(cells);
  return model("grid: {size: [1, 1], cells: [" + n + ", " + n + "]}\n" + rest);
}

/// The frequency of the lowest mode, sin(pi x) across, of a membrane of density rho1 and speed c1 for |y - 1/2| < d
/// and rho2, c2 elsewhere, held at its edges.
double trapped(double d, double rho1, double c1, double rho2, double c2) {
  const double kx = std::numbers::pi;
  const auto mismatch = [&](double omega) {
    const double q = std::sqrt(omega * omega / (c1 * c1) - kx * kx), s = omega * omega / (c2 * c2) - kx * kx;
    const double outside = s < 0 ? std::sqrt(-s) / std::tanh(std::sqrt(-s) * (0.5 - d))
                                 : std::sqrt(s) / std::tan(std::sqrt(s) * (0.5 - d));
    return rho1 * c1 * c1 * q * std::tan(q * d) - rho2 * c2 * c2 * outside;
  };
  // up to the first pole of either side
  double low = c1 * kx * (1 + 1e-9), high = std::min(c1 * std::hypot(kx, std::numbers::pi / 2 / d),
                                                     c2 * std::hypot(kx, std::numbers::pi / (0.5 - d)));
  high *= 1 - 1e-9;
  for (int k = 0; k < 80; ++k) {
    const double middle = (low + high) / 2;
    (mismatch(middle) > 0 ? high : low) = middle;
  }
  return low;
}

std::string text(const std::vector<double>& e) {
  std::string all;
  for (const double v : e) all += std::to_string(1e6 * v) + " ";
  return all + "of a million";
}

}  // namespace

TEST(MediaBetweenNodes, AParabolicBasinIsOfSecondOrder) {
  // Lamb, Hydrodynamics, section 193: omega^2 = (g h / a^2) ((s + 2 j)(s + 2 j - 2) - s^2)
  const std::string basin =
      "shape: {expression: \"0.16 - (x - 0.503)^2 - (y - 0.497)^2\", edge: free}\n"
      "medium: {model: shallow-water, depth: \"1 - ((x - 0.503)^2 + (y - 0.497)^2) / 0.16\", gravity: 0.16}";
  std::vector<double> errors;
  for (const long n : {40, 80, 160}) {
    const std::vector<double> found = frequencies(of(n, basin), 8);
    double error = 0;
    int k = 1;
    for (const double square : {2, 2, 4, 4, 6, 6, 8})
      error = std::max(error, std::abs(found[k++] / std::sqrt(square) - 1));
    errors.push_back(error);
  }
  EXPECT_GT(std::log2(errors[0] / errors[2]) / 2, 1.8) << text(errors);
  EXPECT_LT(errors[2], 1e-3) << text(errors);
}

TEST(MediaBetweenNodes, ASlowLayerIsOfSecondOrderWhereverItsInterfacesLie) {
  for (const double d : {0.1, 0.1125, 0.1083}) {  // on nodes, between them, anywhere
    const std::string inside = "abs(y - 0.5) < " + std::to_string(d) + " ? ";
    for (const auto& [c1, rho1] : {std::pair(0.4, 1.0), std::pair(0.5, 3.0), std::pair(1.0, 5.0)}) {
      const std::string medium = "medium: {speed: \"" + inside + std::to_string(c1) + " : 1\", density: \"" +
                                 inside + std::to_string(rho1) + " : 1\"}";
      const double exact = trapped(d, rho1, c1, 1, 1);
      // the constant depends on where in a cell the interfaces lie; point samples would reach 12 at n = 120
      for (const long n : {20, 40, 120})
        EXPECT_LT(std::abs(frequencies(of(n, medium), 1)[0] / exact - 1) * double(n * n), 4)
            << d << " " << c1 << " " << rho1 << ", " << n << " cells";
    }
  }
}

TEST(MediaBetweenNodes, ALayerOfTheConfigIsThatOfAFormula) {
  const Model layers = of(20, "medium: {speed: {layers: [{from: 0, value: 1}, {from: 0.35, value: 2}]}}");
  const Model formula = of(20, "medium: {speed: \"y < 0.35 ? 1 : 2\"}");
  for (std::size_t i = 0; i < layers.grid.node_count(); ++i) {
    EXPECT_DOUBLE_EQ(layers.face_x[i], formula.face_x[i]);
    EXPECT_NEAR(layers.face_y[i], formula.face_y[i], 1e-6);
  }
}

TEST(MediaBetweenNodes, AreMeansWhereTheMediumJumpsAndSamplesWhereItIsSmooth) {
  // nodes at multiples of 0.1; the jump lies at 0.3 of the cell from y = 0.5
  const Model m = of(10, "medium: {model: acoustic, speed: 1, density: \"y < 0.53 ? 1 : 4\"}");
  const auto at = [&](const NodeField& f, long iy) { return f[m.grid.index(3, iy)]; };
  EXPECT_NEAR(at(m.face_y, 4), 1, 1e-12);
  EXPECT_NEAR(at(m.face_y, 5), 1 / (0.3 * 1 + 0.7 * 4), 1e-6);  // in series: densities are added
  EXPECT_NEAR(at(m.face_y, 6), 0.25, 1e-12);
  EXPECT_NEAR(at(m.face_x, 5), 0.8 * 1 + 0.2 * 0.25, 1e-6);  // side by side, over the dual cell
  EXPECT_NEAR(at(m.mass, 5), 0.8 * 1 + 0.2 * 0.25, 1e-6);
  EXPECT_NEAR(at(m.mass, 6), 0.25, 1e-12);
  const Model smooth = of(10, "medium: {speed: \"1 + y\"}");
  EXPECT_NEAR(smooth.face_y[m.grid.index(3, 4)], 1.45 * 1.45, 1e-12);
  EXPECT_NEAR(smooth.face_x[m.grid.index(3, 4)], 1.4 * 1.4, 1e-12);
}

TEST(MediaBetweenNodes, DryGroundCarriesNoFluxAndWetGroundTheMeanDepth) {
  const Model m = of(10,
                     "medium: {model: shallow-water, depth: \"x < 0.53 ? 1 : 4\", gravity: 1}\n"
                     "shape: {expression: \"0.77 - x\", edge: free, rim: staircase}");
  EXPECT_NEAR(m.face_x[m.grid.index(5, 3)], 0.3 * 1 + 0.7 * 4, 1e-6);
  EXPECT_EQ(m.face_x[m.grid.index(7, 3)], 0);
  EXPECT_EQ(m.mass.constant, 1);
}
