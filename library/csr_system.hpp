#pragma once
#include "library/solve.hpp"
#include "solvers/matrices/any_shape.hpp"

namespace wavesim {

/// The matrix as the solvers take it: columns ascend. A square one may have rows without entries if `singular`, and is marked
/// then as one that is not (HostCsr::square). Throws InputError for what is no system: the place, what is wrong.
MatrixOfAnyShape matrix_of(const CsrSystem& system, bool singular);

}  // namespace wavesim
