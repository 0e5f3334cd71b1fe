#pragma once
// A few steps of a method, from zero, as a preconditioner. The result of k steps of a Krylov method does not
// depend linearly on r, so only flexible methods accept it (Saad, "A flexible inner-outer preconditioned GMRES
// algorithm", 1993). Steps that are linear have preconditioners of their own: sweeps.hpp, polynomial.hpp.

#include <memory>

#include "solvers/core/preconditioner.hpp"
#include "solvers/core/solver.hpp"
#include "solvers/preconditioners/inner_product.hpp"

namespace wavesim {

template <class B, class T>
class StepsPreconditioner final : public Preconditioner<B, T> {
 public:
  using Vector = Field<B, T>;
  /// `inner`: a solve that ends after the steps that are wanted.
  StepsPreconditioner(B& backend, std::unique_ptr<Solver<B, T>> inner)
      : be_(backend), inner_(std::move(inner)) {}

  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    solve(r, z, rz);
    inner_product(be_, r, z, rz, after);
  }
  void solve(const Vector& r, Vector& z, double*) const override {
    z.clear();
    inner_->solve(*A_, nullptr, r, z, true);
  }
  bool synchronises() const override { return true; }
  std::string describe() const override { return inner_->describe(); }

 protected:
  void set_up(const Operator<B, T>& A) override { A_ = &A; }

 private:
  B& be_;
  std::unique_ptr<Solver<B, T>> inner_;
  const Operator<B, T>* A_ = nullptr;
};

}  // namespace wavesim
