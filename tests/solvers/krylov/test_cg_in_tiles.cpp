// cg in one launch against cg in passes over memory: the same bits.
#include <gtest/gtest.h>

#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/krylov/cg.hpp"
#include "tests/solvers/core/problems.hpp"
#include "tests/solvers/krylov/uniform_membrane.hpp"

namespace wavesim::test {
namespace {

template <class T>
class CgBy final : public Cg<Backend, T> {
 public:
  CgBy(Backend& be, const Operator<Backend, T>& A, const SolverOptions& o, bool one_launch)
      : Cg<Backend, T>(be, A, o), one_launch_(one_launch) {}
  /// Whether the last solve was in one launch.
  bool was_in_one_launch() const { return this->looks_each_step(); }

 protected:
  bool in_one_launch() const override { return one_launch_; }

 private:
  bool one_launch_;
};

struct Answer {
  Report report;
  std::vector<double> x, history;
  bool one_launch = false;
};

template <class T>
Answer answer(Backend& be, const Operator<Backend, T>& A, const SolverOptions& o,
              const std::vector<double>& b, bool one_launch, bool zero) {
  CgBy<T> cg(be, A, o, one_launch);
  const auto rhs = to_field<T>(be, A.extent(), b);
  Answer a;
  for (int times = 0; times < 2; ++times) {  // the second with what the first left in the method's vectors
    auto x =
        zero ? Field<Backend, T>(be, A.extent()) : to_field<T>(be, A.extent(), random_values(b.size(), 5));
    a.report = cg.solve(A, nullptr, rhs, x, zero);
    a.x = from_field(x);
  }
  a.history = cg.history();
  a.one_launch = cg.was_in_one_launch();
  return a;
}

template <class T>
void expect_same(Backend& be, const Operator<Backend, T>& A, const SolverOptions& o, const std::string& what,
                 bool zero = true) {
  SCOPED_TRACE(what);
  const auto b = random_values(std::size_t(A.extent().points()), 31);
  const Answer passes = answer<T>(be, A, o, b, false, zero), once = answer<T>(be, A, o, b, true, zero);
  EXPECT_FALSE(passes.one_launch);
  ASSERT_TRUE(once.one_launch);
  EXPECT_EQ(once.report.status, passes.report.status);
  EXPECT_EQ(once.report.iterations, passes.report.iterations);
  EXPECT_EQ(once.report.final.squares, passes.report.final.squares);
  EXPECT_EQ(once.history, passes.history);
  EXPECT_EQ(once.x, passes.x);
}

SolverOptions to(double tolerance, int most = 500) {
  SolverOptions o;
  o.norm = "relative-2";
  o.tolerance = tolerance;
  o.max_iterations = most;
  return o;
}

template <class T>
void on_every_size() {
  Backend be;
  const double tolerance = sizeof(T) == 8 ? 1e-9 : 1e-5;
  for (const auto& [nx, ny] : {std::pair{1, 1},
                               {1, 9},
                               {9, 1},
                               {2, 2},
                               {33, 21},
                               {127, 8},
                               {128, 64},
                               {129, 65},
                               {256, 255},
                               {100, 300},
                               {513, 260},
                               {2000, 40}})
    for (const bool wrap_x : {false, true})
      for (const bool wrap_y : {false, true}) {
        if ((wrap_x && nx < 3) || (wrap_y && ny < 3)) continue;
        const Extent e = make_extent(nx, ny, sizeof(T));
        const auto A = make_operator<Backend, T>("stencil", be, e, uniform_membrane<T>(e, wrap_x, wrap_y));
        A->assemble(0.5, 0.75);
        expect_same<T>(be, *A, to(tolerance, nx * ny > 20000 ? 7 : 500),
                       std::to_string(nx) + " x " + std::to_string(ny) + (wrap_x ? " round x" : "") +
                           (wrap_y ? " round y" : ""));
      }
}
TEST(CgInTiles, HasTheBitsOfPassesOnEverySize) { on_every_size<double>(); }
TEST(CgInTiles, HasTheBitsOfPassesInSinglePrecision) { on_every_size<float>(); }

TEST(CgInTiles, HasTheBitsOfPassesInAVaryingMediumFromAnyGuess) {
  Backend be;
  using enum Side;
  std::vector<Shape> all = shapes();
  all.push_back({70, 300, {fixed, free, periodic, periodic}, true});
  all.push_back({300, 140, {periodic, periodic, free, fixed}, true});
  for (const Shape& shape : all) {
    const HostProblem host(shape);
    const Problem<double> problem(be, host);
    const auto A = make_operator<Backend, double>("stencil", be, host.e, problem.coefficients);
    A->assemble(0.5, 0.75);
    for (const bool zero : {true, false})
      expect_same<double>(be, *A, to(1e-9), std::to_string(shape.nx) + " x " + std::to_string(shape.ny),
                          zero);
  }
}

/// Two and four tiles of a thread.
TEST(CgInTiles, HasTheBitsOfPassesWhereABlockHasSeveralTiles) {
  Backend be;
  for (const auto& [nx, ny] : {std::pair{520, 611}, {1023, 1024}, {130, 4090}}) {
    const Extent e = make_extent(nx, ny);
    const auto A =
        make_operator<Backend, double>("stencil", be, e, uniform_membrane<double>(e, nx == 1023, false));
    A->assemble(0.5, 0.75);
    expect_same<double>(be, *A, to(1e-9, 3), std::to_string(nx) + " x " + std::to_string(ny));
  }
}

/// A kernel's limits are those of all that launch it.
TEST(CgInTiles, SolvesBesideASolverOfASmallerGrid) {
  Backend be;
  const auto operator_on = [&](int nx, int ny) {
    const Extent e = make_extent(nx, ny);
    auto A = make_operator<Backend, double>("stencil", be, e, uniform_membrane<double>(e, false, false));
    A->assemble(0.5, 0.75);
    return A;
  };
  const auto large = operator_on(340, 400), small = operator_on(60, 50);
  CgBy<double> first(be, *large, to(1e-9), true), second(be, *small, to(1e-9), true);
  const auto solves = [&](CgBy<double>& cg, const Operator<Backend, double>& A) {
    const auto b = to_field<double>(be, A.extent(), random_values(std::size_t(A.extent().points()), 7));
    Field<Backend, double> x(be, A.extent());
    return cg.solve(A, nullptr, b, x, true).converged();
  };
  EXPECT_TRUE(solves(first, *large));
  EXPECT_TRUE(solves(second, *small));
  EXPECT_TRUE(solves(first, *large));
}

/// Below what rounding allows the true residual says no to a claim, and the solve goes on from it.
TEST(CgInTiles, GoesOnFromTheTrueResidualAsPassesDo) {
  Backend be;
  const Extent e = make_extent(60, 50);
  const auto A = make_operator<Backend, double>("stencil", be, e, uniform_membrane<double>(e, false, false));
  A->assemble(0.5, 400);
  expect_same<double>(be, *A, to(3e-16), "below rounding");
}

TEST(CgInTiles, LeavesToPassesWhatItIsNotFor) {
  Backend be;
  const auto takes = [&](Extent e, const char* format, bool accurate) {
    const auto A = make_operator<Backend, double>(format, be, e, uniform_membrane<double>(e, false, false));
    A->assemble(0.5, 0.75);
    SolverOptions o = to(1e-3, 2);
    o.accurate = accurate;
    return answer<double>(be, *A, o, random_values(std::size_t(e.points()), 3), true, true).one_launch;
  };
  EXPECT_TRUE(takes(make_extent(40, 30), "stencil", false));
  EXPECT_FALSE(takes(make_extent(40, 30), "stencil", true));
  EXPECT_FALSE(takes(make_extent(40, 30), "dia", false));
  EXPECT_FALSE(takes(make_extent(1025, 1024), "stencil", false));
}

}  // namespace
}  // namespace wavesim::test
