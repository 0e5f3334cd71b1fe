// Walls and rims that take a part of the waves: rooms ring down as theory says.

#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>

#include "running.hpp"

using namespace wavesim;
using namespace wavesim::test;

namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;

std::string number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", v);
  return std::string("(") + text + ")";
}

/// J_order of a complex number by its series.
Complex bessel(int order, Complex z) {
  Complex term = order == 0 ? 1.0 : z / 2.0, sum = 0;
  for (int k = 0; k < 60; ++k) {
    sum += term;
    term *= -z * z / 4.0 / (double(k + 1) * double(k + 1 + order));
  }
  return sum;
}

/// The error at t = end of the mode of a round room with walls of reflection R: J0(k r) exp(i omega t) with
/// J1(k a) / J0(k a) = i z, z = (1 - R)/(1 + R), near the mode of the room with free walls.
double round_room(int cells, double reflection, const std::string& more, const std::string& edge) {
  const double a = 0.437, z = (1 - reflection) / (1 + reflection);
  Complex ka = 3.83170597;
  for (int k = 0; k < 50; ++k) {  // Newton; J0' = -J1, J1' = J0 - J1/x
    const Complex f = bessel(1, ka) - Complex(0, z) * bessel(0, ka),
                  slope = bessel(0, ka) - bessel(1, ka) / ka + Complex(0, z) * bessel(1, ka);
    ka -= f / slope;
  }
  const Complex k = ka / a, i_omega = Complex(0, 1) * k;  // speed 1
  std::string u = "0", v = "0";
  Complex term = 1;
  for (int m = 0; m < 30; ++m) {  // J0(k r) = sum of (-k^2 r^2/4)^m / m!^2
    const std::string power = m == 0 ? "1" : "r2^" + std::to_string(m);
    u += "+" + number(term.real()) + "*" + power;
    v += "+" + number((i_omega * term).real()) + "*" + power;
    term *= -k * k / 4.0 / (double(m + 1) * double(m + 1));
  }
  const double x0 = 0.503, y0 = 0.491;
  const auto in_xy = [&](std::string f) {
    const std::string r2 = "((x-" + number(x0) + ")^2+(y-" + number(y0) + ")^2)";
    for (std::size_t at = 0; (at = f.find("r2", at)) != std::string::npos; at += r2.size())
      f.replace(at, 2, r2);
    return f;
  };
  const std::string n = std::to_string(cells);
  Running run("{name: t, grid: {size: [1, 1], cells: [" + n + ", " + n +
              "]}, medium: {model: membrane, density: 1, speed: 1}, shape: {circle: {center: [0.503, 0.491], "
              "radius: 0.437}, edge: " +
              edge + "}, initial: {displacement: \"" + in_xy(u) + "\", velocity: \"" + in_xy(v) +
              "\"}, solver: {tolerance: 1e-10}, " + more + "}");
  run.finish();
  const auto field = run.field();
  double worst = 0;
  for (long iy = 0; iy < run.model.grid.nodes(1); ++iy)
    for (long ix = 0; ix < run.model.grid.nodes(0); ++ix) {
      const double r = std::hypot(run.model.grid.x(ix) - x0, run.model.grid.y(iy) - y0);
      if (r > a) continue;
      const Complex exact = bessel(0, k * r) * std::exp(i_omega * run.time());
      worst = std::max(worst, std::abs(field[run.model.grid.index(ix, iy)] - exact.real()));
    }
  return worst;
}

}  // namespace

TEST(Walls, ALineBetweenThemKeepsWhatTheyGiveBack) {
  for (const double R : {0.7, -0.5, 0.0}) {
    const std::string wall = "{absorbing: {reflection: " + std::to_string(R) + "}}";
    Running run(
        "{name: t, grid: {size: [1, 0.01], cells: [400, 4]}, medium: {model: membrane, density: 1, speed: "
        "1}, edges: {left: " +
        wall + ", right: " + wall +
        ", bottom: free, top: free}, initial: {displacement: \"exp(-((x-0.4)/0.05)^2)\"}, time: {scheme: "
        "numerov, courant: 0.3, end: 2}, solver: {tolerance: 1e-10}}");
    const double first = run.stepper->energy();
    run.finish();
    // each wave has been at both walls once
    EXPECT_NEAR(run.stepper->energy() / first, std::pow(R, 4), 2e-3) << R;
  }
}

TEST(Walls, ASquareRoomRingsDownAsItsMode) {
  // X = cos(k x), k tan(k L/2) = i omega z/c, and the same along y: k L/2 = pi + i atanh(sqrt(2) z)
  const double R = 0.6, z = (1 - R) / (1 + R), a = std::atanh(std::sqrt(2) * z);
  const Complex k = 2.0 * Complex(pi, a), omega = std::sqrt(2) * k;
  const auto error = [&](int cells) {
    const auto factor = [&](const char* x) {  // cos(p x) cosh(q x) and -sin(p x) sinh(q x), x from the middle
      const std::string at = std::string("(") + x + "-0.5)", p = number(2 * pi) + "*" + at,
                        q = number(2 * a) + "*" + at;
      return std::array{"(cos(" + p + ")*cosh(" + q + "))", "(-sin(" + p + ")*sinh(" + q + "))"};
    };
    const auto X = factor("x"), Y = factor("y");
    const std::string re = "(" + X[0] + "*" + Y[0] + "-" + X[1] + "*" + Y[1] + ")",
                      im = "(" + X[0] + "*" + Y[1] + "+" + X[1] + "*" + Y[0] + ")", n = std::to_string(cells);
    Running run("{name: t, grid: {size: [1, 1], cells: [" + n + ", " + n +
                "]}, medium: {model: membrane, density: 1, speed: 1}, edges: {absorbing: {reflection: 0.6}}, "
                "initial: {displacement: \"" +
                re + "\", velocity: \"" + number(-omega.imag()) + "*" + re + "-" + number(omega.real()) +
                "*" + im + "\"}, time: {courant: 0.5, end: 0.7}, solver: {tolerance: 1e-11}}");
    run.finish();
    return run.error([&](double x, double y) {
      return (std::cos(k * (x - 0.5)) * std::cos(k * (y - 0.5)) *
              std::exp(Complex(0, 1) * omega * run.time()))
          .real();
    });
  };
  const double coarse = error(40), fine = error(80);
  EXPECT_LT(fine, 4e-3);
  EXPECT_GT(std::log2(coarse / fine), 1.9) << coarse << " " << fine;
}

TEST(Walls, ARoundRoomRingsDownAsItsMode) {
  const std::string half = "{absorbing: {reflection: 0.5}}", time = "time: {courant: 0.5, end: 0.8}";
  const double coarse = round_room(50, 0.5, time, half), fine = round_room(100, 0.5, time, half);
  EXPECT_LT(fine, 4e-3);
  EXPECT_GT(std::log2(coarse / fine), 1.7) << coarse << " " << fine;
  // the wall's impedance is another word for it: rho c (1 - R)/(1 + R)
  EXPECT_NEAR(round_room(50, 0.5, time, "{absorbing: {impedance: 0.33333333333333331}}"), coarse, 1e-9);
  // other schemes, orders in space and rims
  EXPECT_LT(round_room(50, 0.5, "time: {scheme: explicit, courant: 0.5, end: 0.8}", half), 2e-2);
  EXPECT_LT(round_room(50, 0.5, "space: {order: 4}, time: {scheme: numerov, courant: 0.5, end: 0.8}", half),
            2e-2);
  EXPECT_LT(round_room(100, 0.0, time, "absorbing"), 4e-3);
}

TEST(Walls, OfAHoleTakeWhatFallsOnThem) {
  const auto left = [](const std::string& edge) {
    Running run(
        "{name: t, grid: {size: [1, 1], cells: [60, 60]}, medium: {model: membrane, density: 1, speed: 1}, "
        "edges: free, shape: [{not: {circle: {center: [0.5, 0.5], radius: 0.2}}, edge: " +
        edge +
        "}], initial: {displacement: {gaussian: {center: [0.2, 0.2], width: 0.05}}}, time: {courant: 1, end: "
        "3}}");
    const double first = run.stepper->energy();
    run.finish();
    return run.stepper->energy() / first;
  };
  EXPECT_NEAR(left("free"), 1, 1e-4);
  EXPECT_NEAR(left("{absorbing: {reflection: 1}}"), 1, 1e-4);
  EXPECT_LT(left("absorbing"), 0.5);
  EXPECT_LT(left("absorbing"), left("{absorbing: {reflection: 0.5}}"));
}

TEST(Walls, OfASquareAlongTheGridHaveTheLengthOfItsSides) {
  // on nodes, between them, and halfway, where rounding decides which cell the rim goes through
  for (const double at : {0.2, 0.21, 0.2125, 0.225})
    for (const std::string rim : {"cut", "staircase"}) {
      const std::string low = number(at), high = number(1 - at);
      const Model m =
          build_model(config("{name: t, grid: {size: [1, 1], cells: [40, 40]}, medium: {model: membrane, "
                             "density: 1, speed: 1}, shape: "
                             "{rectangles: [[" +
                             low.substr(1, low.size() - 2) + ", " + low.substr(1, low.size() - 2) + ", " +
                             high.substr(1, high.size() - 2) + ", " + high.substr(1, high.size() - 2) +
                             "]], rim: " + rim + ", edge: absorbing}, time: {steps: 1}}"));
      double length = 0;
      for (std::size_t i = 0; i < m.grid.node_count(); ++i) length += m.rim.damping[i] / 1600;
      // corners are cut by a chord: two of three parts of a cell's sides, at most
      EXPECT_NEAR(length, 4 * (1 - 2 * at), rim == "cut" ? 4 * 2 * 0.025 : 8 * 0.025 + 1e-9)
          << at << " " << rim;
    }
}
