#pragma once
// Steps in time that a method takes as a whole, in passes that make b and add the increment themselves.

#include <utility>
#include <vector>

#include "solvers/core/operator.hpp"
#include "solvers/core/report.hpp"

namespace wavesim {

/// Steps one after the other, of which the host learns only later how they ended: what it does around each.
template <class B, class T>
class FusedSteps {
 public:
  using Vector = Field<B, T>;
  virtual ~FusedSteps() = default;
  /// Enqueues what comes before step k, once, and tells its fields.
  virtual FusedStep<B, T> before(int k) = 0;
  /// Enqueues what follows on step k. `latest`: where its last pass has left u, u_to or spare.
  virtual void after(int k, Vector* latest) = 0;
  /// Step k has not converged after the number of passes that was foreseen, and so nothing was done that was enqueued after them.
  /// The host goes back to where it was before after(k).
  virtual void back_to(int k) = 0;
  /// The last step taken did not converge. `latest`: where its last pass has left u; null: it left none.
  virtual void failed(Vector* latest) = 0;
  /// Where every second pass leaves u; all of the fields are different.
  virtual Vector& spare() = 0;
};

/// Offered by methods that can (Solver::fused).
template <class B, class T>
class FusedStepper {
 public:
  using Vector = Field<B, T>;
  virtual ~FusedStepper() = default;

  /// Whether `take` takes a step of this form with this operator. Not after a step of this system that failed so
  /// and may be tried by `solve`.
  virtual bool takes_fused_steps(const Operator<B, T>& A, FusedForm form) = 0;
  /// How many of the next steps, `most` or fewer, may be enqueued before the host looks at one: others would be of another
  /// kind, or likely to be enqueued in vain. What steps do and report does not depend on it.
  virtual int steps_in_a_row(int most) const = 0;
  /// The next `count` steps, or fewer: a report for each that was taken. Those before the last have converged. Where the last
  /// has not, its u and p are as they were, and the caller decides.
  virtual std::vector<Report> take(const Operator<B, T>& A, FusedSteps<B, T>& steps, int count) = 0;
  /// A step alone, from u, p to u_to, p_to; what comes before it was enqueued. The last pass is in u_to or in spare: returned
  /// with the report.
  virtual std::pair<Report, Vector*> fused_step(const Operator<B, T>& A, FusedStep<B, T> step,
                                                Vector& spare) = 0;
};

}  // namespace wavesim
