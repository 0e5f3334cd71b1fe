#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/make.hpp"
#include "tests/solvers/core/problems.hpp"

namespace wavesim::test {
namespace {

/// The membrane: A = I + a (-laplacian), constant speed, each side fixed, free or periodic.
UniformCoefficients<double> membrane(Extent e, double a, std::array<Side, 4> sides) {
  UniformCoefficients<double> c;
  const bool px = sides[0] == Side::periodic, py = sides[2] == Side::periodic;
  c.topology = {e.nx, e.ny, px ? e.nx : 0, py ? e.ny * e.pitch : 0};
  c.face_x = c.face_y = a;
  for (int k = 0; k < 4; ++k) {
    c.edge[k] = sides[k] == Side::fixed ? -a : sides[k] == Side::periodic ? a : 0;
    c.half[k] = sides[k] == Side::free ? 0.5 : 1;
  }
  return c;
}

template <class C>
Report solve(Backend& be, Extent e, const C& c, const std::string& method, const std::string& preconditioner,
             const std::string& format = "stencil") {
  const auto A = make_operator<Backend, double>(format, be, e, c);
  A->assemble(0, 1);
  SolverOptions o;
  o.method = method;
  o.preconditioner.type = preconditioner;
  o.tolerance = 1e-8;
  o.norm = "relative-2";
  const auto M = make_preconditioner<Backend, double>(o.preconditioner, be, *A);
  const auto solver = make_solver<Backend, double>(o, be, *A);
  const auto b = to_field<double>(be, e, random_values(std::size_t(e.points()), 31));
  Field<Backend, double> x(be, e);
  return solver->solve(*A, M.get(), b, x, true);
}

constexpr std::array<Side, 4> fixed{Side::fixed, Side::fixed, Side::fixed, Side::fixed},
    free{Side::free, Side::free, Side::free, Side::free},
    periodic{Side::periodic, Side::periodic, Side::periodic, Side::periodic},
    mixed{Side::fixed, Side::free, Side::periodic, Side::periodic};

TEST(Multigrid, NeedsAtMostSevenIterationsOfCgAtCourantTenAtAnySize) {
  Backend be;
  for (const auto& sides : {fixed, free, periodic, mixed})
    for (const auto [nx, ny] : {std::array{31, 31}, {32, 32}, {63, 64}, {100, 57}, {127, 127}, {400, 30}}) {
      const Extent e = make_extent(nx, ny);
      const Report r = solve(be, e, membrane(e, 50, sides), "cg", "multigrid");
      EXPECT_TRUE(r.converged()) << nx << " x " << ny;
      EXPECT_LE(r.iterations, 7) << nx << " x " << ny << " sides " << int(sides[0]) << int(sides[2]);
    }
}

/// A medium in arrays, with the mass and tension that `at` gives, fixed edges; `inside` cuts a region out.
struct Medium {
  HostProblem host;
  Medium(int n, double a, double (*tension)(double, double), bool (*inside)(double, double))
      : host({n, n, fixed, false}) {
    const auto t = [&](int col, int row) {
      return a * tension((col + 1.0) / (n + 1), (row + 1.0) / (n + 1));
    };
    const auto in = [&](int col, int row) {
      return col >= 0 && row >= 0 && col < n && row < n &&
             inside((col + 1.0) / (n + 1), (row + 1.0) / (n + 1));
    };
    const auto face = [&](int c0, int r0, int c1, int r1) {
      const double t0 = t(c0, r0), t1 = t(c1, r1), joined = 2 * t0 * t1 / (t0 + t1);
      const bool i0 = in(c0, r0), i1 = in(c1, r1);
      return i0 && i1 ? joined : i0 || i1 ? -joined : 0;
    };
    for (int row = -1; row < n; ++row)
      for (int col = -1; col < n; ++col) {
        if (col >= 0 && row >= 0) host.mass[host.at(col, row)] = 1, host.damping[host.at(col, row)] = 0;
        if (row >= 0) host.east[host.at(col, row)] = face(col, row, col + 1, row);
        if (col >= 0) host.north[host.at(col, row)] = face(col, row, col, row + 1);
      }
  }
};

TEST(Multigrid, BearsStepsOfTheMediumAndShapes) {
  Backend be;
  const auto everywhere = [](double, double) { return true; };
  const auto constant = [](double, double) { return 1.0; };
  const auto layers = [](double, double y) { return y < 0.37 ? 1.0 : y < 0.61 ? 25.0 : 0.04; };
  const auto lens = [](double x, double y) { return std::hypot(x - 0.4, y - 0.6) < 0.2 ? 0.01 : 1.0; };
  const auto drum = [](double x, double y) { return std::hypot(x - 0.5, y - 0.5) < 0.45; };
  struct Case {
    const char* name;
    double (*tension)(double, double);
    bool (*inside)(double, double);
    int most;
  };
  for (const Case& c : {Case{"constant", constant, everywhere, 7}, Case{"layers", layers, everywhere, 7},
                        Case{"lens", lens, everywhere, 7}, Case{"drum", constant, drum, 10}})
    for (int n : {63, 100}) {
      const Medium medium(n, 50, c.tension, c.inside);
      const Problem<double> problem(be, medium.host);
      const Report r = solve(be, medium.host.e, problem.coefficients, "cg", "multigrid");
      EXPECT_TRUE(r.converged()) << c.name << " " << n << ": " << word(r.status);
      EXPECT_LE(r.iterations, c.most) << c.name << " " << n;
    }
}

TEST(Multigrid, AloneConvergesAtARateThatTheSizeDoesNotChange) {
  Backend be;
  std::vector<int> counts;
  for (int n : {31, 63, 127, 255}) {
    const Extent e = make_extent(n, n);
    const Report r = solve(be, e, membrane(e, 50, fixed), "multigrid", "none", "dia");
    EXPECT_TRUE(r.converged()) << n;
    counts.push_back(r.iterations);
  }
  EXPECT_LE(*std::max_element(counts.begin(), counts.end()), 9);
  EXPECT_LE(*std::max_element(counts.begin(), counts.end()) - *std::min_element(counts.begin(), counts.end()),
            2);
}

// A plain cycle takes some parts of the error beside the rim more than twice away.
TEST(Multigrid, AloneConvergesWhereAPlainCycleDiverges) {
  Backend be;
  const Medium drum(
      200, 625, [](double, double) { return 1.0; },
      [](double x, double y) { return std::hypot(x - 0.5, y - 0.5) < 0.45; });
  const Problem<double> problem(be, drum.host);
  const Report r = solve(be, drum.host.e, problem.coefficients, "multigrid", "none");
  EXPECT_TRUE(r.converged()) << word(r.status);
  EXPECT_LE(r.iterations, 60);
}

TEST(Multigrid, IsSymmetric) {
  Backend be;
  for (const auto& sides : {fixed, free, mixed}) {
    const Extent e = make_extent(37, 24);
    const auto A = make_operator<Backend, double>("stencil", be, e, membrane(e, 50, sides));
    A->assemble(0, 1);
    const auto M = make_preconditioner<Backend, double>({"multigrid", {}}, be, *A);
    M->prepare(*A);
    const std::vector<double> x = random_values(e.points(), 1), y = random_values(e.points(), 2);
    const auto applied = [&](const std::vector<double>& r) {
      Field<Backend, double> z(be, e);
      Buffer<Backend, double> rz(be, 1);
      const auto rf = to_field<double>(be, e, r);
      M->apply(rf, z, rz.data());
      return from_field(z);
    };
    const std::vector<double> mx = applied(x), my = applied(y);
    double xmy = 0, ymx = 0, xmx = 0;
    for (std::size_t i = 0; i < x.size(); ++i) xmy += x[i] * my[i], ymx += y[i] * mx[i], xmx += x[i] * mx[i];
    EXPECT_NEAR(xmy, ymx, 1e-12 * xmx);
    EXPECT_GT(xmx, 0);
  }
}

TEST(Multigrid, IsRefusedForAMatrixWithoutAGrid) {
  Backend be;
  HostCsr A{2, {0, 1, 2}, {0, 1}, {1, 1}};
  const auto op = make_operator<Backend, double>("csr", be, A);
  SolverOptions o;
  o.preconditioner.type = "multigrid";
  EXPECT_THROW((make_solver<Backend, double>(o, be, *op)), InputError);
}

}  // namespace
}  // namespace wavesim::test
