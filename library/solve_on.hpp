#pragma once
#include "library/system_matrix.hpp"
#include "sim/run/choose_device.hpp"
#include "solvers/solve_system.hpp"

namespace wavesim {

/// Solves A x = b on the device for one b after the other, with one set-up: by one method, by `auto`'s attempts, with matched
/// rows where the words say so. Each b has as many values as A has rows, each x as many as A has columns. `name` stands for
/// the matrix in sentences. Throws InputError, DeviceError.
std::vector<SystemResult> solve_on(const DeviceFacts& device, const MatrixOfAnyShape& A,
                                   const MatrixFacts& facts,
                                   const std::vector<std::vector<double>>& right_sides,
                                   const SolverOptions& options, const SolveOptions& words,
                                   const std::string& name);

}  // namespace wavesim
