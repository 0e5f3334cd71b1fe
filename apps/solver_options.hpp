#pragma once
#include "apps/commands.hpp"
#include "solvers/catalogue/catalogue.hpp"

namespace wavesim {

/// What the words of `wavesim solve` ask for, for a matrix that is symmetric or not. Throws InputError for
/// what is unknown, out of range or does not fit the matrix.
SolverOptions solver_options(const SolveOptions& words, bool symmetric);

}  // namespace wavesim
