#pragma once
// Diagonal scaling: M = D.

#include <string>

#include "kernels/backend/errors.hpp"
#include "kernels/numbers/finite.hpp"
#include "solvers/preconditioners/diagonal.hpp"

namespace wavesim {

template <class B, class T>
class JacobiPreconditioner final : public DiagonalPreconditioner<B, T> {
 public:
  using DiagonalPreconditioner<B, T>::DiagonalPreconditioner;
  void set_up(const Operator<B, T>& A) override {
    auto& be = this->be_;
    auto& inverse = this->inverse_;
    A.inverse_diagonal(inverse);
    Buffer<B, Sum<1>> infinite(be, 1);
    be.map_sum(
        "zeros of D", inverse.extent(), infinite.data(),
        [] KERNEL(const T& d) { return Sum<1>{{is_finite(d) ? 0.0 : 1.0}}; }, NoEpilogue{}, inverse.in());
    if (const double zeros = infinite.download()[0].v[0]; zeros > 0) refuse(long(zeros));
  }

 private:
  [[noreturn]] void refuse(long zeros) const {
    const std::vector<T> all = this->inverse_.memory().download();
    std::size_t i = this->inverse_.extent().pitch;  // past the ghost row
    while (is_finite(all[i])) ++i;
    throw InputError(
        "preconditioner: jacobi divides by the diagonal, which is zero (or too small to divide by) "
        "in row " +
        std::to_string(i - this->inverse_.extent().pitch + 1) +
        (zeros > 1 ? " and " + std::to_string(zeros - 1) + " more" : "") +
        "; take another preconditioner, or order the rows so that no diagonal entry is zero");
  }
};

}  // namespace wavesim
