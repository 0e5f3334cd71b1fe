#pragma once
// A permutation and a scaling of the rows of a matrix that put large elements on its diagonal (Duff & Koster,
// "On algorithms for permuting large entries to the diagonal of a sparse matrix", SIAM J. Matrix Anal. Appl.
// 22, 2001): methods and factorisations that divide by the diagonal then have one. On the host.

#include <functional>
#include <vector>

#include "kernels/formats/host_csr.hpp"
#include "solvers/solve_system.hpp"

namespace wavesim {

/// B = P R A S has its largest product of diagonal elements. R and S are powers of two, which change no bit:
/// the diagonal of B lies between 1/2 and 2, and no element beyond that by much.
struct Matching {
  std::vector<int> row;                      // row j of B is row row[j] of A
  std::vector<int> row_power, column_power;  // exponents: b_jk = a_ik 2^(row_power[i] + column_power[k])
  int moved = 0;                             // rows that are not where they were

  HostCsr applied(const HostCsr& A) const;
  /// P R b
  std::vector<double> right_hand_side(const std::vector<double>& b) const;
  /// S y
  std::vector<double> solution(std::vector<double> y) const;
};

/// Throws InputError if A is structurally singular: no permutation then gives a diagonal.
Matching match(const HostCsr& A);

/// A x = b by solves of the matched system with `solve`, again for the true residual of A x = b where that is
/// still above the tolerance: its norm is another one than the matched system's. It is converged where that
/// residual meets the tolerance, whatever became of the matched system. The history is that of the residuals
/// of the matched system.
SystemResult solve_matched(
    const HostCsr& A, const std::vector<double>& b, const SolverOptions& options,
    const std::function<SystemResult(const HostCsr&, const std::vector<double>&)>& solve);

}  // namespace wavesim
