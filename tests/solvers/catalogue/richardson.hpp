#pragma once
// Richardson's iteration, x <- x + w (b - A x): a method that the library does not have, as a program that
// builds on the library would add it.

#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/register.hpp"
#include "solvers/core/solve_loop.hpp"

namespace wavesim::test {

inline const Option richardson_weight{"richardson-weight", "of the residual", 0.16, 0.001, 1, false};

template <class B, class T>
class Richardson final : public SolveLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  Richardson(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : SolveLoop<B, T>(backend, A.extent(), options),
        r_(backend, A.extent()),
        norms_(backend, 1),
        weight_(T(options.choices.number(richardson_weight))) {}
  Vector* residual() override { return &r_; }
  void start(const Operator<B, T>&, Preconditioner<B, T>*, Vector&) override {}
  void step(const Operator<B, T>& A, Preconditioner<B, T>*, const Vector& b, Vector& x) override {
    const T w = weight_;
    this->be_.map(
        "x += w r", this->extent_, [=] KERNEL(const T& r, T& xi) { xi += w * r; }, r_.in(), x.inout());
    A.residual(b, x, &r_, norms_.data(), this->recorded());
  }
  int repeats_after() const override { return 1; }

 private:
  Vector r_;
  Buffer<B, Norms> norms_;
  T weight_;
};

/// Its row, and what makes it.
template <class B, class T>
MethodOn<B, T> richardson() {
  return {{.name = "richardson",
           .text = "Richardson's iteration; the slowest of all",
           .work = {.kept = 1, .moved = 7, .products = 1, .kernels = 2},
           .options = {&richardson_weight},
           .symmetric = true,
           .preconditioned = false,
           .best_for = "tests",
           .bound = IterationBound::jacobi,
           .steps = {.place = 100, .linear = true, .symmetric = true},
           .for_wave = {{100, CostModel::krylov}}},
          make_method<Richardson<B, T>>};
}

/// In the catalogue as long as this lives, so that other tests do not meet it.
struct WithRichardson {
  WithRichardson() { register_method(richardson<Backend, double>(), richardson<Backend, float>()); }
  ~WithRichardson() { unregister_method<Backend>("richardson"); }
  WithRichardson(const WithRichardson&) = delete;
};

}  // namespace wavesim::test
