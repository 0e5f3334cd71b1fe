#pragma once
// `wavesim solve --method auto`: methods, preconditioners, shifts of pivots and the matching are tried on a matrix of which
// nothing is known, the cheap ones first, until one solves the system.

#include <functional>
#include <string>
#include <vector>

#include "kernels/formats/host_csr.hpp"
#include "solvers/solve_system.hpp"

namespace wavesim {

struct AttemptRules {
  bool symmetric = false;     // the matrix is
  bool single = false;        // its values are
  bool always_match = false;  // else only some attempts do
  bool direct = true;         // the direct method may be tried
  bool square = true;         // and each row has entries; else it is for methods of least squares
  bool tall = false;          // more rows than columns: as a rule one x has the least residual
};

/// Solves A x = b with the tolerance, norm and limits of `wanted` in rounds. In each round every attempt gets as many
/// iterations; it is left out of the next if it cannot take the matrix. Later rounds allow more iterations and begin with
/// the attempt that came furthest. The direct method is tried once: after the first attempt that fails where the matrix is
/// small and its factors cost less than 300 iterations, before the second round where they cost less than 1500, else after it.
/// `solve` makes one attempt. The result is that of the one that solved the system, else of
/// the one with the least residual; `attempts` lists all. What the last attempt throws goes on if none gave a result.
SystemResult solve_by_attempts(const HostCsr& A, const std::vector<double>& b, const SolverOptions& wanted,
                               const AttemptRules& rules,
                               const std::function<SystemResult(const HostCsr&, const std::vector<double>&,
                                                                const SolverOptions&)>& solve);

/// How each ended and how long it took; a line each.
std::string text(const std::vector<Attempt>& attempts);

}  // namespace wavesim
