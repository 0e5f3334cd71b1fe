#pragma once
// What zeros of a matrix say of ways to solve with it, before one is tried.

#include "kernels/formats/host_csr.hpp"
#include "solvers/core/options.hpp"

namespace wavesim {

/// Of a square matrix. Rows without entries are padding.
struct Zeros {
  bool line = false;      // the entries of a row or of a column are zero
  bool diagonal = false;  // an element of the diagonal is zero
  bool negative = false;  // one is negative
};
Zeros zeros_of(const HostCsr& A);

/// Whether the set-up of this preconditioner cannot but fail, for the matrix as it is or matched before.
bool fails_on(const Zeros& zeros, const PreconditionerOptions& o, bool matched);

}  // namespace wavesim
