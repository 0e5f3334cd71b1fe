// method: auto on systems: it meets the tolerance, says what it chose, repeats its bits, and lets another
// method take over where one fails. What it chooses: test_selector.cpp.

#include <gtest/gtest.h>

#include <functional>
#include <new>
#include <stdexcept>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/solve_system.hpp"
#include "tests/solvers/core/problems.hpp"
#include "tests/solvers/core/solve_csr.hpp"

namespace wavesim::test {
namespace {

SolverOptions automatic(double tolerance = 1e-8, int max_iterations = 1000) {
  SolverOptions o;
  o.method = "auto";
  o.tolerance = tolerance;
  o.max_iterations = max_iterations;
  return o;
}

HostCsr dense(const std::vector<std::vector<double>>& rows) {
  HostCsr A;
  A.rows = int(rows.size());
  for (const auto& row : rows) {
    for (int j = 0; j < A.rows; ++j)
      if (row[std::size_t(j)] != 0) A.column.push_back(j), A.value.push_back(row[std::size_t(j)]);
    A.start.push_back(int(A.column.size()));
  }
  return A;
}

/// A sequence of systems with one matrix, each from the solution of the last.
struct Sequence {
  std::vector<double> x;
  std::vector<int> iterations;
  std::string decisions;
  bool converged = true;
};
Sequence sequence(SolverOptions o, double weight, int solves) {
  Backend be;
  const HostProblem host(shapes().back());
  const Problem<double> problem(be, host);
  const auto A = make_operator<Backend, double>("stencil", be, host.e, problem.coefficients);
  A->assemble(0.5, weight);
  o.expected_solves = solves;
  const auto solver = make_solver<Backend, double>(o, be, *A);
  Field<Backend, double> x(be, host.e);
  Sequence s;
  for (int n = 0; n < solves; ++n) {
    const auto b = to_field<double>(be, host.e, random_values(host.e.points(), 20 + unsigned(n)));
    const Report r = solver->solve(*A, nullptr, b, x, n == 0);
    s.converged = s.converged && r.converged();
    s.iterations.push_back(r.iterations);
    EXPECT_EQ(solver->history().size(), std::size_t(r.iterations) + 1);
  }
  s.x = from_field(x);
  s.decisions = solver->describe();
  return s;
}

TEST(Automatic, GivesTheSameBitsAndDecisionsOnRepetition) {
  for (const double weight : {0.5, 50.0}) {
    const Sequence once = sequence(automatic(), weight, 40), again = sequence(automatic(), weight, 40);
    EXPECT_TRUE(once.converged);
    EXPECT_EQ(once.x, again.x);
    EXPECT_EQ(once.iterations, again.iterations);
    EXPECT_EQ(once.decisions, again.decisions);
    EXPECT_EQ(once.decisions.find("solve 1: "), 0u) << once.decisions;
    EXPECT_NE(once.decisions.find("foreseen"), std::string::npos) << once.decisions;
  }
}

TEST(Automatic, LetsAnotherMethodTakeOverWithinTheSolve) {
  const Sequence s = sequence(automatic(1e-6, 6), 500, 3);  // too few iterations for all but multigrid
  EXPECT_TRUE(s.converged) << s.decisions;
  for (const int n : s.iterations) EXPECT_LE(n, 6);
}

TEST(Automatic, SaysWhatAllOfThemEndedWith) {
  const Sequence s = sequence(automatic(1e-12, 1), 500, 2);
  EXPECT_FALSE(s.converged);
  EXPECT_NE(s.decisions.find("ended with max-iterations"), std::string::npos) << s.decisions;
}

TEST(Automatic, SolvesMatricesThatAreNotPositiveDefiniteOrHaveNoDiagonal) {
  const SystemResult indefinite =
      csr::solve(dense({{1, 2, 0}, {2, 1, 0}, {0, 0, 3}}), {1, 5, 3}, automatic());
  EXPECT_TRUE(indefinite.report.converged()) << indefinite.set_up;
  EXPECT_NEAR(indefinite.x[0], 3, 1e-6);
  EXPECT_NEAR(indefinite.x[1], -1, 1e-6);
  EXPECT_NE(indefinite.set_up.find("because cg + jacobi ended with"), std::string::npos) << indefinite.set_up;
  const SystemResult swapped = csr::solve(dense({{0, 2}, {1, 1}}), {2, 3}, automatic());
  EXPECT_TRUE(swapped.report.converged()) << swapped.set_up;
  EXPECT_NEAR(swapped.x[0], 2, 1e-6);
  EXPECT_NEAR(swapped.x[1], 1, 1e-6);
}

TEST(Automatic, GivesUpPreconditionersThatMeetAZeroPivot) {
  // regular, and both factorisations end: the second pivot is 1 - 1
  const SystemResult r = csr::solve(dense({{1, 1, 0}, {1, 1, 2}, {0, 1, 1}}), {2, 4, 2}, automatic());
  EXPECT_TRUE(r.report.converged()) << r.set_up;
  for (const double x : r.x) EXPECT_NEAR(x, 1, 1e-6);
  EXPECT_NE(
      r.set_up.find("because bicgstab + ilu0 ended with the incomplete factorisation ILU(0) met a pivot"),
      std::string::npos)
      << r.set_up;
}

TEST(Automatic, TriesAllOfItsMethodsInTurn) {
  // free ends: singular, and the right-hand side is not in its range
  const SystemResult r =
      csr::solve(dense({{1, -1, 0}, {-1, 2, -1}, {0, -1, 1}}), {1, 2, 3}, automatic(1e-8, 50));
  EXPECT_FALSE(r.report.converged());
  std::size_t at = 0;
  for (const char* decision :
       {"solve 1: cg + jacobi\n", "solve 1: cg, because cg + jacobi ended with ",
        "solve 1: bicgstab + ilu0, because cg ended with ",
        "solve 1: gmres + ilu0, because bicgstab + ilu0 ended with ",
        "solve 1: bicgstab, because gmres + ilu0 ended with ", "solve 1: gmres, because bicgstab ended with ",
        "solve 1: minres, because gmres ended with ", "solve 1: minres ended with "}) {
    at = r.set_up.find(decision, at);
    ASSERT_NE(at, std::string::npos) << decision << " is not in, or in another order in\n" << r.set_up;
  }
}

/// Another operator that throws in chosen passes.
class Failing final : public Operator<Backend, double> {
 public:
  using Fail = std::function<void()>;
  Failing(const Operator<Backend, double>& A, Fail in_directions, Fail in_products)
      : Operator(A.extent()),
        A_(A),
        directions_(std::move(in_directions)),
        products_(std::move(in_products)) {}

  void apply(const Vector& x, Vector& y, Dots<double> dots) const override {
    products_();
    A_.apply(x, y, dots);
  }
  void residual(const Vector& b, const Vector& x, Vector* r, Norms* norms, Epilogue then) const override {
    A_.residual(b, x, r, norms, then);
  }
  void direction(const Vector& z, const double* beta, const Vector& p_before, Vector& p, Vector& q,
                 double* pq, Quotient after) const override {
    directions_();
    A_.direction(z, beta, p_before, p, q, pq, after);
  }
  void update(const double* alpha, const Vector& p, const Vector& q, Vector& x, Vector& r, Norms* norms,
              Epilogue then) const override {
    A_.update(alpha, p, q, x, r, norms, then);
  }
  void relax(const Vector& b, const Vector& x, Vector& x_after, double omega, Norms* norms,
             Epilogue then) const override {
    A_.relax(b, x, x_after, omega, norms, then);
  }
  void relax_colour(const Vector& b, Vector& x, double omega, int colour) const override {
    A_.relax_colour(b, x, omega, colour);
  }
  void apply_transposed(const Vector& x, Vector& y, Dots<double> dots) const override {
    A_.apply_transposed(x, y, dots);
  }
  void recur(const Vector& b, const Vector& x, Vector& x_before, ThreeTerm step, Norms* norms,
             Epilogue then) const override {
    A_.recur(b, x, x_before, step, norms, then);
  }
  void inverse_diagonal(Vector& d) const override { A_.inverse_diagonal(d); }
  void column_squares(Vector& squares) const override { A_.column_squares(squares); }
  void gershgorin(Bounds* bounds) const override { A_.gershgorin(bounds); }
  const Csr<Backend, double>& csr() const override { return A_.csr(); }
  MatrixFacts facts() const override { return A_.facts(); }
  bool stores_product() const override { return A_.stores_product(); }

 private:
  const Operator<Backend, double>& A_;
  Fail directions_, products_;
};

void nothing() {}
template <class Error>
void fail() {
  throw Error("it broke");
}
template <>
void fail<std::bad_alloc>() {
  throw std::bad_alloc();
}

struct Outcome {
  Report report;
  std::vector<double> x;
  std::string decisions;
};
Outcome with_failures(Failing::Fail in_directions, Failing::Fail in_products) {
  Backend be;
  const auto sound = make_operator<Backend, double>("csr", be, dense({{4, 1, 0}, {1, 4, 1}, {0, 1, 4}}));
  const Failing A(*sound, std::move(in_directions), std::move(in_products));
  const auto solver = make_solver<Backend, double>(automatic(), be, A);
  std::vector<double> b{5, 6, 5};
  b.resize(std::size_t(A.extent().points()), 0);
  Field<Backend, double> x(be, A.extent());
  const auto rhs = to_field<double>(be, A.extent(), b);
  const Report report = solver->solve(A, nullptr, rhs, x, true);
  return {report, from_field(x), solver->describe()};
}

TEST(Automatic, GoesOnAfterWhateverASolveThrows) {
  const auto expect_bicgstab = [](Failing::Fail directions, const std::string& why) {
    const Outcome o = with_failures(std::move(directions), nothing);
    EXPECT_TRUE(o.report.converged()) << o.decisions;
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(o.x[std::size_t(i)], 1, 1e-6) << why;
    EXPECT_NE(o.decisions.find("solve 1: bicgstab + ilu0, because cg ended with " + why), std::string::npos)
        << o.decisions;
  };
  expect_bicgstab(fail<SolveError>, "it broke");
  expect_bicgstab(fail<InputError>, "it broke");
  expect_bicgstab(fail<DeviceError>, "it broke");
  expect_bicgstab(fail<std::runtime_error>, "it broke");
  expect_bicgstab(fail<std::bad_alloc>, "too little memory");
}

TEST(Automatic, ReportsTheErrorOfTheLastMethodAndMistakesOfTheProgramAtOnce) {
  EXPECT_THROW(with_failures(fail<DeviceError>, fail<SolveError>), SolveError);
  EXPECT_THROW(with_failures(fail<SolveError>, fail<std::bad_alloc>), std::bad_alloc);
  EXPECT_THROW(with_failures(fail<std::logic_error>, nothing), std::logic_error);
}

TEST(Automatic, EndsAtOnceWhereTheRightHandSideIsNoNumber) {
  Backend be;
  const HostProblem host(shapes().back());
  const Problem<double> problem(be, host);
  const auto A = make_operator<Backend, double>("stencil", be, host.e, problem.coefficients);
  A->assemble(0.5, 1);
  const auto solver = make_solver<Backend, double>(automatic(), be, *A);
  std::vector<double> values = random_values(host.e.points(), 3);
  values[5] = NAN;
  Field<Backend, double> x(be, host.e);
  EXPECT_EQ(solver->solve(*A, nullptr, to_field<double>(be, host.e, values), x, true).status,
            Status::not_finite);
  EXPECT_EQ(solver->describe().find("because"), std::string::npos) << solver->describe();
}

TEST(Automatic, BringsItsOwnPreconditioner) {
  SolverOptions o = automatic();
  o.preconditioner.type = "jacobi";
  EXPECT_EQ(incompatibility(o).find("method: auto takes no preconditioner"), 0u) << incompatibility(o);
  o.preconditioner = {};
  o.choices.numbers["restart"] = 20;
  EXPECT_EQ(incompatibility(o).find("'restart' is no option of method: auto"), 0u) << incompatibility(o);
}

}  // namespace
}  // namespace wavesim::test
