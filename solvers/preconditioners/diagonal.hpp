#pragma once
// z = D^-1 r with a diagonal D.

#include "solvers/core/preconditioner.hpp"

namespace wavesim {

/// `set_up` fills inverse_.
template <class B, class T>
class DiagonalPreconditioner : public Preconditioner<B, T> {
 public:
  using Vector = Field<B, T>;
  DiagonalPreconditioner(B& backend, const Operator<B, T>& A) : be_(backend), inverse_(backend, A.extent()) {}

  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    be_.map_sum(
        "z = D^-1 r, <r, z>", z.extent(), reinterpret_cast<Sum<1>*>(rz),
        [] KERNEL(const T& d, const T& ri, T& zi) {
          zi = d * ri;
          return Sum<1>{{double(ri) * zi}};
        },
        [=] KERNEL(const Sum<1>&) { after(); }, inverse_.in(), r.in(), z.out());
  }
  void solve(const Vector& r, Vector& z, double*) const override {
    be_.map(
        "z = D^-1 r", z.extent(), [] KERNEL(const T& d, const T& ri, T& zi) { zi = d * ri; }, inverse_.in(),
        r.in(), z.out());
  }

 protected:
  B& be_;
  Vector inverse_;
};

}  // namespace wavesim
