#pragma once
// A solve of a small wave system by any method, and all that is seen of it.

#include <string>
#include <vector>

#include "solvers/catalogue/make.hpp"
#include "tests/solvers/core/problems.hpp"

namespace wavesim::test {

template <class T>
struct Solved {
  Report report;
  std::vector<double> x, history;
  OperationCounts counts;
};

template <class T>
Solved<T> solve(Backend& be, const HostProblem& host, const SolverOptions& o, const std::string& format,
                const std::vector<double>& b, const std::vector<double>* guess = nullptr,
                double weight = 0.75) {
  const Problem<T> problem(be, host);
  const auto A = make_operator<Backend, T>(format, be, host.e, problem.coefficients);
  A->assemble(0.5, weight);
  const auto M = make_preconditioner<Backend, T>(o.preconditioner, be, *A);
  const auto solver = make_solver<Backend, T>(o, be, *A);
  const auto rhs = to_field<T>(be, host.e, b);
  auto x = guess ? to_field<T>(be, host.e, *guess) : Field<Backend, T>(be, host.e);
  if (M) M->prepare(*A);
  be.counts().clear();
  Solved<T> s;
  s.report = solver->solve(*A, M.get(), rhs, x, guess == nullptr);
  s.counts = be.counts();
  s.x = from_field(x);
  s.history = solver->history();
  return s;
}

}  // namespace wavesim::test
