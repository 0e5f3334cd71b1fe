#pragma once
#include "library/solve.hpp"
#include "solvers/catalogue/catalogue.hpp"

namespace wavesim {

/// What the words of `wavesim solve` ask for, for a matrix of which this is known; `name` stands for it in sentences.
/// Throws InputError for what is unknown, out of range or does not fit the matrix.
SolverOptions solver_options(const SolveOptions& words, const MatrixFacts& matrix, const std::string& name);

/// One --option name=value: `known` are the options of `what`, "method: jacobi" or the like. Throws InputError.
void choose_option(Choices& choices, const std::vector<const Option*>& known, const std::string& what,
                   const std::string& name, const std::string& value);

}  // namespace wavesim
