#pragma once
// x <- x + M^-1 (b - A x): a preconditioner as a method of its own. With a solve in single precision,
// iterative refinement (Wilkinson 1963; Higham, "Accuracy and stability of numerical algorithms", chapter
// 12).

#include <memory>

#include "solvers/core/solve_loop.hpp"

namespace wavesim {

template <class B, class T>
class Refinement final : public SolveLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  Refinement(B& backend, const Operator<B, T>& A, const SolverOptions& options,
             std::unique_ptr<Preconditioner<B, T>> own)
      : SolveLoop<B, T>(backend, A.extent(), options),
        own_(std::move(own)),
        r_(backend, A.extent()),
        z_(backend, A.extent()),
        norms_(backend, 1),
        unused_(backend, 1) {}

  std::string describe() const override { return own_->describe(); }

 protected:
  void set_up(const Operator<B, T>& A) override { own_->prepare(A); }
  Vector* residual() override { return &r_; }
  void start(const Operator<B, T>&, Preconditioner<B, T>*, Vector&) override {}
  void step(const Operator<B, T>& A, Preconditioner<B, T>*, const Vector& b, Vector& x) override {
    own_->solve(r_, z_, unused_.data());
    add(x);
    // the residual is the true one: a claim needs no second look
    A.residual(b, x, &r_, norms_.data(),
               {Epilogue::conclude, this->control_.data(), nullptr, nullptr, {}, 1});
    if (own_->synchronises()) stop_without_progress();
  }
  int repeats_after() const override { return 1; }
  bool looks_each_step() const override { return own_->synchronises(); }

 public:
  void add(Vector& x) {
    this->be_.map(
        "x += z", this->extent_, [] KERNEL(const T& z, T& xi) { xi += z; }, z_.in(), x.inout());
  }

  /// Refinement gains digits with each solve within, or the matrix is too near a singular one for them.
  void stop_without_progress() {
    IterationState* c = this->control_.data();
    this->be_.once("progress", [c] KERNEL() {
      const int k = c->iteration;
      if (c->status == Status::running && k >= 3 && !(c->history[k] <= 0.9 * c->history[k - 3])) {
        c->true_residual = c->residual;
        c->status = Status::stagnated;
      }
    });
  }

 private:
  std::unique_ptr<Preconditioner<B, T>> own_;
  Vector r_, z_;
  Buffer<B, Norms> norms_;
  Buffer<B, double> unused_;
};

}  // namespace wavesim
