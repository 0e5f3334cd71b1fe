#pragma once
// z = A^-1 r of a triangular matrix.

#include <string>

#include "solvers/core/preconditioner.hpp"
#include "solvers/preconditioners/inner_product.hpp"
#include "solvers/preconditioners/rows_on_host.hpp"
#include "solvers/triangular/triangular_solve.hpp"

namespace wavesim {

template <class B, class T>
class TriangularMatrix final : public Preconditioner<B, T> {
 public:
  using Vector = Field<B, T>;
  explicit TriangularMatrix(B& backend) : be_(backend) {}

  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    solve(r, z, rz);
    inner_product(be_, r, z, rz, after);
  }
  void solve(const Vector& r, Vector& z, double*) const override { triangle_.solve(r.data(), z.data()); }
  std::string describe() const override {
    return (lower_ ? "lower, " : "upper, ") + std::to_string(triangle_.levels()) + " levels";
  }

 protected:
  void set_up(const Operator<B, T>& A) override {
    lower_ = A.facts().lower;
    triangle_ = Triangular<B, T>(be_, rows_on_host(A), lower_ ? Triangle::lower : Triangle::upper, false);
  }

 private:
  B& be_;
  Triangular<B, T> triangle_;
  bool lower_ = true;
};

}  // namespace wavesim
