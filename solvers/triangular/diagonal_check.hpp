#pragma once
// What divides by the diagonal refuses a matrix that lacks one, and says where.

#include <string>

#include "kernels/backend/errors.hpp"
#include "kernels/numbers/finite.hpp"
#include "solvers/core/operator.hpp"

namespace wavesim {

/// Throws InputError if an element of the diagonal is zero, missing or not finite. For set-ups: it reads the
/// result. `what`: who asks.
template <class B, class T>
void require_diagonal(B& be, const Operator<B, T>& A, const std::string& what) {
  Field<B, T> inverse(be, A.extent());
  A.inverse_diagonal(inverse);
  Buffer<B, Bounds> rows(be, 1);
  const T* d = inverse.data();
  be.rows_sum(
      "first row without a diagonal", A.extent(), sizeof(T), rows.data(),
      [=] KERNEL(Row r) {
        const bool good = is_finite(d[r.i]) && d[r.i] != 0;  // neither infinite nor of an infinite one
        return good ? Bounds{} : Bounds{double(r.number()), double(r.number())};
      },
      NoEpilogue{});
  Bounds bad;
  be.download(&bad, rows.data(), 1);
  if (bad.least < 1e300)
    throw InputError(what + " divides by the diagonal of the matrix, and that of row " +
                     std::to_string(long(bad.least)) +
                     " (counted from 0) is zero, missing or not finite; reorder the rows of the matrix or "
                     "choose another method");
}

}  // namespace wavesim
