#pragma once
// x <- x + A^-1 (b - A x) by a solver that is exact except for rounding: usually one step, and iterative
// refinement where the tolerance needs it (Wilkinson 1963).

#include "solvers/core/fused_loop.hpp"
#include "solvers/direct/fused_step.hpp"
#include "solvers/preconditioners/sine_transform.hpp"

namespace wavesim {

/// Ends a solve on the device.
struct EndWith {
  IterationState* control;
  Status status;
  HD void operator()() const { control->status = status; }
};

/// The host reads the status after each step: an unnecessary step would cost its Fourier transforms, which are
/// library calls without a guard. So a residual is written only for a step that follows.
template <class B, class T>
class Direct final : public FusedLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  Direct(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : FusedLoop<B, T>(backend, A.extent(), options),
        own_(backend, A),
        r_(backend, A.extent()),
        norms_(backend, 1),
        step_norms_(backend, 1) {}

  std::string describe() const override { return own_.describe(); }
  void archive(Archive& a, const Operator<B, T>& A) override {
    bool set_up = this->is_set_up_for(A);
    a.number("is set up", set_up);
    if (!set_up) return;
    if (a.loading()) this->set_up_for(A);  // a set-up allows fused steps again
    a.number("takes fused steps", fused_steps_);
  }

 protected:
  void set_up(const Operator<B, T>& A) override {
    own_.prepare(A);
    fused_steps_ = true;
  }
  Vector* residual() override { return &r_; }
  void start(const Operator<B, T>&, Preconditioner<B, T>*, Vector&) override { known_ = true; }
  void step(const Operator<B, T>& A, Preconditioner<B, T>*, const Vector& b, Vector& x) override {
    if (!known_) A.residual(b, x, &r_, norms_.data());
    known_ = false;
    own_.add_solution(r_, x, 1, x);
    A.residual(b, x, nullptr, norms_.data(),
               {Epilogue::conclude, this->control_.data(), nullptr, nullptr, {}, 1});
  }
  bool looks_each_step() const override { return true; }

  /// A fused step needs no b: with K = (A - M - a D) / w it is
  ///   d = A^-1 (M p - delta K u) = A^-1 (M p + delta / w (M + a D) u) - delta / w u,
  /// so that the transforms begin with a sum of two fields and end with u + d. After one refinement the rest of
  /// the residual is rounding of u + d.
  bool can_fuse_steps(const Operator<B, T>& A, FusedForm form) const override {
    return fused_steps_ && form == FusedForm::first_order && A.wave_system();
  }
  void fused_pass(const Operator<B, T>& A, const FusedStep<B, T>& step, int pass,
                  IterationState* control) override {
    if (pass == 2) return this->be_.once("no further pass", EndWith{control, Status::stagnated});
    const WaveSystemFacts<T>& system = *A.wave_system();
    const FusedDirectStep<B, T> whole{this->be_, this->extent_, system.constant, system.a, system.b, step};
    if (pass == 0) {
      const double ratio = step.delta / system.b;
      this->be_.fetch_ghosts(SineTransform<B, T>::ghosts, *step.u, *step.p);
      own_.add_solution(whole.pairs(ratio), 2, *step.u, 1 - ratio, *step.u_to);
    } else {
      whole.residual(*step.tried, r_);
      own_.add_solution(r_, *step.tried, 1, *step.u_to);
    }
    whole.conclude(step_norms_.data(),
                   {pass == 0 ? Epilogue::begin_and_conclude : Epilogue::conclude, control});
  }
  /// Where d is small, u + d rounds digits of d away; a solve for d keeps them.
  void fused_step_ended(const IterationState& c) override { fused_steps_ = c.status == Status::converged; }

 private:
  SineTransform<B, T> own_;
  Vector r_;
  bool known_ = false;  // r_ is b - A x
  bool fused_steps_ = true;
  Buffer<B, Norms> norms_;
  Buffer<B, StepNorms> step_norms_;
};

}  // namespace wavesim
