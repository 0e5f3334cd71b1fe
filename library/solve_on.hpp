#pragma once
#include "kernels/backend/device.hpp"
#include "library/solve.hpp"
#include "solvers/solve_system.hpp"

namespace wavesim {

/// Whether methods for symmetric matrices may take A: matched rows are not symmetric any more.
bool solved_as_symmetric(const HostCsr& A, const SolveOptions& words);

/// Solves A x = b on the device: by one method, by `auto`'s attempts, with matched rows where the words say so. `name`
/// stands for the matrix in sentences. Throws InputError, DeviceError.
SystemResult solve_on(const DeviceFacts& device, const HostCsr& A, bool symmetric,
                      const std::vector<double>& b, const SolverOptions& options, const SolveOptions& words,
                      const std::string& name);

}  // namespace wavesim
