#pragma once
// Columns scaled to length one: D is the square root of the diagonal of A' A. It asks for no diagonal of A.

#include <cmath>

#include "solvers/preconditioners/diagonal.hpp"

namespace wavesim {

template <class B, class T>
class ColumnScaling final : public DiagonalPreconditioner<B, T> {
 public:
  using DiagonalPreconditioner<B, T>::DiagonalPreconditioner;
  /// Columns of zeros stay as they are.
  void set_up(const Operator<B, T>& A) override {
    auto& inverse = this->inverse_;
    A.column_squares(inverse);
    this->be_.map(
        "1 / length of the column", inverse.extent(),
        [] KERNEL(T & d) { d = d > 0 ? T(1 / std::sqrt(double(d))) : T(1); }, inverse.inout());
  }
};

}  // namespace wavesim
