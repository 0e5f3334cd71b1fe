#pragma once
// A polynomial in A: a fixed number of steps of a three-term recurrence from zero, Chebyshev's or weighted
// Jacobi's. Symmetric, for a polynomial in D^-1 A times D^-1 is.

#include "solvers/core/preconditioner.hpp"
#include "solvers/preconditioners/inner_product.hpp"
#include "solvers/stationary/chebyshev.hpp"

namespace wavesim {

template <class B, class T>
class PolynomialPreconditioner final : public Preconditioner<B, T> {
 public:
  using Vector = Field<B, T>;
  /// `degree` steps of Chebyshev's iteration, with bounds from `source`.
  static std::unique_ptr<PolynomialPreconditioner> chebyshev(B& be, const Operator<B, T>& A, int degree,
                                                             const std::string& source,
                                                             const std::string& who) {
    return std::unique_ptr<PolynomialPreconditioner>(
        new PolynomialPreconditioner(be, A, degree, source, 0, who));
  }
  /// `degree` steps of Jacobi's, with that weight.
  static std::unique_ptr<PolynomialPreconditioner> jacobi(B& be, const Operator<B, T>& A, int degree,
                                                          double weight, const std::string& who) {
    return std::unique_ptr<PolynomialPreconditioner>(
        new PolynomialPreconditioner(be, A, degree, "", weight, who));
  }

  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    solve(r, z, rz);
    inner_product(be_, r, z, rz, after);
  }
  void solve(const Vector& r, Vector& z, double*) const override {
    if (!one_pass_.empty()) return A_->blocked_sweeps(r, {}, {&z}, one_pass_, norms_.data(), {});
    z.clear();
    if (first_.empty()) return A_->sweeps(r, z, other_, pairs_, nullptr, {});
    // an odd number: the first step leaves its result in z, where the pairs begin
    other_.clear();
    A_->recur(r, other_, z, first_.front(), nullptr, {});
    if (!pairs_.empty()) A_->sweeps(r, z, other_, pairs_, nullptr, {});
  }
  std::string describe() const override { return weight_ > 0 ? "" : spectrum_.text(); }

 protected:
  void set_up(const Operator<B, T>& A) override {
    A_ = &A;
    std::vector<ThreeTerm> steps(std::size_t(degree_), ThreeTerm{0, weight_});
    if (weight_ > 0) {
      require_definite(A);
    } else {
      spectrum_ = spectrum_of(be_, A, source_, who_);
      ChebyshevSeries series(spectrum_.bounds);
      for (ThreeTerm& step : steps) step = series.next();
    }
    // one pass where the operator has blocked sweeps: steps of weight 0 fill it
    one_pass_.clear();
    if (degree_ <= A.blocked_sweep_count()) {
      one_pass_ = steps;
      one_pass_.resize(std::size_t(A.blocked_sweep_count()), ThreeTerm{0, 0});
    }
    const auto odd = std::ptrdiff_t(degree_ % 2);
    first_.assign(steps.begin(), steps.begin() + odd);
    pairs_.assign(steps.begin() + odd, steps.end());
  }

 private:
  PolynomialPreconditioner(B& backend, const Operator<B, T>& A, int degree, const std::string& source,
                           double weight, const std::string& who)
      : be_(backend),
        other_(backend, A.extent()),
        norms_(backend, 1),
        source_(source),
        who_(who),
        degree_(degree),
        weight_(weight) {}

  /// M^-1 = (1 - (1 - w D^-1 A)^k) A^-1: with an odd k it is positive definite if A is; with an even one, the
  /// eigenvalues of D^-1 A have to be less than 2 / w.
  void require_definite(const Operator<B, T>& A) {
    if (degree_ % 2 != 0 || !A.facts().symmetric) return;
    Buffer<B, Bounds> scratch(be_, 1);
    A.gershgorin(scratch.data());
    if (!(scratch.download()[0].largest * weight_ < 2))
      throw InputError(who_ +
                       ": an even number of jacobi steps may not be positive definite for this matrix, which "
                       "is not diagonally dominant; write an odd number of steps, or less relaxation");
  }

  B& be_;
  mutable Vector other_;
  Buffer<B, Norms> norms_;  // written by blocked sweeps; not used
  std::string source_, who_;
  int degree_;
  double weight_;  // of Jacobi; 0: Chebyshev
  const Operator<B, T>* A_ = nullptr;
  Spectrum spectrum_;
  std::vector<ThreeTerm> one_pass_;       // empty: taken one by one
  std::vector<ThreeTerm> first_, pairs_;  // the first step of an odd number of steps, and the rest
};

}  // namespace wavesim
