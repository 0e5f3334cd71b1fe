#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

/// Pozzo et al. 2010, section 5: 2 x 2 interior nodes, four fixed edges. The paper numbers the four nodes
/// round the square, we by rows: ours 0 1 2 3 are the paper's 1 2 4 3.
TEST(PaperSystem, OfTwoByTwoNodesIsEquation14InEveryFormat) {
  for (const char* format : {"stencil", "dia", "ellpack-r", "csr"}) {
    const double dt = 0.5, alpha = dt * dt / 2;  // Eq. 12 with c = dx = dy = 1
    Running run(
        with("{grid: {size: [3, 3], cells: [3, 3]}, initial: {displacement: \"x*x*y*(3-x)*(3-y)\", velocity: "
             "\"x*(3-x)*y*(3-y)\"}, "
             "time: {scheme: two-level, step: %g, steps: 3}, solver: {format: %s, tolerance: 1e-12}}",
             dt, format));
    const auto u_before = run.field();
    run.step();
    const auto u = run.field();
    const Stepper::System s = run.stepper->system(1);
    const double d = 4 * alpha + 1, o = -alpha;
    const std::vector<std::vector<double>> expected{{d, o, o, 0}, {o, d, 0, o}, {o, 0, d, o}, {0, o, o, d}};
    EXPECT_EQ(s.A, expected) << format;

    const auto at = [](const std::vector<double>& f, int ix, int iy) { return f[std::size_t(iy) * 4 + ix]; };
    for (int k = 0; k < 4; ++k) {
      const int x = 1 + k % 2, y = 1 + k / 2;
      const double gamma = alpha * (at(u, x + 1, y) + at(u, x - 1, y) + at(u, x, y + 1) + at(u, x, y - 1)) +
                           (2 - 4 * alpha) * at(u, x, y) - at(u_before, x, y);  // Eq. 13
      EXPECT_NEAR(s.b[k], gamma, 4e-15 * std::abs(gamma)) << format;
    }
  }
}

TEST(PaperSystem, KeepsItsScalesWhenDxAndDyDiffer) {
  Running run("{grid: {size: [3, 6], cells: [3, 3]}, time: {scheme: two-level, step: 0.5, steps: 3}}");
  run.step();
  const auto s = run.stepper->system(1);
  EXPECT_DOUBLE_EQ(s.A[0][1], -0.125);    // dt^2 / (2 dx^2)
  EXPECT_DOUBLE_EQ(s.A[0][2], -0.03125);  // dt^2 / (2 dy^2)
  EXPECT_DOUBLE_EQ(s.A[0][0], 1 + 2 * 0.125 + 2 * 0.03125);
}

// `relative-2` and `max` are relative to the right-hand side of the system for u(n+1), `increment` to what is
// left of it at u(n).
TEST(PaperSystem, IsWhatTheNormsOfATimeStepAreRelativeTo) {
  for (const char* norm : {"increment", "relative-2", "max"}) {
    Running run(with(
        "{grid: {size: [1, 1], cells: [7, 6]}, initial: {displacement: {mode: {m: 1, n: 2}}}, "
        "medium: {speed: 1, damping: 0.7}, sources: [{name: s, at: [0.4, 0.5], sinusoid: {frequency: 1}}], "
        "time: {courant: 1, steps: 4}, solver: {norm: %s, tolerance: 1e-6}}",
        norm));
    run.step();
    const Stepper::System s = run.stepper->system(1);
    const auto u = run.field();
    double squares = 0, largest = 0;
    for (std::size_t k = 0, n = 0; k < s.b.size(); ++k) {
      double b = s.b[k];
      if (std::string(norm) == "increment") {
        n = 0;
        for (long iy = 1; iy < 6; ++iy)
          for (long ix = 1; ix < 7; ++ix) b -= s.A[k][n++] * u[run.model.grid.index(ix, iy)];
      }
      squares += b * b;
      largest = std::max(largest, std::abs(b));
    }
    const Report report = run.step().report;
    EXPECT_NEAR(report.reference.squares, squares, 1e-12 * squares) << norm;
    EXPECT_NEAR(report.reference.largest, largest, 1e-12 * largest) << norm;
    if (std::string(norm) == "max")
      EXPECT_LE(report.final.largest, 1e-6 * largest);
    else
      EXPECT_LE(report.final.squares, 1e-12 * squares);
  }
}

TEST(Assembly, OnceAndEachStepGiveTheSameBits) {
  for (const char* format : {"stencil", "dia", "ellpack-r", "csr"})
    for (const char* scheme : {"crank-nicolson", "two-level"}) {
      const char* yaml =
          "{grid: {size: [1, 1], cells: [24, 20]}, initial: {displacement: {gaussian: {center: [0.4, 0.5], "
          "width: 0.1}}}, "
          "medium: {speed: \"1 + x\", damping: 1}, time: {scheme: %s, courant: 2, steps: 12}, solver: "
          "{format: %s, assembly: %s}}";
      Running each(with(yaml, scheme, format, "each-step")), once(with(yaml, scheme, format, "once"));
      each.finish();
      once.finish();
      EXPECT_EQ(each.field(), once.field()) << scheme << " " << format;
    }
}

TEST(Assembly, IsSymmetricToTheBitForEveryMixOfEdgesAndShapes) {
  for (const char* edges : {"fixed", "free", "{left: free, right: fixed, bottom: periodic, top: periodic}",
                            "{absorbing: {radiation: {}}}",
                            "{left: fixed, right: {absorbing: {radiation: {}, sponge: {thickness: 2 "
                            "cells}}}, bottom: free, top: {driven: {sinusoid: {frequency: 1}}}}"})
    for (const char* shape :
         {"[{rectangles: [[-1, -1, 2, 2]]}]", "[{circle: {center: [0.5, 0.5], radius: 0.4}, edge: fixed}]",
          "[{not: {rectangles: [[0.3, 0.3, 0.6, 0.7]]}, edge: free}]"}) {
      Running run(
          with("{grid: {size: [1, 1.2], cells: [9, 11]}, edges: %s, shape: %s, medium: {speed: \"1 + x + "
               "y*y\", density: \"2 - x\", damping: 0.3}, "
               "time: {courant: 1.5, steps: 3}}",
               edges, shape));
      const auto A = run.stepper->system(0).A;
      for (std::size_t i = 0; i < A.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) ASSERT_EQ(A[i][j], A[j][i]) << edges << " " << shape;
    }
}

}  // namespace
}  // namespace wavesim::test
