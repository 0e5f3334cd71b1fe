#include "solvers/eigenpairs/small_matrix.hpp"

#include <limits>
#include <stdexcept>

#ifdef WAVESIM_HAVE_EIGEN
#include <Eigen/Eigenvalues>
#endif

namespace wavesim {

#ifdef WAVESIM_HAVE_EIGEN

bool have_small_eigenpairs() { return true; }

SmallEigenpairs eigenpairs_of(const SmallMatrix& symmetric) {
  using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const int n = symmetric.rows;
  const Eigen::Map<const Dense> A(symmetric.values.data(), n, n);
  SmallEigenpairs pairs{std::vector<double>(std::size_t(n), std::numeric_limits<double>::quiet_NaN()),
                        SmallMatrix(n, n)};
  if (n == 0 || !A.allFinite()) return pairs;
  const Eigen::SelfAdjointEigenSolver<Dense> found(A);
  if (found.info() != Eigen::Success) return pairs;
  for (int j = 0; j < n; ++j) {
    pairs.value[std::size_t(j)] = found.eigenvalues()(j);
    for (int i = 0; i < n; ++i) pairs.vectors(i, j) = found.eigenvectors()(i, j);
  }
  return pairs;
}

#else

bool have_small_eigenpairs() { return false; }
SmallEigenpairs eigenpairs_of(const SmallMatrix&) { throw std::logic_error("eigenpairs without Eigen"); }

#endif

}  // namespace wavesim
