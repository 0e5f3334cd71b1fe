#pragma once
// The Chebyshev iteration on D^-1 A (Golub & Varga 1961; Saad, "Iterative methods for sparse linear systems",
// algorithm 12.1), for symmetric positive definite A whose spectrum is known between two bounds. It needs no
// inner product but that of the stop test: its coefficients are known before it starts.

#include "kernels/errors.hpp"
#include "solvers/option_list.hpp"
#include "solvers/solver.hpp"

namespace wavesim {

/// The coefficients of the iterations one after the other, for eigenvalues within the bounds.
class ChebyshevSeries {
 public:
  ChebyshevSeries() = default;
  explicit ChebyshevSeries(const Bounds& b)
      : centre_((b.largest + b.least) / 2), radius_((b.largest - b.least) / 2), rho_(radius_ / centre_) {}
  void restart() { *this = ChebyshevSeries(Bounds{centre_ - radius_, centre_ + radius_}); }
  ThreeTerm next() {
    if (first_) {
      first_ = false;
      return {0, 1 / centre_};
    }
    const double rho = radius_ > 0 ? 1 / (2 * centre_ / radius_ - rho_) : 0;
    const ThreeTerm step{rho * rho_, radius_ > 0 ? 2 * rho / radius_ : 1 / centre_};
    rho_ = rho;
    return step;
  }

 private:
  double centre_ = 1, radius_ = 0, rho_ = 0;
  bool first_ = true;
};

/// The bounds of Gershgorin, which for the wave system are good ones: the row sums of A are its masses.
/// Throws InputError where they leave zero in.
template <class B, class T>
Bounds chebyshev_bounds(const Operator<B, T>& A, Buffer<B, Bounds>& scratch, const std::string& who) {
  A.gershgorin(scratch.data());
  const Bounds b = scratch.download()[0];
  if (!(b.least > 0))
    throw InputError(
        who + " needs bounds of the spectrum, and this matrix is not diagonally dominant; try method: cg");
  return b;
}

template <class B, class T>
class Chebyshev final : public Solver<B, T> {
 public:
  using Vector = Field<B, T>;
  Chebyshev(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : Solver<B, T>(backend, A.extent(), options),
        other_(backend, A.extent()),
        norms_(backend, 1),
        bounds_(backend, 1),
        sweeps_(options.choices.count(option::sweeps_a_pass)) {}

 protected:
  void set_up(const Operator<B, T>& A) override {
    series_ = ChebyshevSeries(chebyshev_bounds(A, bounds_, "method: chebyshev"));
  }
  Vector* residual() override { return nullptr; }
  void start(const Operator<B, T>&, Preconditioner<B, T>*, Vector&) override { series_.restart(); }
  /// The stop test sees the residual before the last sweep, which then improves on it.
  void step(const Operator<B, T>& A, Preconditioner<B, T>*, const Vector& b, Vector& x) override {
    std::vector<ThreeTerm> steps;
    for (int k = 0; k < sweeps_; ++k) steps.push_back(series_.next());
    A.sweeps(b, x, other_, steps, norms_.data(), this->recorded(nullptr, {}, sweeps_));
  }
  int iterations_per_step() const override { return sweeps_; }

 private:
  Vector other_;
  Buffer<B, Norms> norms_;
  Buffer<B, Bounds> bounds_;
  int sweeps_;
  ChebyshevSeries series_;
};

}  // namespace wavesim
