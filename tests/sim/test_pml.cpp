// Perfectly matched layers, and edges that absorb a part: what returns from them, in every scheme and order.
#include <numbers>

#include "sim/model/pml_reflection.hpp"
#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

struct Scheme {
  const char* time;
  int order;
};
constexpr Scheme schemes[] = {{"courant: 0.5", 2},
                              {"courant: 2", 2},
                              {"courant: 8", 2},
                              {"scheme: explicit, courant: 0.6", 2},
                              {"scheme: numerov, courant: 0.8", 2},
                              {"scheme: numerov, courant: 0.6", 4},
                              {"courant: 2", 4},
                              {"courant: 8", 4}};

/// A pulse in the middle of a unit square of 100 x 100 cells.
std::string pulse(const std::string& grid, const Scheme& s) {
  return with(
      "{grid: %s, space: {order: %d}, initial: {displacement: {gaussian: {center: [0.5, 0.5], width: "
      "0.05}}}, "
      "time: {%s, end: 1.1}, solver: {tolerance: 1e-10}}",
      grid.c_str(), s.order, s.time);
}

/// The largest difference of the two on the unit square at any time; the pulse is 1 high.
double reflected(Running& in_layers, Running& in_the_wide) {
  const Grid &g = in_layers.model.grid, &wide = in_the_wide.model.grid;
  double worst = 0;
  while (in_layers.done < in_layers.plan.steps) {
    in_layers.step(), in_the_wide.step();
    const auto u = in_layers.field(), v = in_the_wide.field();
    for (long iy = 0; iy <= 100; ++iy)
      for (long ix = 0; ix <= 100; ++ix)
        worst = std::max(
            worst, std::abs(u[g.index(ix + g.layer[0][0], iy + g.layer[1][0])] -
                            v[wide.index(ix + (wide.cells[0] - 100) / 2, iy + (wide.cells[1] - 100) / 2)]));
  }
  return worst;
}

TEST(Pml, ReturnsLittleOfAPulseInEverySchemeAndOrder) {
  for (const Scheme& s : schemes)
    for (const auto& [layer, most] : {std::pair{"{pml: {thickness: 10 cells, reflection: 1e-3}}", 3e-4},
                                      std::pair{"{pml: {thickness: 40 cells}}", 1e-5}}) {
      SCOPED_TRACE(std::string(s.time) + ", order " + std::to_string(s.order) + ", " + layer);
      Running layers(pulse(with("{size: [1, 1], cells: [100, 100]}, edges: {absorbing: %s}", layer), s));
      Running wide(pulse("{size: [2.4, 2.4], cells: [240, 240], origin: [-0.7, -0.7]}", s));
      EXPECT_LT(reflected(layers, wide), most);
    }
}

/// The largest value in the strip when a packet that set out at an angle to its axis is back in the middle.
double packet_returned(const std::string& right, double degrees) {
  const double angle = degrees * std::numbers::pi / 180, k = 2 * std::numbers::pi / 0.2, v = std::cos(angle);
  const double height = degrees == 0 ? 0.05 : 0.2 / std::sin(angle);
  const long rows = std::lround(height / 0.01);
  const double kx = k * v, ky = degrees == 0 ? 0 : 2 * std::numbers::pi / height;
  Running run(with(
      "{grid: {size: [6, %.17g], cells: [600, %ld]}, edges: {left: absorbing, right: %s, bottom: periodic, "
      "top: "
      "periodic}, initial: {displacement: \"exp(-(x-3)^2)*cos(%.17g*x+%.17g*y)\", velocity: "
      "\"exp(-(x-3)^2)*(%.17g*sin(%.17g*x+%.17g*y)+%.17g*2*(x-3)*cos(%.17g*x+%.17g*y))\"}, time: {scheme: "
      "explicit, courant: 0.6, end: %.17g}}",
      height, rows, right.c_str(), kx, ky, k, kx, ky, v, kx, ky, 6.3 / v));
  run.finish();
  double most = 0;
  for (const double u : run.field()) most = std::max(most, std::abs(u));
  return most;
}

// By 20 cells a wavelength, as the packets have.
TEST(Pml, ReflectsAsItsDiscreteEquationsForesee) {
  for (const int cells : {1, 2, 4, 10})
    for (const double degrees : {0.0, 60.0}) {
      const std::string layer = with("{absorbing: {pml: {thickness: %d cells, reflection: 1e-4}}}", cells);
      const Model m =
          model(with("{grid: {size: [1, 1], cells: [100, 100]}, edges: {right: %s}}", layer.c_str()));
      const double foreseen = reflection_of_layer(m, right, 0.2, std::cos(degrees * std::numbers::pi / 180));
      const double measured = packet_returned(layer, degrees);
      EXPECT_NEAR(measured, foreseen, 0.3 * foreseen + 3e-4) << cells << " cells, " << degrees << " degrees";
    }
}

// R^cos(angle) of the layer, twice crossed, times tan^2(angle / 2) of the radiating edge behind it.
TEST(Pml, ReflectsPlaneWavesAsItsProfileSays) {
  for (const double degrees : {0.0, 30.0, 60.0, 75.0}) {
    const double ratio =
        packet_returned("{absorbing: {pml: {thickness: 20 cells, reflection: 0.01}}}", degrees) /
        packet_returned("free", degrees);
    const double cosine = std::cos(degrees * std::numbers::pi / 180), layer = std::pow(0.01, cosine),
                 edge = (1 - cosine) / (1 + cosine);
    SCOPED_TRACE(degrees);
    EXPECT_LT(ratio, 2 * layer);
    if (degrees > 50) {
      EXPECT_LT(ratio, 1.5 * layer * edge);
      EXPECT_GT(ratio, layer * edge / 1.5);
    }
  }
}

const char* const mixes[] = {
    "{absorbing: {pml: {thickness: 4 cells}}}",
    "{left: {absorbing: {pml: {thickness: 5 cells}}}, right: free, bottom: periodic, top: periodic}",
    "{left: {driven: {sinusoid: {frequency: 1}}}, right: {absorbing: {pml: {thickness: 4 cells}}}, bottom: "
    "fixed, "
    "top: {absorbing: {pml: {thickness: 3 cells}}}}",
    "{left: {absorbing: {sponge: {thickness: 3 cells}}}, right: {absorbing: {reflection: 0.5}}, bottom: "
    "{absorbing: "
    "{pml: {thickness: 4 cells}}}, top: free}"};
const char* const media[] = {
    "medium: {speed: 1.2, damping: 0.4}",
    "medium: {speed: '1 + 0.5*x + (y > 0.4 ? 0.7 : 0)', density: '1 + (x > 0.5 ? 1 : 0)', damping: 'y'}",
    "medium: {speed: 1}, shape: {not: {circle: {center: [0.05, 0.45], radius: 0.31}}, edge: fixed}",
    "medium: {speed: '1 + y'}, shape: {not: {circle: {center: [0.85, 0.45], radius: 0.33}}, edge: free}"};

TEST(Pml, KeepsTheMatrixSymmetricAndPositiveDefinite) {
  for (const char* edges : mixes)
    for (const char* medium : media)
      for (const Scheme& s :
           {Scheme{"courant: 4", 2}, Scheme{"courant: 4", 4}, Scheme{"scheme: numerov, courant: 0.6", 4}}) {
        SCOPED_TRACE(with("%s, %s, %s, order %d", edges, medium, s.time, s.order));
        Running run(
            with("{grid: {size: [1, 0.9], cells: [11, 10]}, edges: %s, %s, space: {order: %d}, time: {%s, "
                 "steps: 1}}",
                 edges, medium, s.order, s.time));
        const auto A = run.stepper->system(0).A;
        for (std::size_t i = 0; i < A.size(); ++i)
          for (std::size_t j = 0; j < i; ++j) ASSERT_EQ(A[i][j], A[j][i]);
        expect_positive_definite(A);
      }
}

Running in_layers(const char* edges, const char* medium, const Scheme& s, const char* start) {
  return Running(
      with("{grid: {size: [1, 0.9], cells: [21, 19]}, edges: %s, %s, space: {order: %d}, initial: "
           "{displacement: %s}, time: {%s}, solver: {preconditioner: jacobi, tolerance: 1e-9, "
           "max-iterations: 5000}}",
           edges, medium, s.order, start, s.time));
}

// Every mode of the grid, in media that jump and shapes that end within the layers: what grows grows by e in a few
// times the layer's own time, 1 / zeta.
TEST(Pml, LetsNothingGrowInAnyMediumAtAnyStep) {
  for (const char* edges : {mixes[0], mixes[1], mixes[3]})
    for (const char* medium : media)
      for (const Scheme& s :
           {Scheme{"courant: 32, steps: 200", 2}, Scheme{"courant: 1, steps: 1500", 2},
            Scheme{"scheme: explicit, courant: 0.7, steps: 2000", 2},
            Scheme{"scheme: numerov, courant: 0.86, steps: 2000", 2}, Scheme{"courant: 2, steps: 1000", 4},
            Scheme{"scheme: numerov, courant: 0.7, steps: 2000", 4}}) {
        SCOPED_TRACE(with("%s, %s, %s, order %d", edges, medium, s.time, s.order));
        Running run = in_layers(edges, medium, s, "'sin(1e4*(x + 3.3*y*y))'");
        run.finish();
        EXPECT_LT(run.stepper->largest_displacement(), 3);
      }
}

TEST(Pml, LetsAPulseDecayAtAnyStep) {
  for (const char* medium : {media[0], media[1], media[2]})
    for (const Scheme& s : {Scheme{"courant: 0.5, end: 20", 2}, Scheme{"courant: 2, end: 20", 2},
                            Scheme{"courant: 8, end: 20", 2}, Scheme{"courant: 32, end: 400", 2},
                            Scheme{"courant: 32, end: 400", 4}}) {
      SCOPED_TRACE(with("%s, %s, order %d", medium, s.time, s.order));
      Running run = in_layers(mixes[0], medium, s, "{gaussian: {center: [0.7, 0.45], width: 0.08}}");
      run.finish();
      EXPECT_LT(run.stepper->largest_displacement(), 0.05);
    }
}

/// Everything that enters a step beside the layers.
std::string busy(const char* medium, const char* scheme, int order, const char* solver) {
  return with(
      "{grid: {size: [1, 1.1], cells: [64, 51]}, edges: {left: absorbing, right: {absorbing: {pml: "
      "{thickness: 9 "
      "cells}}}, bottom: {driven: {sinusoid: {frequency: 2, amplitude: 0.2}}}, top: free}, %s, space: "
      "{order: %d}, "
      "initial: {displacement: {gaussian: {center: [0.3, 0.4], width: 0.1}}}, sources: [{name: s, at: [0.9, "
      "0.21], "
      "ricker: {frequency: 3, delay: 0.2}}], time: {%s, steps: 60}, solver: {%s}}",
      medium, order, scheme, solver);
}

TEST(Pml, IsTheSameInFusedStepsAndEveryFormat) {
  for (const char* medium : {"medium: {speed: 1}", "medium: {speed: '1 + 0.5*x', damping: 0.4}"})
    for (const Scheme& s : {Scheme{"courant: 1.5", 2}, Scheme{"scheme: numerov, courant: 0.6", 4}}) {
      SCOPED_TRACE(std::string(medium) + ", " + s.time);
      Running reference(busy(medium, s.time, s.order, "tolerance: 1e-12"));
      reference.finish();
      const auto expected = reference.field();
      for (const char* solver :
           {"method: chebyshev, tolerance: 1e-12", "method: auto, tolerance: 1e-12",
            "format: dia, tolerance: 1e-12", "format: csr, method: bicgstab, tolerance: 1e-12",
            "tolerance: 1e-12, guess: extrapolate"}) {
        Running run(busy(medium, s.time, s.order, solver));
        run.finish();
        const auto u = run.field();
        for (std::size_t i = 0; i < u.size(); ++i) ASSERT_NEAR(u[i], expected[i], 1e-9) << solver;
      }
    }
}

TEST(Pml, IsNoPartOfTheEnergyAndOfLookingAtASystem) {
  Running run(
      "{grid: {size: [1, 1], cells: [60, 60]}, edges: absorbing, initial: {displacement: {gaussian: {center: "
      "[0.5, 0.5], width: 0.05}}}, time: {courant: 1, end: 3}}");
  const double first = run.stepper->energy();
  const auto before = run.stepper->system(0).b, again = run.stepper->system(0).b;
  EXPECT_EQ(before, again);
  run.finish();
  EXPECT_LT(run.stepper->energy(), 2e-4 * first);  // what a pulse leaves behind it in two dimensions
}

/// A standing wave in a strip whose right end gives back R of what falls on it, and the left end all.
double amplitude_after(const std::string& right, const std::string& medium, double traverses) {
  Running run(
      with("{grid: {size: [1, 0.02], cells: [200, 4]}, edges: {left: free, right: %s, bottom: free, top: "
           "free}, medium: %s, initial: {displacement: 'exp(-((x-0.5)/0.08)^2)'}, time: {courant: 0.5, end: "
           "%.17g}}",
           right.c_str(), medium.c_str(), traverses));
  run.finish();
  double most = 0;
  for (const double u : run.field()) most = std::max(most, std::abs(u));
  return most;
}

// Half of the pulse goes each way; after two traverses both halves have met the right end once.
TEST(PartlyAbsorbing, EdgesGiveBackTheirShare) {
  for (const double R : {-0.5, 0.25, 0.8, 1.0})
    EXPECT_NEAR(amplitude_after(with("{absorbing: {reflection: %g}}", R), "{speed: 1}", 2), std::abs(R), 0.02)
        << R;
  // rho c = 3 of the medium, 12 of the wall
  EXPECT_NEAR(amplitude_after("{absorbing: {impedance: 12}}", "{model: acoustic, speed: 1, density: 3}", 2),
              (12.0 - 3) / (12 + 3), 0.02);
  EXPECT_NEAR(amplitude_after("{absorbing: {impedance: 12}}", "{speed: 1, density: 3}", 2),
              (12.0 - 3) / (12 + 3), 0.02);
  EXPECT_SENTENCE(Running("{edges: {absorbing: {impedance: 12}}, medium: {model: shallow-water, depth: 1}}"),
                  "impedance", "reflection");
}

}  // namespace
}  // namespace wavesim::test
