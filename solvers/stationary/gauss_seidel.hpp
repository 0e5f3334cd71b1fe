#pragma once
// Gauss-Seidel and successive over-relaxation: an iteration is a sweep over the rows (sweep.hpp), or one
// there and one back if symmetric (Saad, Iterative Methods, 4.1). A sweep leaves every row's residual changed
// by the rows after it, so that its norm takes a pass of its own.

#include "solvers/catalogue/option_list.hpp"
#include "solvers/core/solve_loop.hpp"
#include "solvers/stationary/sweep.hpp"

namespace wavesim {

template <class B, class T>
class GaussSeidel final : public SolveLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  GaussSeidel(B& backend, const Operator<B, T>& A, const SolverOptions& options, bool symmetric)
      : SolveLoop<B, T>(backend, A.extent(), options),
        name_(options.method),
        sweep_(backend, options.choices.word(option::order)),
        norms_(backend, 1),
        omega_(checked_weight(options.choices.number(option::relaxation), options.method)),
        symmetric_(symmetric) {}

 protected:
  void set_up(const Operator<B, T>& A) override { sweep_.set_up(A, name_); }
  Vector* residual() override { return nullptr; }
  void start(const Operator<B, T>&, Preconditioner<B, T>*, Vector&) override {}

  void step(const Operator<B, T>& A, Preconditioner<B, T>*, const Vector& b, Vector& x) override {
    sweep_.run(A, b, x, omega_, true);
    if (symmetric_) sweep_.run(A, b, x, omega_, false);
    A.residual(b, x, nullptr, norms_.data(), this->recorded());
  }

 private:
  std::string name_;
  Sweep<B, T> sweep_;
  Buffer<B, Norms> norms_;
  double omega_;
  bool symmetric_;
};

}  // namespace wavesim
