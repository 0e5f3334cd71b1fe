#pragma once
// A polynomial in A: a fixed even number of Chebyshev iterations from zero. Symmetric, for a polynomial in
// D^-1 A times D^-1 is.

#include "solvers/chebyshev.hpp"
#include "solvers/preconditioner.hpp"
#include "solvers/preconditioners/inner_product.hpp"

namespace wavesim {

template <class B, class T>
class PolynomialPreconditioner final : public Preconditioner<B, T> {
 public:
  using Vector = Field<B, T>;
  PolynomialPreconditioner(B& backend, const Operator<B, T>& A, const PreconditionerOptions& options)
      : be_(backend),
        other_(backend, A.extent()),
        bounds_(backend, 1),
        degree_(options.choices.count(option::degree)) {}

  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    solve(r, z, rz);
    inner_product(be_, r, z, rz, after);
  }
  void solve(const Vector& r, Vector& z, double*) const override {
    be_.zero(z.memory().data(), z.memory().size());
    A_->sweeps(r, z, other_, steps_, nullptr, {});
  }

 protected:
  void set_up(const Operator<B, T>& A) override {
    A_ = &A;
    ChebyshevSeries series(chebyshev_bounds(A, bounds_, "preconditioner: polynomial"));
    steps_.clear();
    for (int k = 0; k < degree_; ++k) steps_.push_back(series.next());
  }

 private:
  B& be_;
  mutable Vector other_;
  Buffer<B, Bounds> bounds_;
  int degree_;
  const Operator<B, T>* A_ = nullptr;
  std::vector<ThreeTerm> steps_;
};

}  // namespace wavesim
