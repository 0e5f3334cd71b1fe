#pragma once
// A x = b with a matrix of the host, on the backend that the tests are compiled for.

#include "kernels/backend/backend.hpp"
#include "solvers/solve_system.hpp"

namespace wavesim::test::csr {

inline SystemResult solve(const HostCsr& A, const std::vector<double>& b, const SolverOptions& o,
                          bool single = false) {
#ifdef __CUDACC__
  return solve_system_on_cuda(A, b, o, "csr", single);
#else
  return solve_system_on_host(A, b, o, "csr", single);
#endif
}

}  // namespace wavesim::test::csr
