#pragma once
#include <string>

#include "kernels/formats/host_csr.hpp"
#include "solvers/solve_system.hpp"

namespace wavesim {

/// First row without a diagonal entry other than zero, from one; 0: every row has one.
int row_without_diagonal(const HostCsr& A);

/// What the status of a solve means for a matrix, and what to try.
std::string sentence(const SystemResult& r, const HostCsr& A, const std::string& precision);

/// Three digits; "infinite" or "not a number" for what has none.
std::string number_word(double v);

}  // namespace wavesim
