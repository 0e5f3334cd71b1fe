#pragma once
// <r, z> in a pass of its own, for preconditioners whose passes do not compute it.

#include "solvers/core/operator.hpp"

namespace wavesim {

/// rz <- <r, z>, then `after`
template <class B, class T>
void inner_product(B& be, const Field<B, T>& r, const Field<B, T>& z, double* rz, Quotient after) {
  be.map_sum(
      "<r, z>", z.extent(), reinterpret_cast<Sum<1>*>(rz),
      [] KERNEL(const T& ri, const T& zi) { return Sum<1>{{double(ri) * zi}}; },
      [=] KERNEL(const Sum<1>&) { after(); }, r.in(), z.in());
}

}  // namespace wavesim
