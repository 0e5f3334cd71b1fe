#pragma once
// Solves with an operator that has products and no rows, beside the same matrix as `csr`.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/make.hpp"
#include "tests/solvers/core/problems.hpp"

namespace wavesim::test {

/// Pairs of a method and a preconditioner that read no rows, on matrices of any kind or on the wave system.
inline std::vector<SolverOptions> solves_without_rows(bool symmetric, bool wave, double tolerance) {
  std::vector<SolverOptions> all;
  const MatrixFacts facts{wave ? Structure::wave_system : Structure::any, symmetric};
  for (const Method& method : solver_methods())
    for (const PreconditionerEntry& M : solver_preconditioners()) {
      SolverOptions o;
      o.method = method.name;
      o.preconditioner.type = M.name;
      // so short that a GPU goes past the end of a cycle under closed guards
      for (const Option* option : method.options)
        if (option->name == "restart") o.choices.numbers["restart"] = 5;
      if (M.of_method) o.preconditioner.choices.words["method"] = method.symmetric ? "cg" : "bicgstab";
      o.tolerance = tolerance;
      o.norm = "relative-2";
      MatrixFacts without = facts;
      without.readable = false;
      if (incompatibility(o, without).empty()) all.push_back(o);
    }
  return all;
}

/// x of a solve from zero, which has to converge.
template <class T>
std::vector<double> solution(Backend& be, const Operator<Backend, T>& A, const SolverOptions& o,
                             const Field<Backend, T>& b) {
  SCOPED_TRACE(o.method + " with " + o.preconditioner.type);
  const auto solver = make_solver<Backend, T>(o, be, A);
  const auto M = make_outer_preconditioner<Backend, T>(o, be, A);
  Field<Backend, T> x(be, A.extent());
  Report r;
  for (int turn = 0; turn < 2; ++turn) {  // a GPU takes the second as it was recorded
    x.clear();
    r = solver->solve(A, M.get(), b, x, true);
    EXPECT_EQ(r.status, Status::converged);
  }
  return from_field(x);
}

inline void expect_close(const std::vector<double>& x, const std::vector<double>& y, double relative) {
  ASSERT_EQ(x.size(), y.size());
  double largest = 0;
  for (double v : y) largest = std::max(largest, std::abs(v));
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], relative * largest) << i;
}

/// Every solve that reads no rows gives what it gives with `csr`, to the tolerance; both operators are assembled.
template <class T>
void expect_the_same_solutions(Backend& be, const Operator<Backend, T>& A, const Operator<Backend, T>& csr,
                               bool wave) {
  const double tolerance = sizeof(T) == 8 ? 1e-10 : 1e-5;
  const auto b = to_field<T>(be, A.extent(), random_values(std::size_t(A.extent().points()), 31));
  const std::vector<SolverOptions> all = solves_without_rows(csr.facts().symmetric, wave, tolerance);
  EXPECT_GE(all.size(), 6u);
  for (const SolverOptions& o : all)
    expect_close(solution<T>(be, A, o, b), solution<T>(be, csr, o, b), 100 * tolerance);
}

/// The passes that methods without rows are made of, beside those of `csr`, to rounding.
template <class T>
void expect_the_same_passes(Backend& be, const Operator<Backend, T>& A, const Operator<Backend, T>& csr) {
  const Extent e = A.extent();
  const double eps = 100 * std::numeric_limits<T>::epsilon();
  const auto values = [&](unsigned seed) {
    return to_field<T>(be, e, random_values(std::size_t(e.points()), seed));
  };
  const auto x = values(1), b = values(2), w = values(3);
  struct Results {
    std::vector<double> product, transposed, residual, p, q, moved, left, numbers;
  };
  const auto of = [&](const Operator<Backend, T>& op) {
    Results r;
    Field<Backend, T> y(be, e), p(be, e), q(be, e);
    Buffer<Backend, double> numbers(be, 6);
    Buffer<Backend, Norms> norms(be, 3);
    double* const n = numbers.data();
    numbers.upload({0, 0, 0, 0, 0.75, 0.25});
    op.apply(x, y, {w.data(), n, n + 1});
    r.product = from_field(y);
    op.apply_transposed(x, y);
    r.transposed = from_field(y);
    op.residual(b, x, &y, norms.data());
    op.residual(b, x, nullptr, norms.data() + 1);
    r.residual = from_field(y);
    op.direction(b, n + 4, x, p, q, n + 2, {});
    r.p = from_field(p);
    r.q = from_field(q);
    auto moved = values(4);
    op.update(n + 5, p, q, moved, y, norms.data() + 2, {});
    r.moved = from_field(moved);
    r.left = from_field(y);
    op.direction(b, nullptr, x, p, q, n + 3, {});
    EXPECT_EQ(from_field(p), from_field(b));
    r.numbers = numbers.download();
    for (const Norms& norm : norms.download()) {
      r.numbers.push_back(std::sqrt(norm.squares));
      r.numbers.push_back(norm.largest);
    }
    return r;
  };
  const Results ours = of(A), theirs = of(csr);
  expect_close(ours.product, theirs.product, eps);
  expect_close(ours.transposed, theirs.transposed, eps);
  expect_close(ours.residual, theirs.residual, eps);
  EXPECT_EQ(ours.p, theirs.p);
  expect_close(ours.q, theirs.q, eps);
  expect_close(ours.moved, theirs.moved, eps);
  expect_close(ours.left, theirs.left, eps);
  expect_close(ours.numbers, theirs.numbers, eps);
}

/// A closed guard keeps what a product and a residual would write, an open one does not.
template <class T>
void expect_guards_hold(Backend& be, const Operator<Backend, T>& A) {
  const Extent e = A.extent();
  const auto x = to_field<T>(be, e, random_values(std::size_t(e.points()), 1));
  const auto before = to_field<T>(be, e, random_values(std::size_t(e.points()), 2));
  Field<Backend, T> plain(be, e);
  A.apply(x, plain);
  Buffer<Backend, int> flag(be, 1);
  Buffer<Backend, Norms> norms(be, 1);
  for (const bool open : {false, true}) {
    flag.upload({open ? 7 : 8});
    auto y = to_field<T>(be, e, random_values(std::size_t(e.points()), 2)),
         r = to_field<T>(be, e, random_values(std::size_t(e.points()), 2));
    be.guard(flag.data(), 7);
    A.apply(x, y);
    A.residual(before, x, &r, norms.data());
    be.unguard();
    if (open)
      expect_close(from_field(y), from_field(plain), 100 * std::numeric_limits<T>::epsilon());
    else
      EXPECT_EQ(from_field(y), from_field(before));
    EXPECT_EQ(from_field(r) == from_field(before), !open);
  }
}

}  // namespace wavesim::test
