#pragma once
// A product of a lower and an upper triangular matrix as a preconditioner, applied by two triangular solves:
// M = L U from ILU(0) or ParILUT, L L' from IC(0) or ParICT, or SSOR, whose factors are parts of A (Saad,
// Iterative Methods, 10.2, 10.3). Factorised where the matrix is.

#include <optional>

#include "solvers/core/preconditioner.hpp"
#include "solvers/factorisation/factorisation.hpp"
#include "solvers/factorisation/shifted_diagonal.hpp"
#include "solvers/preconditioners/inner_product.hpp"
#include "solvers/triangular/diagonal_check.hpp"
#include "solvers/triangular/triangular_solve.hpp"

namespace wavesim {

enum class Factors { ilu0, ic0, parilut, parict, ssor };
struct FactorOptions {
  int sweeps = 0;    // that approximate incomplete factors; 0: exact ones
  double fill = 1;   // of parilut and parict,
  int rounds = 1;    // and their rounds
  double omega = 1;  // the weight of SSOR
  double shift = 0;  // of the diagonal, before incomplete factorisations
};

template <class B, class T>
class TriangularFactors final : public Preconditioner<B, T> {
 public:
  using Vector = Field<B, T>;
  TriangularFactors(B& backend, const Operator<B, T>& A, Factors kind, FactorOptions options)
      : be_(backend), kind_(kind), o_(options) {
    const auto needs_symmetry = [&](const char* name, const char* instead) {
      if (!A.facts().symmetric)
        throw InputError(std::string("preconditioner ") + name +
                         " needs a symmetric matrix, and this one is not; use " + instead);
    };
    if (kind == Factors::ic0) needs_symmetry("ic0", "ilu0");
    if (kind == Factors::parict) needs_symmetry("parict", "parilut");
  }

  void set_up(const Operator<B, T>& A) override {
    if (kind_ == Factors::ssor) require_diagonal(be_, A, "a preconditioner of symmetric sweeps");
    std::optional<Csr<B, T>> moved;
    if (o_.shift > 0) moved.emplace(be_, with_shifted_diagonal(A.csr().download(), o_.shift));
    const Csr<B, T>& csr = moved ? *moved : A.csr();
    const int n = A.extent().count();
    Levels<B> levels;
    switch (kind_) {
      case Factors::ilu0: {
        const SparseRows<B> F =
            o_.sweeps > 0 ? ilu0_by_sweeps(be_, csr, n, o_.sweeps) : ilu0(be_, csr, n, levels);
        if (o_.sweeps > 0) levels = Levels<B>(be_, F, Triangle::lower);
        return keep(F, true, levels, F);
      }
      case Factors::ic0: {
        const SparseRows<B> L =
            o_.sweeps > 0 ? ic0_by_sweeps(be_, csr, n, o_.sweeps) : ic0(be_, csr, n, levels);
        if (o_.sweeps > 0) levels = Levels<B>(be_, L, Triangle::lower);
        return keep(L, false, levels, transposed(be_, L));
      }
      case Factors::parilut: {
        const SparseRows<B> F = parilut(be_, csr, n, o_.fill, o_.rounds, o_.sweeps, levels);
        if (o_.sweeps > 0) levels = Levels<B>(be_, F, Triangle::lower);
        return keep(F, true, levels, F);
      }
      case Factors::parict: {
        const SparseRows<B> L = parict(be_, csr, n, o_.fill, o_.rounds, o_.sweeps, levels);
        if (o_.sweeps > 0) levels = Levels<B>(be_, L, Triangle::lower);
        return keep(L, false, levels, transposed(be_, L));
      }
      case Factors::ssor: {
        const SparseRows<B> L = ssor_lower(be_, csr, n, o_.omega);
        return keep(L, false, Levels<B>(be_, L, Triangle::lower), ssor_upper(be_, csr, n, o_.omega));
      }
    }
  }

  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    lower_.solve(r.data(), z.data());
    upper_.solve(z.data(), z.data());
    inner_product(be_, r, z, rz, after);
  }
  std::string describe() const override {
    return (o_.sweeps > 0 ? "factors" + by_sweeps(o_.sweeps) + "; " : "") + std::to_string(lower_.levels()) +
           " levels of the lower factor, " + std::to_string(upper_.levels()) + " of the upper";
  }

 private:
  void keep(const SparseRows<B>& L, bool unit, const Levels<B>& levels, const SparseRows<B>& U) {
    lower_ = Triangular<B, T>(be_, L, Triangle::lower, unit, levels, schedule_limits(be_));
    upper_ = Triangular<B, T>(be_, U, Triangle::upper, false);
  }

  B& be_;
  Factors kind_;
  FactorOptions o_;
  Triangular<B, T> lower_, upper_;
};

}  // namespace wavesim
