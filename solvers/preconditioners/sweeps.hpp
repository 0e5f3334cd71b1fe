#pragma once
// Symmetric sweeps from zero as a preconditioner (Saad, Iterative Methods, 10.2). One of them with weight
// omega is SSOR: M = omega / (2 - omega) (D / omega + L) D^-1 (D / omega + U). It is symmetric and positive
// definite if A is, for any number of sweeps and any order of the rows. Sweeps forward only (`steps` of
// gauss-seidel, sor) are not symmetric.

#include <string>

#include "solvers/catalogue/option_list.hpp"
#include "solvers/core/preconditioner.hpp"
#include "solvers/preconditioners/inner_product.hpp"
#include "solvers/stationary/sweep.hpp"

namespace wavesim {

inline double sweep_weight(const PreconditionerOptions& o) {
  return checked_weight(o.choices.number(option::relaxation), "preconditioner " + o.type);
}

template <class B, class T>
class SweepPreconditioner final : public Preconditioner<B, T> {
 public:
  using Vector = Field<B, T>;
  SweepPreconditioner(B& backend, const PreconditionerOptions& o)
      : SweepPreconditioner(backend, o, o.choices.count(option::sweeps), true) {}
  SweepPreconditioner(B& backend, const PreconditionerOptions& o, int sweeps, bool backward)
      : be_(backend),
        name_(o.type),
        sweep_(backend, o.choices.word(option::order)),
        omega_(sweep_weight(o)),
        sweeps_(sweeps),
        backward_(backward) {}

  void set_up(const Operator<B, T>& A) override {
    sweep_.set_up(A, "preconditioner " + name_);
    A_ = &A;
  }

  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    be_.map(
        "z = 0", z.extent(), [] KERNEL(T & zi) { zi = 0; }, z.out());
    for (int k = 0; k < sweeps_; ++k) {
      sweep_.run(*A_, r, z, omega_, true);
      if (backward_) sweep_.run(*A_, r, z, omega_, false);
    }
    inner_product(be_, r, z, rz, after);
  }

 private:
  B& be_;
  std::string name_;
  mutable Sweep<B, T> sweep_;
  double omega_;
  int sweeps_;
  bool backward_;
  const Operator<B, T>* A_ = nullptr;
};

}  // namespace wavesim
