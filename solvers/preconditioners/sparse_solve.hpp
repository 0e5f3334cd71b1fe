#pragma once
// z = A^-1 r by sparse factors on the host (solvers/direct/sparse_factors.hpp): vectors of a device are copied.

#include <optional>

#include "solvers/core/preconditioner.hpp"
#include "solvers/direct/sparse_factors.hpp"
#include "solvers/preconditioners/inner_product.hpp"
#include "solvers/preconditioners/rows_on_host.hpp"

namespace wavesim {

template <class B>
class SparseSolve final : public Preconditioner<B, double> {
 public:
  using Vector = Field<B, double>;
  explicit SparseSolve(B& backend) : be_(backend) {}

  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    solve(r, z, rz);
    inner_product(be_, r, z, rz, after);
  }
  void solve(const Vector& r, Vector& z, double*) const override {
    const std::size_t n = std::size_t(z.extent().count());
    r_.resize(n);
    z_.resize(n);
    be_.download(r_.data(), r.data(), n);
    factors_->solve(r_, z_);
    be_.upload(z.data(), z_.data(), n);
  }
  bool synchronises() const override { return true; }
  std::string describe() const override { return factors_ ? factors_->describe() : ""; }

 protected:
  void set_up(const Operator<B, double>& A) override {
    factors_.reset();  // before others are made
    factors_.emplace(rows_on_host(A), A.facts().symmetric);
  }

 private:
  B& be_;
  std::optional<SparseFactors> factors_;
  mutable std::vector<double> r_, z_;
};

}  // namespace wavesim
