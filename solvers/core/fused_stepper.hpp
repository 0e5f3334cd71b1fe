#pragma once
// Steps in time that a method takes as a whole, in passes that make b and add the increment themselves.

#include <utility>

#include "solvers/core/operator.hpp"
#include "solvers/core/report.hpp"

namespace wavesim {

/// Offered by methods that can (Solver::fused).
template <class B, class T>
class FusedStepper {
 public:
  using Vector = Field<B, T>;
  virtual ~FusedStepper() = default;

  /// Whether `fused_step` takes a step of this form with this operator. Not after a step of this system that failed so
  /// and may be tried by `solve`.
  virtual bool takes_fused_steps(const Operator<B, T>& A, FusedForm form) = 0;
  /// The step from u, p to u_to, p_to. `spare`: where a second pass may leave u; all of the fields are
  /// different. The last pass is in u_to or in spare: returned with the report.
  virtual std::pair<Report, Vector*> fused_step(const Operator<B, T>& A, FusedStep<B, T> step,
                                                Vector& spare) = 0;
};

}  // namespace wavesim
