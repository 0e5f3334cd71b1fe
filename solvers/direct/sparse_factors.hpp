#pragma once
// Factors of a sparse matrix on the host, in doubles: those of Cholesky where it is symmetric and positive definite,
// else L and U with partial pivoting. By Eigen, whose headers stay in sparse_factors.cpp.

#include <memory>
#include <string>
#include <vector>

#include "kernels/formats/host_csr.hpp"

namespace wavesim {

/// Whether this build has Eigen; without it constructors throw InputError.
bool have_sparse_factors();

/// Half of the machine's memory, in bytes.
double memory_for_factors();

class SparseFactors {
 public:
  /// Rows without entries are left out: they are padding. Throws InputError where the factors would take more than
  /// `most_bytes`, SolveError where the matrix is singular.
  SparseFactors(const HostCsr& A, bool symmetric, double most_bytes = memory_for_factors());
  SparseFactors(SparseFactors&&) noexcept;
  SparseFactors& operator=(SparseFactors&&) noexcept;
  ~SparseFactors();

  /// A x = b; x is zero in rows without entries.
  void solve(const std::vector<double>& b, std::vector<double>& x) const;
  /// "Cholesky factors with 1234 entries"
  std::string describe() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> own_;
};

/// Entries of one factor, in the order that SparseFactors would take if A were symmetric; infinite without Eigen, and where
/// they are more than `most`.
double expected_entries(const HostCsr& A, double most);

/// Entries of the Cholesky factor of a matrix with the pattern of A + A' and a whole diagonal, whose rows are
/// eliminated in the order that `order` lists; counted row by row along the elimination tree, without storing them (Liu,
/// "The role of elimination trees in sparse factorization", SIAM J. Matrix Anal. Appl. 11, 1990). Not counted beyond
/// `most`.
double entries_of_factor(const HostCsr& A, const std::vector<int>& order, double most);

}  // namespace wavesim
