// What an iteration of each entry of the catalogue takes, counted, on either backend: solves that stop after so many iterations and after
// some more differ by what is in between, whatever comes before and after. A GPU enqueues as many iterations as the last solve of a
// solver took, so each solve is made twice and its second one counted.
#include <gtest/gtest.h>

#include <set>

#include "kernels/backend/backend.hpp"
#include "kernels/formats/five_point_csr.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "solvers/catalogue/make.hpp"
#include "tests/solvers/core/problems.hpp"

namespace wavesim::test {
namespace {

using Matrix = Operator<Backend, double>;

SolverOptions options(std::string_view method, std::string_view preconditioner = "none") {
  SolverOptions o;
  o.method = method;
  o.preconditioner.type = preconditioner;
  o.norm = "relative-2";
  o.tolerance = 1e-30;
  return o;
}

struct Counted {
  Report report;
  OperationCounts counts;
};

/// The second solve by a solver that stops after so many iterations, or where the tolerance is met.
Counted count(Backend& be, const Matrix& A, SolverOptions o, int iterations) {
  o.max_iterations = iterations;
  const auto solver = make_solver<Backend, double>(o, be, A);
  const auto M = make_outer_preconditioner<Backend, double>(o, be, A);
  const auto b = to_field<double>(be, A.extent(), random_values(std::size_t(A.extent().points()), 7));
  Field<Backend, double> x(be, A.extent());
  Counted c;
  for (int k = 0; k < 2; ++k) {
    be.zero(x.memory().data(), x.memory().size());
    be.counts().clear();
    c.report = solver->solve(A, M.get(), b, x, true);
    c.counts = be.counts();
  }
  return c;
}

struct Difference {
  long passes, reductions;
  double bytes;
};

/// Of two solves with `from` and `to` iterations.
Difference between(Backend& be, const Matrix& A, const SolverOptions& o, int from, int to) {
  const Counted less = count(be, A, o, from), more = count(be, A, o, to);
  EXPECT_EQ(less.report.iterations, from) << o.method << " with " << o.preconditioner.type;
  EXPECT_EQ(more.report.iterations, to) << o.method << " with " << o.preconditioner.type;
  return {more.counts.passes - less.counts.passes, more.counts.reductions - less.counts.reductions,
          more.counts.bytes - less.counts.bytes};
}

struct Row {
  std::string_view method;
  int from, to;
  long passes, reductions;
};

/// On compressed rows. Reductions of cg, pipelined cg, BiCG, CGS and BiCGStab as in the papers; GMRES takes the inner products of a column
/// with eight vectors at once, twice (columns 9 to 24); IDR(4) has cycles of five.
constexpr Row on_rows[]{
    {"cg", 10, 20, 30, 20},
    {"pipelined-cg", 10, 20, 20, 10},
    {"fcg", 10, 20, 40, 30},
    {"minres", 10, 20, 30, 30},
    {"bicg", 10, 20, 40, 20},
    {"qmr", 10, 20, 50, 30},
    {"lsqr", 10, 20, 50, 20},
    {"lsmr", 10, 20, 50, 20},
    {"bicgstab", 10, 20, 50, 30},
    {"cgs", 10, 20, 50, 20},
    {"tfqmr", 10, 20, 60, 40},
    {"gmres", 8, 24, 8 * 4 + 8 * 6 + 16 * 4, 8 * 4 + 8 * 6 + 16},
    {"fgmres", 8, 24, 8 * 4 + 8 * 6 + 16 * 4, 8 * 4 + 8 * 6 + 16},
    {"idr", 10, 20, 2 * (4 * 4 + 3), 2 * (5 * 2 + 1)},
    {"jacobi", 10, 20, 10, 10},
    {"async-jacobi", 10, 20, 20, 10},
    {"gauss-seidel", 10, 20, 20, 10},
    {"sor", 10, 20, 20, 10},
    {"symmetric-gauss-seidel", 10, 20, 30, 10},
    {"ssor", 10, 20, 30, 10},
    {"chebyshev", 8, 24, 16, 2},  // eight sweeps, of which the last has norms
};

TEST(CountedIterations, TakeThePassesAndReductionsOfTheirAlgorithms) {
  Backend be;
  const auto A = make_operator<Backend, double>("csr", be, five_point_matrix(40, {-1, -1, 4.01, -1, -1}));
  for (const Row& row : on_rows) {
    const Difference d = between(be, *A, options(row.method), row.from, row.to);
    EXPECT_EQ(d.passes, row.passes) << row.method;
    EXPECT_EQ(d.reductions, row.reductions) << row.method;
  }
}

/// A square in a constant medium, on the stencil: what every entry takes.
struct Square {
  static constexpr int n = 63;
  std::unique_ptr<WaveOperator<Backend, double>> A;
  explicit Square(Backend& be) {
    UniformCoefficients<double> c;
    c.topology = {n, n, 0, 0};
    c.mass = c.face_x = c.face_y = 1;
    for (double& edge : c.edge) edge = -1;
    A = make_operator<Backend, double>("stencil", be, make_extent(n, n), c);
    A->assemble(0, 400);
  }
};

/// What an application takes on this backend: the second one, as the first may set up.
Difference of_an_application(Backend& be, const Matrix& A, const SolverOptions& o, bool with_product) {
  const auto M = make_outer_preconditioner<Backend, double>(o, be, A);
  M->prepare(A);
  const auto r = to_field<double>(be, A.extent(), random_values(std::size_t(A.extent().points()), 8));
  Field<Backend, double> z(be, A.extent());
  Buffer<Backend, double> rz(be, 1);
  for (int k = 0; k < 2; ++k) {
    be.counts().clear();
    if (with_product)
      M->apply(r, z, rz.data());
    else
      M->solve(r, z, rz.data());
  }
  return {be.counts().passes, be.counts().reductions, be.counts().bytes};
}

// An iteration that applied its preconditioner twice would still converge.
TEST(CountedIterations, OfCgTakeOneApplicationOfEachPreconditioner) {
  Backend be;
  const Square square(be);
  const Matrix& A = *square.A;
  const Difference alone = between(be, A, options("cg"), 4, 8);
  const bool one_launch = Backend::asynchronous;  // solvers/krylov/cg_in_tiles.hpp
  EXPECT_EQ(alone.passes, one_launch ? 0 : 4 * 2);
  EXPECT_EQ(alone.reductions, one_launch ? 0 : 4 * 2);
  for (const PreconditionerEntry& entry : solver_preconditioners()) {
    const SolverOptions o = options("cg", entry.name);
    if (entry.name == "none" || !incompatibility(o, A.facts()).empty()) continue;
    // an exact one needs one iteration, and after three there is nothing left to find
    const int from = entry.name == "sine-transform" ? 1 : 4, to = entry.name == "sine-transform" ? 2 : 8,
              more = to - from;
    const Difference with = between(be, A, o, from, to), once = of_an_application(be, A, o, true);
    EXPECT_GT(once.passes, 0) << entry.name;
    // where M^-1 r waits for results of its own, a GPU asks before each iteration whether the last one has claimed to be the last
    const bool looks =
        Backend::asynchronous && make_outer_preconditioner<Backend, double>(o, be, A)->synchronises();
    EXPECT_EQ(with.passes, more * (2 + once.passes + looks)) << entry.name;
    EXPECT_EQ(with.reductions, more * (2 + once.reductions + looks)) << entry.name;
  }
}

TEST(CountedIterations, OfBiCgStabTakeTwoApplicationsOfEachPreconditioner) {
  Backend be;
  const Square square(be);
  const Matrix& A = *square.A;
  const Difference alone = between(be, A, options("bicgstab"), 2, 4);
  for (const PreconditionerEntry& entry : solver_preconditioners()) {
    const SolverOptions o = options("bicgstab", entry.name);
    if (entry.name == "none" || entry.name == "sine-transform" || !incompatibility(o, A.facts()).empty())
      continue;
    const Difference with = between(be, A, o, 2, 4), once = of_an_application(be, A, o, true);
    EXPECT_GT(once.passes, 0) << entry.name;
    const bool looks =
        Backend::asynchronous && make_outer_preconditioner<Backend, double>(o, be, A)->synchronises();
    EXPECT_EQ(with.passes, alone.passes + 2 * (2 * once.passes + looks)) << entry.name;
    EXPECT_EQ(with.reductions, alone.reductions + 2 * (2 * once.reductions + looks)) << entry.name;
  }
}

TEST(CountedIterations, OfMultigridTakeACycleAndTwoPasses) {
  Backend be;
  const Square square(be);
  const Difference d = between(be, *square.A, options("multigrid"), 2, 4);
  const Difference cycle = of_an_application(be, *square.A, options("cg", "multigrid"), true);
  EXPECT_GT(cycle.passes, 1);
  EXPECT_EQ(d.passes, 2 * (cycle.passes + 2));  // <z, A z>, and x and r
  EXPECT_EQ(d.reductions, 2 * (cycle.reductions + 2));
}

TEST(CountedIterations, OnTheChipAreOnePassHoweverMany) {
  Backend be;
  const Square square(be);
  const Difference d = between(be, *square.A, options("cg-onchip"), 10, 20);
  EXPECT_EQ(d.passes, 0);
  EXPECT_EQ(d.reductions, 0);
  EXPECT_EQ(d.bytes, 0);
  EXPECT_EQ(count(be, *square.A, options("cg-onchip"), 20).counts.count("all iterations on the chip"), 1);
}

TEST(CountedIterations, OfTheSineTransformAreOneTransformThereAndBack) {
  Backend be;
  const Square square(be);
  SolverOptions o = options("sine-transform");
  o.tolerance = 1e-8;
  const Counted c = count(be, *square.A, o, 10);
  const Difference once = of_an_application(be, *square.A, options("cg", "sine-transform"), false);
  EXPECT_EQ(c.report.iterations, 1);
  EXPECT_GT(once.passes, 3);
  const int looks = Backend::asynchronous;  // a GPU asks whether the step has claimed to be the last
  EXPECT_EQ(c.counts.passes, once.passes + 2 + looks);  // r = b, |r|, and |b - A x|
  EXPECT_EQ(c.counts.reductions, once.reductions + 2 + looks);
}

TEST(CountedIterations, OfRefinementTakeOneSolveAndOneResidual) {
  Backend be;
  const Square square(be);
  SolverOptions o = options("refinement");
  o.tolerance = 1e-12;
  const Counted c = count(be, *square.A, o, 100);
  EXPECT_TRUE(c.report.converged());
  EXPECT_GT(c.report.iterations, 1);
  EXPECT_EQ(c.counts.count("x += z"), c.report.iterations);
  EXPECT_EQ(c.counts.count("r = b - A x, |r|"), c.report.iterations);
}

TEST(CountedIterations, OfDirectTakeNoProductAndOneResidual) {
  Backend be;
  const Square square(be);
  SolverOptions o = options("direct");
  o.tolerance = 1e-12;
  const Counted c = count(be, *square.A, o, 100);
  EXPECT_TRUE(c.report.converged());
  EXPECT_EQ(c.report.iterations, 1);
  EXPECT_EQ(c.counts.count("x += z"), 1);
  EXPECT_EQ(c.counts.count("r = b - A x, |r|"), 1);
}

// It is one of the others, solve by solve, and takes nothing besides.
TEST(CountedIterations, OfAutoAreThoseOfAMethodThatItConsiders) {
  Backend be;
  const auto A = make_operator<Backend, double>("csr", be, five_point_matrix(40, {-1, -1, 4.01, -1, -1}));
  SolverOptions o = options("auto");
  o.expected_solves = 1;  // no trials of others
  o.tolerance = 1e-8;
  const Counted c = count(be, *A, o, 500);
  EXPECT_TRUE(c.report.converged());
  std::string others;
  bool found = false;
  for (const Method& method : solver_methods())
    for (const Candidacy& candidacy : method.for_any_matrix) {
      SolverOptions other = o;
      other.method = method.name;
      other.preconditioner.type = candidacy.preconditioner;
      const Counted by = count(be, *A, other, 500);
      others += "; " + other.method + " with " + other.preconditioner.type + ": " +
                std::to_string(by.counts.passes);
      found = found || (by.report.iterations == c.report.iterations && by.counts.passes == c.counts.passes &&
                        by.counts.reductions == c.counts.reductions && by.counts.bytes == c.counts.bytes);
    }
  EXPECT_TRUE(found) << c.counts.passes << others;
}

/// A solve, x += z, and the residual with its norms.
TEST(CountedIterations, OfATriangleTakeOneSolveAndTwoPasses) {
  Backend be;
  const auto A = make_operator<Backend, double>("csr", be, five_point_matrix(40, {-1, -1, 4.01, 0, 0}));
  const Counted once = count(be, *A, options("triangular"), 1),
                twice = count(be, *A, options("triangular"), 2);
  EXPECT_EQ(once.counts.count("x = triangle^-1 b"), 1);
  EXPECT_EQ(twice.counts.count("x = triangle^-1 b"), 2);
  const char* const prepared = "sentinels of a schedule";  // on a GPU
  EXPECT_EQ(twice.counts.passes - once.counts.passes,
            3 + twice.counts.count(prepared) - once.counts.count(prepared));
  EXPECT_EQ(twice.counts.reductions - once.counts.reductions, 1);
}

TEST(CountedIterations, AreOfAllMethods) {
  std::set<std::string_view> counted{"multigrid",  "cg-onchip", "sine-transform", "triangular", "direct",
                                     "refinement", "auto"};
  for (const Row& row : on_rows) counted.insert(row.method);
  for (const Method& method : solver_methods()) EXPECT_TRUE(counted.count(method.name)) << method.name;
}

// A product reads the matrix and one vector and writes another, in one pass.
TEST(CountedProducts, OfEachFormatReadItsMatrixOnce) {
  Backend be;
  const HostProblem host({48, 20, {Side::fixed, Side::free, Side::fixed, Side::fixed}, false});
  const Problem<double> problem(be, host);
  for (const Format& format : formats_of_rows()) {
    const auto A = make_operator<Backend, double>(std::string(format.name), be, host.e, problem.coefficients);
    A->assemble(0.5, 0.75);
    const auto x = to_field<double>(be, host.e, random_values(std::size_t(host.e.points()), 5));
    Field<Backend, double> y(be, host.e);
    be.counts().clear();
    A->apply(x, y);
    EXPECT_EQ(be.counts().passes, 1) << format.name;
    EXPECT_EQ(be.counts().reductions, 0) << format.name;
    const double vectors = 2 * 8.0 * double(host.e.points());
    EXPECT_NEAR(be.counts().bytes, vectors + A->matrix_bytes(), 0.02 * be.counts().bytes) << format.name;
  }
}

}  // namespace
}  // namespace wavesim::test
