#pragma once
// What zeros of a matrix say of ways to solve with it, before one is tried.

#include "kernels/formats/host_csr.hpp"
#include "solvers/core/options.hpp"

namespace wavesim {

/// Of a square matrix.
struct Zeros {
  bool line = false;      // a row or a column is zero, whatever entries it has
  bool diagonal = false;  // an element of the diagonal is zero
  bool negative = false;  // one is negative
};
Zeros zeros_of(const HostCsr& A);

/// Whether the set-up of this preconditioner cannot but fail, for the matrix as it is or matched before.
bool fails_on(const Zeros& zeros, const PreconditionerOptions& o, bool matched);

}  // namespace wavesim
