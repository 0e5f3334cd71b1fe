// Nine points go through every method, preconditioner, format and precision.
#include "kernels/backend/host.hpp"
#include "sim/time/medium_on.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "solvers/formats/lumped_system.hpp"
#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

std::string varying(const std::string& rest, const char* edges = "fixed") {
  return with(
             "{grid: {size: [1, 1], cells: [21, 17]}, edges: %s, space: {order: 4}, medium: {speed: \"1 + "
             "0.3*x*y\", "
             "density: \"1 + 0.2*y\", damping: 0.3}, initial: {displacement: {gaussian: {center: [0.45, "
             "0.5], width: "
             "0.1}}}, time: {scheme: numerov, courant: 0.6, steps: 3}, ",
             edges) +
         rest + "}";
}

std::vector<double> field_after(const std::string& yaml) {
  Running run(yaml);
  run.finish();
  return run.field();
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

TEST(NinePoints, EveryMethodSolvesTheirSystem) {
  const auto exact = field_after(varying("solver: {tolerance: 1e-13}"));
  int tried = 0;
  for (const Method& m : solver_methods()) {
    if (m.structure > Structure::nine_points || m.doubles || m.triangular) continue;
    SCOPED_TRACE(std::string(m.name));
    const auto u = field_after(
        varying("solver: {method: " + std::string(m.name) + ", max-iterations: 5000, tolerance: 1e-11}"));
    EXPECT_LT(distance(u, exact), 1e-8);
    ++tried;
  }
  EXPECT_GT(tried, 12);
}

TEST(NinePoints, EveryPreconditionerIsForTheirSystem) {
  const auto exact = field_after(varying("solver: {tolerance: 1e-13}"));
  for (const PreconditionerEntry& p : solver_preconditioners()) {
    if (p.structure > Structure::nine_points || p.doubles || p.name == "none") continue;
    SCOPED_TRACE(std::string(p.name));
    const auto u =
        field_after(varying("solver: {method: " + std::string(p.symmetric && p.fixed ? "cg" : "fgmres") +
                            ", preconditioner: " + std::string(p.name) + ", tolerance: 1e-11}"));
    EXPECT_LT(distance(u, exact), 1e-8);
  }
}

TEST(NinePoints, EveryFormatHoldsThem) {
  for (const char* edges : {"free", "periodic"}) {
    std::vector<double> first;
    for (const Format& f : solver_formats()) {
      if (!f.library.empty()) continue;  // not on the CPU
      SCOPED_TRACE(std::string(f.name) + " " + edges);
      const auto u =
          field_after(varying("solver: {format: " + std::string(f.name) + ", tolerance: 1e-13}", edges));
      if (first.empty()) first = u;
      EXPECT_LT(distance(u, first), 1e-13);
    }
  }
}

// Of a constant medium nothing is stored. Written as a formula, the same medium is in arrays.
TEST(NinePoints, OfAConstantMediumAreThoseOfTheSameMediumInArrays) {
  const char* absorbing = "{absorbing: {radiation: {}}}";
  for (const std::string& edges :
       {std::string("fixed"), std::string("free"), std::string("periodic"),
        std::string("{left: fixed, right: free, bottom: periodic, top: periodic}"),
        with("{left: %s, right: free, bottom: fixed, top: %s}", absorbing, absorbing),
        with("{left: {driven: {sinusoid: {frequency: 1}}}, right: %s, bottom: free, top: {driven: "
             "{sinusoid: {frequency: 2}}}}",
             absorbing)})
    for (const char* scheme : {"scheme: numerov, courant: 0.6", "scheme: crank-nicolson, courant: 2"}) {
      SCOPED_TRACE(edges + " " + scheme);
      const auto run_with = [&](const char* speed) {
        return Running(
            with("{grid: {size: [1.1, 0.9], cells: [12, 9]}, edges: %s, space: {order: 4}, medium: "
                 "{speed: \"%s\", density: 1.7, damping: 0.4}, initial: {displacement: "
                 "\"exp(-20*((x - 0.4)^2 + (y - 0.5)^2))\"}, time: {%s, steps: 6}, solver: "
                 "{tolerance: 1e-13}}",
                 edges.c_str(), speed, scheme));
      };
      Running constant = run_with("1.3"), arrays = run_with("1.3 + 0*x");
      const auto a = constant.stepper->system(0), b = arrays.stepper->system(0);
      ASSERT_EQ(a.A.size(), b.A.size());
      for (std::size_t i = 0; i < a.A.size(); ++i)
        for (std::size_t j = 0; j < a.A.size(); ++j) {
          ASSERT_NEAR(a.A[i][j], b.A[i][j], 1e-14);
          ASSERT_EQ(a.A[i][j], a.A[j][i]);
        }
      EXPECT_NEAR(constant.stepper->energy(), arrays.stepper->energy(), 1e-13 * arrays.stepper->energy());
      constant.finish(), arrays.finish();
      EXPECT_LT(distance(constant.field(), arrays.field()), 1e-11);
    }
}

TEST(NinePoints, InSinglePrecisionAreThoseOfDouble) {
  const auto exact = field_after(varying("solver: {tolerance: 1e-13}"));
  const auto u = field_after(varying("precision: single, solver: {tolerance: 1e-5}"));
  EXPECT_LT(distance(u, exact), 1e-5);
}

TEST(NinePoints, AreSymmetricPositiveDefiniteWithAnyRimAndEdges) {
  for (const char* edges :
       {"{left: {driven: {sinusoid: {frequency: 1}}}, right: free, bottom: periodic, top: periodic}", "free"})
    for (const char* shape :
         {"{circle: {center: [0.51, 0.5], radius: 0.38}}",
          "{circle: {center: [0.51, 0.5], radius: 0.38}, edge: free}",
          "[{circle: {center: [0.4, 0.5], radius: 0.3}}, {not: {circle: {center: [0.4, 0.5], "
          "radius: 0.11}}, edge: free}]",
          "{circle: {center: [0.51, 0.5], radius: 0.21}}",
          "{ellipse: {center: [0.51, 0.5], radii: [0.43, 0.11], angle: 33}}",
          "[{circle: {center: [0.4, 0.5], radius: 0.31}}, {not: {circle: {center: [0.44, 0.5], "
          "radius: 0.12}}}]"}) {
      Running run(
          with("{grid: {size: [1, 1], cells: [13, 12]}, edges: %s, space: {order: 4}, shape: %s, medium: "
               "{speed: \"x < 0.47 ? 1 : 3\", density: \"x > 0.8 || y < 0.12 ? 0.05 : 1\"}, time: {scheme: "
               "crank-nicolson, courant: 3, steps: 2}}",
               edges, shape));
      auto A = run.stepper->system(0).A;
      const std::size_t n = A.size();
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(A[i][j], A[j][i]);
      expect_positive_definite(std::move(A), shape);
    }
}

// Slopes of the medium are part of the rows along free edges: a jump beside one has none.
TEST(NinePoints, ArePositiveDefiniteWhereTheMediumJumpsBesideFreeEdges) {
  for (const char* density :
       {"x < 0.13 ? 1 : 20", "x < 0.2 ? 1 : 20", "y > 0.87 ? 30 : 1", "x + y < 0.2 ? 0.02 : 1"}) {
    Running run(
        with("{grid: {size: [1, 1], cells: [10, 10]}, edges: free, space: {order: 4}, medium: {speed: 1, "
             "density: \"%s\"}, time: {scheme: crank-nicolson, courant: 0.001, steps: 2}}",
             density));
    expect_positive_definite(run.stepper->system(0).A, density);
  }
}

// Multigrid and transforms know five points only: those beside the nine (solvers/formats/lumped_system.hpp).
TEST(NinePoints, AreLumpedToTheFivePointsOfAConstantMedium) {
  for (const char* edges : {"fixed", "free", "periodic", "{absorbing: {radiation: {}}}",
                            "{left: free, right: fixed, bottom: {absorbing: {radiation: {}}}, top: free}"}) {
    const Model m =
        model(with("{grid: {size: [1, 2], cells: [9, 13]}, space: {order: 4}, edges: %s, medium: {speed: 2, "
                   "density: 3, damping: 0.3}}",
                   edges));
    const HostCoefficients host = make_coefficients(m, make_unknowns(m), 0.1, 0);
    ASSERT_TRUE(host.uniform_nine_points) << edges;
    const UniformCoefficients<double> five = lumped(*host.uniform_nine_points), &expected = host.uniform;
    EXPECT_NEAR(five.mass, expected.mass, 1e-14) << edges;
    EXPECT_NEAR(five.damping, expected.damping, 1e-14) << edges;
    EXPECT_NEAR(five.face_x, expected.face_x, 1e-12 * expected.face_x) << edges;
    EXPECT_NEAR(five.face_y, expected.face_y, 1e-12 * expected.face_y) << edges;
    for (int side = 0; side < 4; ++side) {
      EXPECT_NEAR(five.edge[side], expected.edge[side], 1e-12 * expected.face_x) << edges << side;
      EXPECT_EQ(five.half[side], expected.half[side]) << edges << side;
      EXPECT_NEAR(five.radiation[side], expected.radiation[side], 1e-14) << edges << side;
    }
  }
}

// A region along grid lines of a constant medium: what stands in arrays is that of five points, too.
TEST(NinePoints, AreLumpedToTheFivePointsOfARegion) {
  for (const char* more :
       {"edges: fixed, shape: {rectangles: [[0.2, 0.3, 0.8, 0.9]], rim: staircase}",
        "edges: free, shape: {not: {rectangles: [[0.4, 0.3, 0.7, 0.5]]}, rim: staircase}",
        "edges: periodic, shape: {not: {rectangles: [[0.4, 0.3, 0.7, 0.5]]}, edge: free, rim: staircase}"}) {
    const Model m =
        model(with("{grid: {size: [1, 1], cells: [10, 10]}, space: {order: 4}, medium: {speed: 1, damping: "
                   "0.3}, %s}",
                   more));
    const Unknowns u = make_unknowns(m);
    const HostCoefficients host = make_coefficients(m, u, 0.1, 0);
    ASSERT_TRUE(host.nine_points) << more;
    Host be;
    const MediumOn<Host, double, NinePointCoefficients<double>> nine(be, u, host);
    const LumpedMedium<Host, double> lumped(be, u.extent, nine.view());
    const VariableCoefficients<double> five = lumped.view(u.topology);
    for (int row = 0; row < u.extent.ny; ++row)
      for (int col = 0; col < u.extent.nx; ++col) {
        const int i = row * u.extent.pitch + col;
        const Row at{i, col, row, u.extent.pitch, true};
        const auto place = [&](const Array<double>& f, int k) {
          return f[std::size_t(long(k) + u.extent.pitch)];
        };
        const Point<double> p = five.at(at);
        if (!(std::abs(p.south) + std::abs(p.west) + std::abs(p.east) + std::abs(p.north) > 0))
          continue;  // outside
        const double whole = place(host.mass, i);
        EXPECT_NEAR(p.mass, whole, 1e-12) << more << " " << col << " " << row;
        EXPECT_NEAR(p.damping, place(host.damping, i), 1e-12) << more << " " << col << " " << row;
        EXPECT_NEAR(p.held(),
                    std::abs(place(host.east, i)) + std::abs(place(host.east, i - 1)) +
                        std::abs(place(host.north, i)) + std::abs(place(host.north, i - u.extent.pitch)),
                    1e-12)
            << more << " " << col << " " << row;
        for (const auto& [got, expected] :
             {std::pair(p.east, place(host.east, i)), {p.north, place(host.north, i)}})
          EXPECT_NEAR(Point<double>::coupling(got), Point<double>::coupling(expected), 1e-12)
              << more << " " << col << " " << row;
      }
  }
}

TEST(NinePoints, TakeFewCyclesOfMultigridAtAnyStep) {
  const struct {
    const char* medium;
    int most;
  } cases[] = {
      {"medium: {speed: 1}", 8},
      {"medium: {speed: 1}, edges: free", 8},
      {"medium: {speed: \"1 + 0.4*sin(5*x)*cos(4*y)\"}, edges: {left: fixed, right: free, bottom: fixed, "
       "top: free}",
       8},
      {"medium: {speed: 1}, shape: {circle: {center: [0.5, 0.5], radius: 0.43}}", 18},
      {"medium: {speed: 1}, shape: {circle: {center: [0.5, 0.5], radius: 0.43}, edge: free}", 10},
      {"medium: {speed: 1}, edges: periodic, shape: {not: {circle: {center: [0.5, 0.5], radius: 0.2}}}", 10}};
  for (const auto& c : cases)
    for (const double courant : {2.0, 50.0})
      for (const char* format : {"stencil", "dia"}) {
        Running run(
            with("{grid: {size: [1, 1], cells: [96, 80]}, space: {order: 4}, %s, initial: {displacement: "
                 "{gaussian: {center: [0.45, 0.55], width: 0.05}}}, time: {courant: %g, steps: 4}, solver: "
                 "{method: cg, preconditioner: multigrid, format: %s, tolerance: 1e-8}}",
                 c.medium, courant, format));
        run.finish();
        EXPECT_LE(*std::max_element(run.iterations.begin(), run.iterations.end()), c.most)
            << c.medium << courant << format;
      }
}

TEST(NinePoints, MethodsForFivePointsAreRefused) {
  EXPECT_SENTENCE(field_after(varying("solver: {method: cg-onchip}")), "space: {order: 2}", "cg");
}

/// Steps in one pass, in a varying medium, with all that damps, forces and cuts.
TEST(NinePoints, FusedStepsOfAVaryingMediumAreThoseOfOtherMethods) {
  const auto yaml = [](const char* edges, const char* more, const char* method) {
    return with(
        "{grid: {size: [1, 0.8], cells: [75, 60]}, edges: {left: %s, right: {absorbing: {radiation: {}}}, "
        "bottom: "
        "free, top: fixed}, medium: {speed: \"1 + 0.5*x*y\", density: \"1 + 0.2*x\", damping: 0.4}, initial: "
        "{displacement: {gaussian: {center: [0.3, 0.3], width: 0.08}}}, sources: [{name: s, at: [0.7, 0.6], "
        "ricker: {frequency: 5, amplitude: 1, delay: 0.2}}], space: {order: 4}, time: {scheme: numerov, "
        "courant: 0.6, steps: 40}, solver: {method: %s, tolerance: 1e-12}%s}",
        edges, method, more);
  };
  for (const std::string& device : devices())
    for (const char* edges :
         {"{absorbing: {sponge: {thickness: 10 cells}}}", "{absorbing: {pml: {thickness: 10 cells}}}",
          "{driven: {sinusoid: {frequency: 2}}}"})
      for (const char* more :
           {"",
            ", shape: [{rectangles: [[-1, -1, 2, 2]]}, {not: {circle: {center: [0.5, 0.4], radius: 0.1}}, "
            "edge: fixed}]"}) {
        Running fused(yaml(edges, more, "chebyshev"), device), solved(yaml(edges, more, "cg"), device);
        fused.finish();
        solved.finish();
        EXPECT_LT(distance(fused.field(), solved.field()), 1e-10) << edges << more;
        EXPECT_EQ(fused.iterations.back() % 6, 0);  // passes
      }
}

TEST(NinePoints, RadiateAndDampLikeFivePoints) {
  // an absorbing side swallows a wave that meets it head-on
  Running run(
      "{grid: {size: [1, 0.25], cells: [80, 20]}, edges: {left: {absorbing: {radiation: {}}}, right: "
      "{absorbing: "
      "{radiation: {}}}, bottom: free, top: free}, space: {order: 4}, initial: {displacement: \"exp(-((x - "
      "0.5)/0.06)^2)\"}, time: {scheme: numerov, courant: 0.6, end: 1.2}, solver: {tolerance: 1e-10}}");
  const double first = run.stepper->energy();
  run.finish();
  EXPECT_LT(run.stepper->energy(), 1e-4 * first);
}

TEST(NinePoints, MixedPrecisionGivesTheFieldOfDouble) {
  const char* const constant =
      "{grid: {size: [1, 1], cells: [60, 48]}, edges: {left: periodic, right: periodic, bottom: fixed, top: "
      "free}, space: {order: 4}, medium: {speed: 1, damping: 0.2}, initial: {displacement: {gaussian: "
      "{center: [0.4, 0.5], width: 0.1}}}, time: {scheme: %s, courant: 0.6, steps: 20}, precision: %s, "
      "solver: "
      "{method: %s, tolerance: %s}}";
  for (const std::string& device : devices())
    for (const char* scheme : {"numerov", "crank-nicolson"})
      for (const char* method : {"cg", "chebyshev", "bicgstab", "sine-transform"}) {
        const auto field = [&](const std::string& yaml) {
          Running run(yaml, device);
          run.finish();
          return run.field();
        };
        const auto in = [&](const char* precision, const char* tolerance) {
          return field(with(constant, scheme, precision, method, tolerance));
        };
        const auto full = in("double", "1e-12");
        EXPECT_LT(distance(full, in("mixed", "1e-12")), 1e-10) << scheme << method;
        EXPECT_GT(distance(full, in("single", "1e-4")), 1e-8)
            << scheme << method;  // so that the above says much
      }
  for (const char* format : {"stencil", "dia"}) {
    const std::string solver = with("solver: {format: %s, tolerance: 1e-12}", format);
    const auto full = field_after(varying(solver)),
               mixed = field_after(varying("precision: mixed, " + solver));
    EXPECT_LT(distance(full, mixed), 1e-10);
  }
}

TEST(NinePoints, AreSolvedInSinglePrecisionOnGridsOfAnySize) {
  for (const char* cells : {"[5, 5]", "[40, 36]", "[17, 9]"})
    for (const char* solver : {"method: refinement", "method: fcg, preconditioner: single"}) {
      const auto yaml = [&](const char* method) {
        return with(
            "{grid: {size: [1, 1], cells: %s}, space: {order: 4}, medium: {speed: \"1 + 0.3 * x\"}, initial: "
            "{displacement: {gaussian: {center: [0.4, 0.5], width: 0.2}}}, time: {courant: 1, steps: 4}, "
            "solver: {%s, "
            "tolerance: 1e-9}}",
            cells, method);
      };
      Running single(yaml(solver)), cg(yaml("method: cg"));
      single.finish();
      cg.finish();
      const auto a = single.field(), b = cg.field();
      for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-7) << cells << " " << solver;
    }
}

}  // namespace
}  // namespace wavesim::test
