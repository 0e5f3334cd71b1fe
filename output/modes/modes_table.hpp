#pragma once
// The table of modes or eigenpairs, for people and as CSV.

#include <string>

#include "solvers/eigenpairs/eigenpairs.hpp"

namespace wavesim {

/// sqrt(lambda) / (2 pi) of each eigenvalue omega^2; not a number where that is negative.
std::vector<double> frequencies_of(const Eigenpairs& pairs);
/// "201.4 301.7": a fact of a result, which pictures of it read.
std::string frequencies_fact(const std::vector<double>& frequencies);

std::string modes_table(const Eigenpairs& pairs);
/// mode,eigenvalue,frequency,residual
std::string modes_csv(const Eigenpairs& pairs);

}  // namespace wavesim
