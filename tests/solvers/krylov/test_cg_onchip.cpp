#include <gtest/gtest.h>

#include <cmath>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/make.hpp"
#include "tests/solvers/core/problems.hpp"
#include "tests/solvers/krylov/uniform_membrane.hpp"

// `cg-onchip` against `cg`: another recurrence for the same iterates.
namespace wavesim::test {
namespace {

struct Answer {
  Report report;
  std::vector<double> x, history;
};

template <class T, class Coefficients>
Answer answer(Backend& be, Extent e, const Coefficients& c, SolverOptions o, const std::string& method,
              const std::vector<double>& b) {
  o.method = method;
  const auto A = make_operator<Backend, T>("stencil", be, e, c);
  A->assemble(0.5, 0.75);
  const auto solver = make_solver<Backend, T>(o, be, *A);
  const auto rhs = to_field<T>(be, e, b);
  Field<Backend, T> x(be, e);
  Answer a;
  a.report = solver->solve(*A, nullptr, rhs, x, true);
  a.x = from_field(x);
  a.history = solver->history();
  return a;
}

SolverOptions to(double tolerance) {
  SolverOptions o;
  o.norm = "relative-2";
  o.tolerance = tolerance;
  return o;
}

/// The same answer within the tolerance, by the same residuals on the way.
void expect_alike(const Answer& cg, const Answer& onchip, double tolerance, const std::string& what) {
  ASSERT_EQ(onchip.report.status, Status::converged) << what;
  EXPECT_NEAR(onchip.report.iterations, cg.report.iterations, 1) << what;
  double size = 0, difference = 0;
  for (std::size_t i = 0; i < cg.x.size(); ++i) {
    size = std::max(size, std::abs(cg.x[i]));
    difference = std::max(difference, std::abs(cg.x[i] - onchip.x[i]));
  }
  EXPECT_LE(difference, 20 * tolerance * size) << what;
  const std::size_t both = std::min(cg.history.size(), onchip.history.size());
  for (std::size_t k = 0; k < both && cg.history[k] > 1e-7 * cg.history[0]; ++k)
    EXPECT_NEAR(onchip.history[k], cg.history[k], 1e-3 * cg.history[k]) << what << ", iteration " << k;
}

TEST(CgOnChip, GivesWhatCgGivesOnEverySize) {
  Backend be;
  for (const auto& [nx, ny] : {std::pair{1, 1},
                               {1, 9},
                               {9, 1},
                               {2, 2},
                               {33, 21},
                               {64, 127},
                               {65, 128},
                               {31, 129},
                               {100, 300},
                               {513, 260},
                               {2000, 40}})
    for (const bool wrap_x : {false, true})
      for (const bool wrap_y : {false, true}) {
        if ((wrap_x && nx < 3) || (wrap_y && ny < 3)) continue;
        const Extent e = make_extent(nx, ny);
        const auto c = uniform_membrane<double>(e, wrap_x, wrap_y);
        const auto b = random_values(std::size_t(e.points()), 31);
        const SolverOptions o = to(1e-9);
        expect_alike(answer<double>(be, e, c, o, "cg", b), answer<double>(be, e, c, o, "cg-onchip", b), 1e-9,
                     std::to_string(nx) + " x " + std::to_string(ny) + (wrap_x ? " round x" : "") +
                         (wrap_y ? " round y" : ""));
      }
}

TEST(CgOnChip, GivesWhatCgGivesInAVaryingMedium) {
  Backend be;
  using enum Side;
  std::vector<Shape> all = shapes();
  all.push_back({70, 300, {fixed, free, periodic, periodic}, true});
  all.push_back({300, 140, {periodic, periodic, free, fixed}, true});
  for (const Shape& shape : all) {
    const HostProblem host(shape);
    const Problem<double> problem(be, host);
    const auto b = random_values(std::size_t(host.e.points()), 32);
    const SolverOptions o = to(1e-9);
    expect_alike(answer<double>(be, host.e, problem.coefficients, o, "cg", b),
                 answer<double>(be, host.e, problem.coefficients, o, "cg-onchip", b), 1e-9,
                 std::to_string(shape.nx) + " x " + std::to_string(shape.ny));
  }
}

TEST(CgOnChip, HoldsAMillionUnknowns) {
  Backend be;
  for (const int n : {1023, 1024}) {
    const Extent e = make_extent(n, n);
    const auto c = uniform_membrane<double>(e, false, true);
    const auto b = random_values(std::size_t(e.points()), 33);
    const SolverOptions o = to(1e-6);
    expect_alike(answer<double>(be, e, c, o, "cg", b), answer<double>(be, e, c, o, "cg-onchip", b), 1e-6,
                 std::to_string(n));
  }
}

TEST(CgOnChip, RefusesWhatDoesNotFitWithTheFigures) {
  Backend be;
  for (const auto& [nx, ny] : {std::pair{1024, 1025}, {8191, 100}}) {
    const Extent e = make_extent(nx, ny);
    const auto A =
        make_operator<Backend, double>("stencil", be, e, uniform_membrane<double>(e, false, false));
    SolverOptions o;
    o.method = "cg-onchip";
    try {
      make_solver<Backend, double>(o, be, *A);
      FAIL() << nx << " x " << ny;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("8192 points and 225 KiB"), std::string::npos) << error.what();
    }
  }
}

TEST(CgOnChip, StopsAtTheLimitAndAtTheSameIterationInSinglePrecision) {
  Backend be;
  const Extent e = make_extent(150, 90);
  const auto c = uniform_membrane<double>(e, false, false);
  const auto b = random_values(std::size_t(e.points()), 34);
  SolverOptions o = to(1e-12);
  for (const int most : {1, 2, 7}) {
    o.max_iterations = most;
    const Answer a = answer<double>(be, e, c, o, "cg-onchip", b);
    EXPECT_EQ(a.report.status, Status::max_iterations);
    EXPECT_EQ(a.report.iterations, most);
    EXPECT_EQ(a.history.size(), std::size_t(most) + 1);
    EXPECT_NEAR(a.history.back(), std::sqrt(a.report.final.squares), 1e-12 * a.history.front());
  }
  const auto single = uniform_membrane<float>(e, false, false);
  o = to(1e-5);
  const Answer a = answer<float>(be, e, single, o, "cg-onchip", b),
               d = answer<double>(be, e, c, o, "cg-onchip", b);
  EXPECT_EQ(a.report.status, Status::converged);
  EXPECT_NEAR(a.report.iterations, d.report.iterations, 1);
}

}  // namespace
}  // namespace wavesim::test
