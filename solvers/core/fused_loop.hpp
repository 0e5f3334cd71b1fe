#pragma once
// The one loop around every method that takes steps in time as a whole: passes until the residual that one
// leaves meets the goal. The host looks after each.

#include "solvers/core/fused_stepper.hpp"
#include "solvers/core/solve_loop.hpp"

namespace wavesim {

template <class B, class T>
class FusedLoop : public SolveLoop<B, T>, public FusedStepper<B, T> {
 public:
  using Vector = Field<B, T>;
  using SolveLoop<B, T>::SolveLoop;

  FusedStepper<B, T>* fused() override { return this; }

  bool takes_fused_steps(const Operator<B, T>& A, FusedForm form) override {
    this->set_up_for(A);
    return can_fuse_steps(A, form);
  }
  std::pair<Report, Vector*> fused_step(const Operator<B, T>& A, FusedStep<B, T> step,
                                        Vector& spare) override {
    Vector *const turns[2] = {step.u_to, &spare}, *latest = nullptr;
    const Report report = this->report_on([&] {
      IterationState c;
      for (int pass = 0; c.status == Status::running; ++pass) {
        step.tried = latest;
        step.u_to = latest = turns[pass % 2];
        fused_pass(A, step, pass);
        this->be_.download(&c, this->control_.data(), 1);
      }
      fused_step_ended(c);
      return c;
    });
    return {report, latest};
  }

 protected:
  /// Whether the method can with this operator, for which it is set up.
  virtual bool can_fuse_steps(const Operator<B, T>& A, FusedForm form) const = 0;
  /// Enqueues a pass; the first one begins the control block, and each concludes it.
  virtual void fused_pass(const Operator<B, T>& A, const FusedStep<B, T>& step, int pass) = 0;
  virtual void fused_step_ended(const IterationState&) {}
};

}  // namespace wavesim
