#pragma once
#include "library/solve.hpp"
#include "solvers/catalogue/catalogue.hpp"

namespace wavesim {

/// What the words of `wavesim solve` ask for, for a matrix of which this is known; `name` stands for it in sentences.
/// Throws InputError for what is unknown, out of range or does not fit the matrix.
SolverOptions solver_options(const SolveOptions& words, const MatrixFacts& matrix, const std::string& name);

}  // namespace wavesim
