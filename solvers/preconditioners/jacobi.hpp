#pragma once
// Diagonal scaling: M = D.

#include <string>

#include "kernels/backend/errors.hpp"
#include "kernels/numbers/finite.hpp"
#include "solvers/core/preconditioner.hpp"

namespace wavesim {

template <class B, class T>
class JacobiPreconditioner final : public Preconditioner<B, T> {
 public:
  using Vector = Field<B, T>;
  JacobiPreconditioner(B& backend, const Operator<B, T>& A) : be_(backend), inverse_(backend, A.extent()) {}

  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    be_.map_sum(
        "z = D^-1 r, <r, z>", z.extent().count(), reinterpret_cast<Sum<1>*>(rz),
        [] KERNEL(const T& d, const T& ri, T& zi) {
          zi = d * ri;
          return Sum<1>{{double(ri) * zi}};
        },
        [=] KERNEL(const Sum<1>&) { after(); }, inverse_.in(), r.in(), z.out());
  }
  void set_up(const Operator<B, T>& A) override {
    A.inverse_diagonal(inverse_);
    Buffer<B, Sum<1>> infinite(be_, 1);
    be_.map_sum(
        "zeros of D", inverse_.extent().count(), infinite.data(),
        [] KERNEL(const T& d) { return Sum<1>{{is_finite(d) ? 0.0 : 1.0}}; }, NoEpilogue{}, inverse_.in());
    if (const double zeros = infinite.download()[0].v[0]; zeros > 0) refuse(long(zeros));
  }
  void solve(const Vector& r, Vector& z, double*) const override {
    be_.map(
        "z = D^-1 r", z.extent().count(), [] KERNEL(const T& d, const T& ri, T& zi) { zi = d * ri; },
        inverse_.in(), r.in(), z.out());
  }

 private:
  [[noreturn]] void refuse(long zeros) const {
    const std::vector<T> all = inverse_.memory().download();
    std::size_t i = inverse_.extent().pitch;  // past the ghost row
    while (is_finite(all[i])) ++i;
    throw InputError(
        "preconditioner: jacobi divides by the diagonal, which is zero (or too small to divide by) "
        "in row " +
        std::to_string(i - inverse_.extent().pitch + 1) +
        (zeros > 1 ? " and " + std::to_string(zeros - 1) + " more" : "") +
        "; take another preconditioner, or order the rows so that no diagonal entry is zero");
  }

  B& be_;
  Vector inverse_;
};

}  // namespace wavesim
