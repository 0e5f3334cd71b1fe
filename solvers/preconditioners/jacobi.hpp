#pragma once
// Diagonal scaling: M = D.

#include "solvers/preconditioner.hpp"

namespace wavesim {

template <class B, class T>
class JacobiPreconditioner final : public Preconditioner<B, T> {
 public:
  using Vector = Field<B, T>;
  JacobiPreconditioner(B& backend, const Operator<B, T>& A) : be_(backend), inverse_(backend, A.extent()) {}

  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    be_.map_sum(
        "z = D^-1 r, <r, z>", z.extent().count(), reinterpret_cast<Sum<1>*>(rz),
        [] HD(const T& d, const T& ri, T& zi) {
          zi = d * ri;
          return Sum<1>{{double(ri) * zi}};
        },
        [=] HD(const Sum<1>&) { after(); }, inverse_.in(), r.in(), z.out());
  }
  void solve(const Vector& r, Vector& z, double*) const override {
    be_.map(
        "z = D^-1 r", z.extent().count(), [] HD(const T& d, const T& ri, T& zi) { zi = d * ri; },
        inverse_.in(), r.in(), z.out());
  }
  void set_up(const Operator<B, T>& A) override { A.inverse_diagonal(inverse_); }

 private:
  B& be_;
  Vector inverse_;
};

}  // namespace wavesim
