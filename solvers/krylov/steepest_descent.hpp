#pragma once
// x <- x + alpha z with z = M^-1 r and alpha = <r, z> / <z, A z>: steepest descent in the metric of M (Saad,
// "Iterative methods for sparse linear systems", 5.3.1), for symmetric positive definite A and M. With a
// multigrid cycle for M it is multigrid with the step length that minimises the error in the norm of A: it
// reduces the error at least as much as the plain cycle, also where that would diverge.

#include <memory>

#include "solvers/core/solve_loop.hpp"

namespace wavesim {

struct SteepestDescentScalars {
  Norms rr;       // <r, r>
  double rz, zz;  // <r, z>, <z, A z>
  double alpha;
};

template <class B, class T>
class SteepestDescent final : public SolveLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  SteepestDescent(B& backend, const Operator<B, T>& A, const SolverOptions& options,
                  std::unique_ptr<Preconditioner<B, T>> own)
      : SolveLoop<B, T>(backend, A.extent(), options),
        own_(std::move(own)),
        r_(backend, A.extent()),
        z_(backend, A.extent()),
        p_(backend, A.extent()),
        q_(A.stores_product() ? Vector(backend, A.extent()) : Vector()),
        s_(backend, 1) {}

  std::string describe() const override { return own_->describe(); }

 protected:
  void set_up(const Operator<B, T>& A) override { own_->prepare(A); }
  Vector* residual() override { return &r_; }
  void start(const Operator<B, T>&, Preconditioner<B, T>*, Vector&) override {}
  void step(const Operator<B, T>& A, Preconditioner<B, T>*, const Vector&, Vector& x) override {
    SteepestDescentScalars* s = s_.data();
    own_->apply(r_, z_, &s->rz);
    // p = z, <z, A z>, alpha
    A.direction(z_, nullptr, p_, p_, q_, &s->zz, {&s->rz, &s->zz, &s->alpha});
    // x += alpha z, r -= alpha A z
    A.update(&s->alpha, p_, q_, x, r_, &s->rr, this->recorded(&s->zz));
  }
  int repeats_after() const override { return 1; }

 private:
  std::unique_ptr<Preconditioner<B, T>> own_;
  Vector r_, z_, p_, q_;
  Buffer<B, SteepestDescentScalars> s_;
};

}  // namespace wavesim
