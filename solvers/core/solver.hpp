#pragma once
// What solves systems.

#include <span>
#include <string>
#include <vector>

#include "solvers/core/archive.hpp"
#include "solvers/core/fused_stepper.hpp"
#include "solvers/core/options.hpp"
#include "solvers/core/preconditioner.hpp"
#include "solvers/core/report.hpp"

namespace wavesim {

/// What solves systems: an iterative method (solve_loop.hpp), or one of several as they fit (automatic.hpp).
template <class B, class T>
class Solver {
 public:
  using Vector = Field<B, T>;
  virtual ~Solver() = default;

  /// Solves A x = b to the tolerance. `zero`: x holds zeros and is taken as known to do so. `reference`:
  /// norms that the tolerance is relative to, in the backend's memory; null: those of b.
  virtual Report solve(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector& b, Vector& x,
                       bool zero, const Norms* reference = nullptr) = 0;
  /// The same for several right-hand sides, from x = 0, reports with their histories: one after the other, where the method
  /// has nothing better.
  virtual std::vector<Report> solve_all(const Operator<B, T>& A, Preconditioner<B, T>* M,
                                        std::span<const Vector> b, std::span<Vector> x) {
    std::vector<Report> reports;
    for (std::size_t k = 0; k < b.size(); ++k) {
      reports.push_back(solve(A, M, b[k], x[k], true));
      reports.back().history = history();
    }
    return reports;
  }
  /// What takes steps in time as a whole; null: the method cannot.
  virtual FusedStepper<B, T>* fused() { return nullptr; }
  /// What it has learnt from solves and decides the bits of those to come. `A`: of the last step.
  virtual void archive(Archive&, const Operator<B, T>& /*A*/) {}

  /// A line on what the last set-up chose or found, the same each time; empty if there is nothing to say.
  virtual std::string describe() const { return ""; }
  /// How often the loop was recorded so far.
  virtual long recordings() const = 0;
  /// The residual history of the last solve: copied only when somebody asks.
  virtual std::vector<double> history() const = 0;
};

}  // namespace wavesim
