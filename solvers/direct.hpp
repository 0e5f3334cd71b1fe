#pragma once
// x <- x + A^-1 (b - A x) by a solver that is exact but for rounding: one step as a rule, and refinement
// where the tolerance asks for it (Wilkinson 1963).

#include "solvers/preconditioners/sine_transform.hpp"
#include "solvers/solver.hpp"

namespace wavesim {

/// The host looks after each step: a step that is not wanted would cost its Fourier transforms, which are not
/// ours and know no guard. So a residual is written only for a step that is.
template <class B, class T>
class Direct final : public SolveLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  Direct(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : SolveLoop<B, T>(backend, A.extent(), options),
        own_(backend, A),
        r_(backend, A.extent()),
        norms_(backend, 1) {}

  std::string describe() const override { return own_.describe(); }

 protected:
  void set_up(const Operator<B, T>& A) override { own_.prepare(A); }
  Vector* residual() override { return &r_; }
  void start(const Operator<B, T>&, Preconditioner<B, T>*, Vector&) override { known_ = true; }
  void step(const Operator<B, T>& A, Preconditioner<B, T>*, const Vector& b, Vector& x) override {
    if (!known_) A.residual(b, x, &r_, norms_.data());
    known_ = false;
    own_.add_solution(r_, x);
    A.residual(b, x, nullptr, norms_.data(),
               {Then::conclude, this->control_.data(), nullptr, nullptr, {}, 1});
  }
  bool looks_each_step() const override { return true; }

 private:
  SineTransform<B, T> own_;
  Vector r_;
  bool known_ = false;  // r_ is b - A x
  Buffer<B, Norms> norms_;
};

}  // namespace wavesim
