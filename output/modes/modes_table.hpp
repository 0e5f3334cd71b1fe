#pragma once
// The table of modes or eigenpairs, for people and as CSV.

#include <string>
#include <vector>

#include "solvers/eigenpairs/eigenpairs.hpp"

namespace wavesim {

/// sqrt(lambda) / (2 pi) of each eigenvalue omega^2; not a number where that is negative.
std::vector<double> frequencies_of(const Eigenpairs& pairs);
/// "201.4 301.7": a fact of a result, which pictures of it read.
std::string frequencies_fact(const std::vector<double>& frequencies);

std::string modes_table(const Eigenpairs& pairs);
/// mode,eigenvalue,frequency,residual and, where there are any, a column for each receiver: readings[k] are those
/// of mode k. The eigenvalue is in 1/s^2 and the frequency in Hz where they are those of a config.
std::string modes_csv(const Eigenpairs& pairs, const std::vector<std::string>& receivers = {},
                      const std::vector<std::vector<double>>& readings = {});

}  // namespace wavesim
