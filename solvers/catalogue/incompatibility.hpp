#pragma once
#include "solvers/catalogue/catalogue.hpp"

namespace wavesim {

/// Why a choice does not fit (catalogue.hpp), of a method that need not be in the list.
std::string incompatibility(const Method& method, const SolverOptions& options);
std::string incompatibility(const Method& method, const SolverOptions& options, const MatrixFacts& matrix);

}  // namespace wavesim
