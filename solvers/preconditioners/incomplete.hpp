#pragma once
// Incomplete factors as a preconditioner: M = L U with ILU(0), M = L L' with IC(0). Factorised on the host at
// set-up; applied by two triangular solves.

#include "solvers/incomplete.hpp"
#include "solvers/preconditioner.hpp"
#include "solvers/triangular.hpp"

namespace wavesim {

template <class B, class T>
class IncompleteFactors final : public Preconditioner<B, T> {
 public:
  using Vector = Field<B, T>;
  IncompleteFactors(B& backend, const Operator<B, T>& A, const std::string& type)
      : be_(backend), cholesky_(type == "ic0") {
    if (cholesky_ && !A.facts().symmetric)
      throw InputError("preconditioner ic0 needs a symmetric matrix, and this one is not; use ilu0");
  }

  void set_up(const Operator<B, T>& A) override {
    const HostCsr host = A.csr().download();
    const HostCsr factor = cholesky_ ? ic0(host) : ilu0(host);
    lower_ = Triangular<B, T>(be_, factor, Triangle::lower, !cholesky_);
    upper_ = Triangular<B, T>(be_, cholesky_ ? transpose(factor) : factor, Triangle::upper, false);
  }

  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    lower_.solve(r.data(), z.data());
    upper_.solve(z.data(), z.data());
    be_.map_sum(
        "<r, z>", z.extent().count(), reinterpret_cast<Sum<1>*>(rz),
        [] HD(const T& ri, const T& zi) { return Sum<1>{{double(ri) * zi}}; },
        [=] HD(const Sum<1>&) { after(); }, r.in(), z.in());
  }

 private:
  B& be_;
  bool cholesky_;
  Triangular<B, T> lower_, upper_;
};

}  // namespace wavesim
