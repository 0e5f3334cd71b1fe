#pragma once
// The weighted Jacobi method, x <- x + omega D^-1 (b - A x) (Jost et al., section 3). One pass over memory an
// iteration.

#include "solvers/catalogue/option_list.hpp"
#include "solvers/core/solve_loop.hpp"

namespace wavesim {

template <class B, class T>
class Jacobi final : public SolveLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  Jacobi(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : SolveLoop<B, T>(backend, A.extent(), options),
        other_(backend, A.extent()),
        norms_(backend, 1),
        omega_(options.choices.number(option::relaxation)) {}

 protected:
  Vector* residual() override { return nullptr; }
  void start(const Operator<B, T>&, Preconditioner<B, T>*, Vector&) override {}

  /// Two sweeps, there and back, so that x is where the caller looks. A sweep knows the residual of what it
  /// started from: a stop in the first leaves x as it was, which met the goal; a stop in the second has
  /// improved on what met it.
  void step(const Operator<B, T>& A, Preconditioner<B, T>*, const Vector& b, Vector& x) override {
    A.relax(b, x, other_, omega_, norms_.data(), this->recorded());
    if constexpr (!B::asynchronous)
      if (this->control_.data()->status != Status::running) return;
    A.relax(b, other_, x, omega_, norms_.data(), this->recorded());
  }
  int iterations_per_step() const override { return 2; }
  int repeats_after() const override { return 1; }

 private:
  Vector other_;
  Buffer<B, Norms> norms_;
  double omega_;
};

}  // namespace wavesim
