#include <gtest/gtest.h>

#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/core/recorded_solve.hpp"
#include "tests/solvers/core/problems.hpp"

// Solves that are recorded once and enqueued again give what they give when they are not.
namespace wavesim::test {

struct Doubled {
  double* x;
  HD void operator()() const { *x *= 2; }
};

namespace {

SolverOptions options(const std::string& method, double tolerance = 1e-8) {
  SolverOptions o;
  o.method = method;
  o.norm = "relative-2";
  o.tolerance = tolerance;
  return o;
}

/// A system with its solver, and vectors to solve with.
struct Bench {
  Backend be;
  HostProblem host{{33, 21, {Side::fixed, Side::fixed, Side::free, Side::fixed}, true}};
  Problem<double> problem{be, host};
  std::unique_ptr<WaveOperator<Backend, double>> A = make_operator<Backend, double>(
      "dia", be, host.e, problem.coefficients);  // on the stencil cg is one launch
  SolverOptions o;
  std::unique_ptr<Preconditioner<Backend, double>> M;
  std::unique_ptr<Solver<Backend, double>> solver;

  explicit Bench(const SolverOptions& chosen, double weight = 0.75) : o(chosen) {
    A->assemble(0.5, weight);
    M = make_preconditioner<Backend, double>(o.preconditioner, be, *A);
    solver = make_solver<Backend, double>(o, be, *A);
  }
  Field<Backend, double> field(unsigned seed) {
    return to_field<double>(be, host.e, random_values(std::size_t(host.e.points()), seed));
  }
  Field<Backend, double> zeros() { return Field<Backend, double>(be, host.e); }
  Report solve(const Field<Backend, double>& b, Field<Backend, double>& x, bool zero = true) {
    if (zero) be.zero(x.memory().data(), x.memory().size());
    return solver->solve(*A, M.get(), b, x, zero);
  }
};

/// What a solver that never solved before gives.
std::pair<std::vector<double>, int> fresh_answer(const SolverOptions& o, unsigned seed,
                                                 double weight = 0.75) {
  Bench t(o, weight);
  const auto b = t.field(seed);
  auto x = t.zeros();
  const Report r = t.solve(b, x);
  EXPECT_TRUE(r.converged());
  return {from_field(x), r.iterations};
}

const long each = Backend::asynchronous ? 1 : 0;  // the CPU records nothing

TEST(Recorded, IsMadeOnceForTheSameVectors) {
  for (const char* method : {"cg", "bicgstab", "cgs", "tfqmr", "jacobi"})
    for (const char* preconditioner : {"none", "jacobi", "polynomial"}) {
      SolverOptions o = options(method);
      o.preconditioner.type = preconditioner;
      if (!incompatibility(o, {Structure::wave_system, true, false}).empty()) continue;
      const auto first = fresh_answer(o, 1), other = fresh_answer(o, 2);
      Bench t(o);
      auto b = t.field(1);
      auto x = t.zeros();
      for (int k = 0; k < 5; ++k) {
        const Report r = t.solve(b, x);
        EXPECT_EQ(r.iterations, first.second) << method;
        EXPECT_EQ(from_field(x), first.first) << method;
      }
      // other numbers in the same place
      b.memory().upload(t.field(2).memory().download());
      EXPECT_EQ(t.solve(b, x).iterations, other.second) << method;
      EXPECT_EQ(from_field(x), other.first) << method;
      EXPECT_EQ(t.solver->recordings(), each) << method << " " << preconditioner;
    }
}

TEST(Recorded, FollowsVectorsThatTakeTurnsAndCoefficientsThatChange) {
  for (const char* method : {"cg", "bicgstab"}) {
    const SolverOptions o = options(method);
    const auto one = fresh_answer(o, 1), two = fresh_answer(o, 2), heavier = fresh_answer(o, 1, 7);
    Bench t(o);
    const auto b1 = t.field(1), b2 = t.field(2);
    auto x1 = t.zeros(), x2 = t.zeros();
    for (int k = 0; k < 3; ++k) {
      t.solve(b1, x1);
      t.solve(b2, x2);
      EXPECT_EQ(from_field(x1), one.first);
      EXPECT_EQ(from_field(x2), two.first);
    }
    EXPECT_EQ(t.solver->recordings(), 2 * each);
    t.A->assemble(0.5, 7);
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(t.solve(b1, x1).iterations, heavier.second);
      EXPECT_EQ(from_field(x1), heavier.first);
    }
    EXPECT_EQ(t.solver->recordings(), 3 * each);
    t.A->assemble(0.5, 0.75);
    EXPECT_EQ(t.solve(b2, x1).iterations, two.second);
    EXPECT_EQ(from_field(x1), two.first);
  }
}

TEST(Recorded, IsNotMadeAgainAndAgainWhereItIsOfNoUse) {
  Bench t(options("cg"));
  const auto b = t.field(1);
  auto x = t.zeros();
  for (int k = 0; k < 20; ++k) {
    t.A->assemble(0.5, 0.75 + 0.01 * k);  // another matrix each time
    EXPECT_TRUE(t.solve(b, x).converged());
  }
  EXPECT_LE(t.solver->recordings(), 2 * each);
  for (int k = 0; k < 3; ++k) t.solve(b, x);  // and now the same
  EXPECT_LE(t.solver->recordings(), 3 * each);
}

TEST(Recorded, StopsWhereItStopsWithoutOne) {
  for (const char* method : {"cg", "bicgstab", "cg-onchip"})
    for (const int most : {1, 2, 3, 4, 5, 6, 7, 11, 12, 13}) {
      SolverOptions o = options(method, 1e-13);
      o.max_iterations = most;
      Bench t(o, 20);
      const auto b = t.field(3);
      auto x = t.zeros();
      for (int k = 0; k < 2; ++k) {
        const Report r = t.solve(b, x);
        EXPECT_EQ(r.status, Status::max_iterations) << method;
        EXPECT_EQ(r.iterations, most) << method;
        EXPECT_EQ(t.solver->history().size(), std::size_t(most) + 1);
      }
    }
}

TEST(Recorded, StartsFromAGuess) {
  for (const char* method : {"cg", "cg-onchip"}) {
    Bench t(options(method));
    const auto b = t.field(1), far = t.field(5);
    auto x = t.zeros();
    std::vector<int> iterations;
    for (int k = 0; k < 3; ++k) {
      x.memory().upload(far.memory().download());
      const Report r = t.solve(b, x, false);
      EXPECT_TRUE(r.converged());
      EXPECT_GT(r.initial.squares, r.reference.squares);  // a poor guess
      iterations.push_back(r.iterations);
    }
    EXPECT_EQ(iterations, std::vector<int>(3, iterations[0]));
    EXPECT_EQ(t.solve(b, x, false).iterations, 1);  // the answer as guess
    x.memory().upload(std::vector<double>(x.memory().size(), 0));
    const auto zero =
        to_field<double>(t.be, t.host.e, std::vector<double>(std::size_t(t.host.e.points()), 0));
    EXPECT_EQ(t.solve(zero, x).iterations, 0);
  }
}

TEST(Recorded, CountsWhatItsIterationsMove) {
  Bench t(options("cg"));
  const auto b = t.field(1);
  auto x = t.zeros();
  for (int k = 0; k < 2; ++k) {
    t.be.zero(x.memory().data(), x.memory().size());
    t.be.counts().clear();
    const Report r = t.solver->solve(*t.A, nullptr, b, x, true);
    EXPECT_EQ(t.be.counts().count("p = z + beta p"), r.iterations);
    EXPECT_EQ(t.be.counts().count("q = A p, <p, q>"), r.iterations);
    EXPECT_EQ(t.be.counts().count("x += alpha p, r -= alpha q, |r|"), r.iterations);
    EXPECT_EQ(t.be.counts().passes, 3L * r.iterations + 2);  // and the first residual, and the true one
    EXPECT_EQ(t.be.counts().reductions, 2L * r.iterations + 2);
    const double n = double(t.host.e.points()), padded = t.host.e.count();
    EXPECT_DOUBLE_EQ(r.bytes, 8 * (r.iterations * (3 * padded + 7 * n + 6 * padded) + 2 * padded + 7 * n));
  }
}

TEST(Recorded, SolvesWithinSolvesAreRecordedOnTheirOwn) {
  SolverOptions o = options("refinement", 1e-11);
  const auto first = fresh_answer(o, 1);
  Bench t(o);
  const auto b = t.field(1);
  auto x = t.zeros();
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(t.solve(b, x).iterations, first.second);
    EXPECT_EQ(from_field(x), first.first);
  }
}

TEST(Backend, RecordsWorkAndLoopsAndRefusesWhatWaits) {
  Backend be;
  Buffer<Backend, double> x(be, 1);
  Buffer<Backend, int> flag(be, 1);
  x.upload({1});
  flag.upload({0});
  const auto work = be.record([&] {
    be.once("double", Doubled{x.data()});
    be.once("double", Doubled{x.data()});
  });
  EXPECT_EQ(bool(work), Backend::asynchronous);
  EXPECT_EQ(x.download()[0], 1);  // nothing ran
  if (!work) return;
  be.enqueue(work);
  be.enqueue(work);
  EXPECT_EQ(x.download()[0], 16);
  be.guard(flag.data(), 1);
  const auto waits = be.record([&] {
    be.guard(flag.data(), 3);
    be.once("double", Doubled{x.data()});
    x.download();
  });
  EXPECT_FALSE(bool(waits));
  be.once("double", Doubled{x.data()});  // the guard is the one before
  EXPECT_EQ(x.download()[0], 16);
  be.unguard();
  be.once("double", Doubled{x.data()});  // and the stream works
  EXPECT_EQ(x.download()[0], 32);
}

}  // namespace
}  // namespace wavesim::test
