#pragma once
// Symmetric matrices that are not diagonally dominant, and solves of them.

#include <cstdlib>
#include <filesystem>

#include "solvers/matrices/matrix_market.hpp"
#include "solvers/solve_system.hpp"
#include "tests/solvers/core/problems.hpp"
#include "tests/solvers/core/solve_csr.hpp"

namespace wavesim::test {

/// u'''' on n points, clamped: 6, -4, 1. Positive definite, and each row has twice its diagonal beside it.
inline HostCsr beam(int n) {
  HostCsr A;
  A.rows = n;
  for (int i = 0; i < n; ++i) {
    for (int j = std::max(0, i - 2); j < std::min(n, i + 3); ++j) {
      A.column.push_back(j);
      A.value.push_back(j == i ? 6 : std::abs(j - i) == 1 ? -4 : 1);
    }
    A.start.push_back(int(A.column.size()));
  }
  return A;
}

inline SystemResult solve_system(const HostCsr& A, const SolverOptions& o, bool single = false) {
  const std::vector<double> b = multiply(A, random_values(std::size_t(A.rows), 8));
  return csr::solve(A, b, o, single);
}

/// A file of the folder that WAVESIM_MATRICES names, or of ../shared/matrices.
inline std::filesystem::path real_matrix(const char* name) {
  const char* given = std::getenv("WAVESIM_MATRICES");
  const std::filesystem::path folder = given ? given : WAVESIM_SOURCE_DIR "/../shared/matrices";
  for (const char* end : {".mtx", ".mtx.gz"})
    if (auto file = folder / (std::string(name) + end); std::filesystem::exists(file)) return file;
  return {};
}

}  // namespace wavesim::test
