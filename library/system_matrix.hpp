#pragma once
#include <string>

#include "library/solve.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "solvers/matrices/any_shape.hpp"

namespace wavesim {

/// Whether the words let the matrix be singular: they name a method for least squares.
bool may_be_singular(const SolveOptions& words);

/// The system's matrix: the given one, or the triangle of it that the words ask for. `name` stands for it in sentences.
/// Throws InputError.
MatrixOfAnyShape system_matrix(MatrixOfAnyShape given, const SolveOptions& words, const std::string& name);

/// What methods may know of it: matched rows are not symmetric any more.
MatrixFacts facts_of(const MatrixOfAnyShape& A, const SolveOptions& words);

}  // namespace wavesim
