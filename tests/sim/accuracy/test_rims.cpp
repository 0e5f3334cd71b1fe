// Frequencies of membranes and lakes whose rims do not lie on nodes, against exact ones.
#include <cmath>
#include <numbers>
#include <tuple>

#include "../given.hpp"
#include "../running.hpp"
#include "frequencies.hpp"
#include "sim/time/scheme.hpp"

using namespace wavesim;
using namespace wavesim::test;

namespace {

Model of(long cells, const std::string& shape) {
  const std::string n = std::to_string(cells);
  return model("grid: {size: [1, 1], cells: [" + n + ", " + n + "]}\nshape: " + shape);
}

/// Order of the error between the coarsest and the finest of three grids.
double order(const std::array<double, 3>& errors) { return std::log2(errors[0] / errors[2]) / 2; }

std::array<double, 3> errors(const std::string& shape, const std::vector<double>& exact) {
  std::array<double, 3> e;
  for (int k = 0; k < 3; ++k) e[k] = worst_error(of(40L << k, shape), exact);
  return e;
}

std::string text(const std::array<double, 3>& e) {
  return std::to_string(e[0] * 1e6) + " " + std::to_string(e[1] * 1e6) + " " + std::to_string(e[2] * 1e6) +
         " of a million";
}

/// The first root of f beyond `from`, looked for in steps.
template <class F>
double root(F&& f, double from, double step) {
  while (f(from) * f(from + step) > 0) from += step;
  double low = from, high = from + step;
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (f(low) * f(middle) <= 0 ? high : low) = middle;
  }
  return low;
}

/// 0 and six of a free one: zeros of J1', J2', J0', J3'.
const std::vector<double> free_disc{0,
                                    1.841183781340659 / 0.4,
                                    1.841183781340659 / 0.4,
                                    3.054236928227140 / 0.4,
                                    3.054236928227140 / 0.4,
                                    3.831705970207512 / 0.4,
                                    4.201188941210528 / 0.4};

/// A struck disc on 60 x 60 cells with its rim fixed or free; `rest`: time and solver.
std::string struck_disc(const std::string& edge, const std::string& rest) {
  return "grid: {size: [1, 1], cells: [60, 60]}\nshape: {circle: {center: [0.5031, 0.4977], radius: 0.4}, "
         "edge: " +
         edge + "}\ninitial: {displacement: {gaussian: {center: [0.45, 0.5], width: 0.05}}}\n" + rest;
}

const char* const disc = "{circle: {center: [0.5031, 0.4977], radius: 0.4}}";

}  // namespace

TEST(CutRims, AFixedDrumIsOfSecondOrder) {
  const auto e = errors(disc, fixed_drum);
  EXPECT_GT(order(e), 1.9) << text(e);
  EXPECT_LT(e[2], 3e-4) << text(e);
}

TEST(CutRims, StaircasesAreOfFirstOrder) {
  const auto e = errors("{circle: {center: [0.5031, 0.4977], radius: 0.4}, rim: staircase}", fixed_drum);
  EXPECT_GT(e[2], 5e-4) << text(e);
}

TEST(CutRims, AFreeDiscIsOfSecondOrder) {
  const auto e = errors("{circle: {center: [0.5031, 0.4977], radius: 0.4}, edge: free}", free_disc);
  EXPECT_GT(order(e), 1.8) << text(e);
}

TEST(CutRims, AnAnnulusOfTwoFixedRimsIsOfSecondOrder) {
  const double a = 0.15, b = 0.4;
  std::vector<double> exact;
  for (int m = 0; m < 3; ++m)
    for (int twice = 0; twice < (m == 0 ? 1 : 2); ++twice)
      exact.push_back(root(
          [&](double k) {
            return std::cyl_bessel_j(m, k * a) * std::cyl_neumann(m, k * b) -
                   std::cyl_bessel_j(m, k * b) * std::cyl_neumann(m, k * a);
          },
          5, 0.05));
  std::sort(exact.begin(), exact.end());
  const auto e =
      errors(std::string("[") + disc + ", {not: {circle: {center: [0.5031, 0.4977], radius: 0.15}}}]", exact);
  EXPECT_GT(order(e), 1.9) << text(e);
}

TEST(CutRims, ASquareTurnedByThirtyDegreesIsOfSecondOrder) {
  std::string corners;
  for (int k = 0; k < 4; ++k) {
    const double angle = std::numbers::pi * (30 + 45 + 90 * k) / 180, r = 0.55 / std::numbers::sqrt2;
    corners += (k ? ", [" : "[") + std::to_string(0.5031 + r * std::cos(angle)) + ", " +
               std::to_string(0.4977 + r * std::sin(angle)) + "]";
  }
  std::vector<double> fixed, free{0};
  for (const int square : {2, 5, 5, 8, 10, 10}) fixed.push_back(std::numbers::pi / 0.55 * std::sqrt(square));
  for (const int square : {1, 1, 2, 4, 4, 5}) free.push_back(std::numbers::pi / 0.55 * std::sqrt(square));
  const auto e = errors("{polygon: [" + corners + "]}", fixed);
  EXPECT_GT(order(e), 1.9) << text(e);
  const auto f = errors("{polygon: [" + corners + "], edge: free}", free);
  EXPECT_GT(std::log2(f[1] / f[2]), 1.8) << text(f);  // corners: reached on finer grids only
}

TEST(CutRims, AnEllipseIsOfSecondOrder) {
  const std::string shape = "{ellipse: {center: [0.5031, 0.4977], radii: [0.42, 0.27], angle: 25}}";
  // no exact frequencies: those of three grids, the finest with Richardson's correction
  std::array<std::vector<double>, 4> f;
  for (int k = 0; k < 4; ++k) f[k] = frequencies(of(30L << k, shape), 6);
  std::vector<double> exact;
  for (int i = 0; i < 6; ++i) exact.push_back(f[3][i] + (f[3][i] - f[2][i]) / 3);
  double coarse = 0, fine = 0;
  for (int i = 0; i < 6; ++i) {
    coarse = std::max(coarse, std::abs(f[0][i] / exact[i] - 1));
    fine = std::max(fine, std::abs(f[2][i] / exact[i] - 1));
  }
  EXPECT_GT(std::log2(coarse / fine) / 2, 1.9) << coarse << " " << fine;
}

// A plane pulse f(xi - t) falls straight on a coast that lies at 30 degrees to the grid, xi = coast, and comes back as
// f(2 coast - xi - t), turned over where the coast holds it. What the sides of the rectangle make of it is still far away.
// Nine points, so that the coast's error is the largest one.
TEST(CutRims, APulseComesBackFromASlantedCoast) {
  struct Coast {
    const char *edge, *scheme;
    double sign, courant, least_order, most;
  };
  const double cosine = std::cos(std::numbers::pi / 6), sine = 0.5, width = 0.05;
  const double coast = 0.6 * cosine + 0.55 * sine;
  const auto xi = [&](double x, double y) { return cosine * x + sine * y; };
  const auto f = [&](double at) { return std::exp(-std::pow((at - coast + 0.2) / width, 2)); };
  const std::string line = with("(%.15g*x+%.15g*y-%.15g)", cosine, sine, coast), from = "(" + line + "+0.2)";
  const std::string pulse = with("exp(-(%s/%g)^2)", from.c_str(), width);
  for (const Coast& c :
       {Coast{"fixed", "numerov", -1, 0.6, 2.7, 1e-3}, Coast{"free", "crank-nicolson", 1, 0.3, 1.8, 4e-3},
        Coast{"free", "numerov", 1, 0.7, 2, 4e-4}}) {
    std::array<double, 3> e{};
    for (int k = 0; k < 3; ++k) {
      Running run(
          with("{grid: {size: [1, 1], cells: [%d, %d]}, space: {order: 4}, shape: {expression: \"-%s\", "
               "edge: %s}, "
               "initial: {displacement: \"%s\", velocity: \"%s*%s*%g\"}, time: {scheme: %s, courant: %g, "
               "end: 0.33}, "
               "solver: {preconditioner: jacobi, tolerance: 1e-9}}",
               40 << k, 40 << k, line.c_str(), c.edge, pulse.c_str(), pulse.c_str(), from.c_str(),
               2 / (width * width), c.scheme, c.courant));
      run.finish();
      const auto exact = [&](double x, double y) {
        return f(xi(x, y) - run.time()) + c.sign * f(2 * coast - xi(x, y) - run.time());
      };
      const auto is_near = [&](double x, double y) {
        return std::hypot(x - 0.6 + 0.13 * cosine, y - 0.55 + 0.13 * sine) < 0.1;
      };
      const std::vector<double> u = run.field(), v = run.on_nodes(exact), near = run.on_nodes(is_near);
      for (std::size_t i = 0; i < u.size(); ++i)
        if (near[i] != 0) e[k] = std::max(e[k], std::abs(u[i] - v[i]));
    }
    EXPECT_GT(std::log2(e[1] / e[2]), c.least_order) << c.edge << ": " << text(e);
    EXPECT_LT(e[2], c.most) << c.edge << ": " << text(e);
  }
}

TEST(CutRims, MassesRaisedForTheExplicitSchemeKeepTheCourantLimitAndTheOrder) {
  std::array<double, 3> e;
  for (int k = 0; k < 3; ++k) {
    const Model m = of(40L << k, disc);
    const double most = largest_eigenvalue(m);
    EXPECT_GT(largest_eigenvalue_of(m, 0), 1.5 * most);
    EXPECT_LE(largest_eigenvalue_of(m, most), most * (1 + 1e-9));
    e[k] = worst_error(m, fixed_drum, most);
  }
  EXPECT_GT(order(e), 1.9) << text(e);
}

// With five points, where M is diagonal, masses are raised at free rims, with an error of first order.
TEST(CutRims, WithNinePointsFreeRimsUnderTheCourantLimitKeepTheirOrder) {
  std::array<double, 3> e, unlimited;
  for (int k = 0; k < 3; ++k) {
    const Model m =
        model(with("{grid: {size: [1, 1], cells: [%d, %d]}, space: {order: 4}, shape: {circle: {center: "
                   "[0.5031, 0.4977], radius: 0.4}, edge: free}}",
                   20 << k, 20 << k));
    const double h = 0.05 / (1 << k), most = 12 / (h * h);
    EXPECT_GT(largest_eigenvalue_of(m, 0), 2 * most);
    EXPECT_LE(largest_eigenvalue_of(m, most), most * (1 + 1e-9));
    e[k] = worst_error(m, free_disc, most);
    unlimited[k] = worst_error(m, free_disc);
  }
  EXPECT_GT(order(e), 2.6) << text(e);
  EXPECT_LT(e[2], 1.1 * unlimited[2]) << text(e) << ", " << text(unlimited);
}

TEST(CutRims, ReceiversBesideAFixedRimInterpolateToZeroOnIt) {
  const Model m = model("grid: {size: [1, 1], cells: [50, 50]}\nshape: " + std::string(disc) +
                        "\nreceivers: [{name: a, from: [0.5031, 0.4977], to: [0.9031, 0.4977], count: 401}, "
                        "{name: b, from: [0.5031, 0.4977], to: [0.7859427, 0.7805427], count: 401}, {name: "
                        "out, at: [0.911, 0.4977]}]");
  // a field that is zero on the rim, with curvature: (0.16 - r^2) (1 + x)
  const auto u = [](double x, double y) {
    const double dx = x - 0.5031, dy = y - 0.4977;
    return (0.16 - dx * dx - dy * dy) * (1 + x);
  };
  const std::size_t nx = std::size_t(m.grid.nodes(0));
  double worst = 0;
  for (const Receiver& r : m.receivers) {
    double value = 0;
    for (int k = 0; k < 4; ++k) {
      if (r.weight[k] == 0) continue;
      EXPECT_TRUE(is_inside(m.region[r.node[k]])) << r.name;
      value += r.weight[k] * u(m.grid.x(long(r.node[k] % nx)), m.grid.y(long(r.node[k] / nx)));
    }
    if (r.name == "out")
      EXPECT_EQ(value, 0);
    else
      worst = std::max(worst, std::abs(value - u(r.x, r.y)));
  }
  EXPECT_LT(worst, 1.5e-3);  // h^2 u'' / 8 in a cell, a few times that where it is cut; a staircase: 1.2e-2
}

TEST(CutRims, AnExplicitRunKeepsItsEnergyAtTheCourantLimit) {
  for (const char* edge : {"fixed", "free"}) {
    Running run(struck_disc(edge, "time: {scheme: explicit, courant: 0.7071, end: 20}"));
    run.step();
    const double first = run.stepper->energy();
    run.finish();
    EXPECT_NEAR(run.stepper->energy() / first, 1, 1e-9) << edge;
  }
}

TEST(CutRims, NumerovKeepsItsEnergyAtTheCourantLimit) {
  for (const char* edge : {"fixed", "free"}) {
    Running run(struck_disc(edge,
                            "space: {order: 4}\ntime: {scheme: numerov, courant: 0.7071, end: 20}\nsolver: "
                            "{method: chebyshev, tolerance: 1e-12}"));
    run.step();
    const double first = run.stepper->energy();
    run.finish();
    EXPECT_NEAR(run.stepper->energy() / first, 1, 1e-8) << edge;
  }
}

TEST(CutRims, OfLakesLeaveFewIterationsToChebyshev) {
  const char* const numerov = "space: {order: 4}\ntime: {scheme: numerov, courant: 0.7, steps: 5}\n";
  for (const auto& [solver, bounds, most] :
       {std::tuple{"{method: chebyshev}", "after Lanczos", 12},
        std::tuple{"{method: chebyshev, bounds: gershgorin}", "after Gershgorin", 80}}) {
    Running run(struck_disc("free", with("%ssolver: %s", numerov, solver)));
    run.finish();
    EXPECT_NE(run.stepper->set_up().find(bounds), std::string::npos) << run.stepper->set_up();
    EXPECT_LE(run.iterations.back(), most) << bounds;
  }
  Running drum(struck_disc("fixed", with("%ssolver: {method: chebyshev}", numerov)));
  drum.step();
  EXPECT_NE(drum.stepper->set_up().find("after Gershgorin"), std::string::npos) << drum.stepper->set_up();
}

// The coast goes round the ends of the axes; the same, moved by a third of them, has its cells elsewhere.
TEST(CutRims, RoundPeriodicAxesNumerovKeepsItsEnergyAndItsWaves) {
  const auto run = [](double x, double y, const char* edges) {
    const std::string island = with(
        "0.0213 - (min(abs(x - %.17g), 1 - abs(x - %.17g)))^2 - (min(abs(y - %.17g), 1 - abs(y - %.17g)))^2",
        x, x, y, y);
    Running all(with(
        "{grid: {size: [1, 1], cells: [60, 60]}, edges: %s, space: {order: 4}, shape: {not: {expression: "
        "\"%s\"}, "
        "edge: free}, initial: {displacement: \"cos(2*pi*(x - %.17g))*cos(2*pi*(y - %.17g))\"}, time: "
        "{scheme: "
        "numerov, courant: 0.707, steps: 1500}, solver: {method: chebyshev, tolerance: 1e-12}}",
        edges, island.c_str(), x, y));
    all.step();
    const double first = all.stepper->energy();
    all.finish();
    EXPECT_NEAR(all.stepper->energy() / first, 1, 1e-8) << island;
    return first;
  };
  const char* const both = "periodic";
  const double inside = run(0.3333333333333333, 0.6666666666666667, both);
  for (const auto& [x, y] : {std::pair{0.0, 0.6666666666666667}, {0.3333333333333333, 0.0}, {0.0, 0.0}})
    EXPECT_NEAR(run(x, y, both) / inside, 1, 1e-9) << x << ", " << y;
}

// A coast that goes through a layer and through free sides of the rectangle.
TEST(CutRims, BesideLayersAndFreeSidesNothingGrows) {
  const char* const pml = "{absorbing: {pml: {thickness: 8 cells}}}";
  for (const std::string& edges : {with("{left: %s, right: free, bottom: %s, top: free}", pml, pml),
                                   with("{left: free, right: %s, bottom: free, top: fixed}", pml)}) {
    Running run(
        with("{grid: {size: [1, 1], cells: [60, 60]}, edges: %s, space: {order: 4}, shape: {expression: "
             "\"1.613 - x - "
             "1.31*y + 0.05*sin(9*x)\", edge: free}, initial: {displacement: {gaussian: {center: [0.5, 0.4], "
             "width: "
             "0.06}}}, time: {scheme: numerov, courant: 0.707, steps: 3000}, solver: {method: chebyshev, "
             "tolerance: 1e-10}}",
             edges.c_str()));
    run.finish();
    EXPECT_LT(run.stepper->largest_displacement(), 0.2) << edges;
  }
}

TEST(CutRims, AnImplicitRunKeepsItsEnergy) {
  for (const char* edge : {"fixed", "free"}) {
    Running run(struck_disc(edge, "time: {courant: 2, end: 10}\nsolver: {method: cg, tolerance: 1e-12}"));
    const double first = run.stepper->energy();
    run.finish();
    EXPECT_NEAR(run.stepper->energy() / first, 1, 1e-9) << edge;
  }
}

TEST(CutRims, OfPicturesFollowTheGridUnlessAskedFor) {
  const Folder folder;
  folder.write_png("m.png", 2, 2, 1, 8, {0, 255, 0, 255});
  EXPECT_TRUE(model("shape: {image: m.png}", folder.path).rim.crossings.empty());
  const Model cut = model("shape: {image: m.png, rim: cut}", folder.path);
  ASSERT_FALSE(cut.rim.crossings.empty());  // bilinear between the pixels: 0.5 lies in the middle
  for (const Rim::Crossing& c : cut.rim.crossings) {
    EXPECT_EQ(c.axis, 0);
    EXPECT_NEAR(cut.grid.x(long(c.node) % 11) + (1 - c.share) * 0.1, 0.5, 1e-6);
  }
}
