#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "solvers/core/iteration_state.hpp"

namespace wavesim {

/// What became of a solve.
struct Report {
  Status status = Status::running;
  int iterations = 0;
  Norm norm = Norm::relative_2;
  Norms reference, initial, recurrence, final;  // final: of the true residual b - A x
  double goal = 0;                              // in the measure of `norm`
  std::vector<double> history;    // measure of the recurrence residual after 0, 1, 2, ... iterations
  double seconds = 0, bytes = 0;  // of this solve, preconditioner set-up apart
  double setup_seconds = 0;
  int restarts = 0;                   // from the true residual, after breakdowns
  int solver = 0;                     // of a chain, the one that tried last; the first is 0
  std::vector<std::string> failures;  // how those before it ended: their statuses

  bool converged() const { return status == Status::converged; }
  /// True residual over the reference, in the 2-norm; 0 if both are zero.
  double relative_residual() const;
  /// The same of the residual that the method kept by its recurrence. How far both differ says how far the method can
  /// be trusted.
  double relative_recurrence() const;
};

/// One word, as written into results: "converged", "max-iterations", ...
std::string_view word(Status status);
/// One sentence for people: what it means and what to try. `method`: that ended so, "cg + jacobi".
std::string advice(Status status, std::string_view method);

}  // namespace wavesim
