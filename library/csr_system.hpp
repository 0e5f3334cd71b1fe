#pragma once
#include "kernels/formats/host_csr.hpp"
#include "library/solve.hpp"

namespace wavesim {

/// The matrix as the solvers take it: columns ascend. Throws InputError for what is no system: the place, what is wrong.
HostCsr matrix_of(const CsrSystem& system);

}  // namespace wavesim
