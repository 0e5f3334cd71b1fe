#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace wavesim {

/// Roofs, kernels and solves on n x n interior points, printed as a table.
struct SolverBench {
  int n = 1023;
  bool single = false;
  std::vector<std::string> formats{"stencil", "dia", "ellpack-r", "csr"};
  std::vector<double> faces{0.5, 50};  // a of the membrane: 1 + 4a and -a
  std::vector<std::string> parts{"kernels", "cg", "bicgstab", "cg-onchip", "varying", "peers"};

  static bool holds(const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  }
  bool wants(const std::string& part) const { return holds(parts, part); }
};
void bench_solvers_host(const SolverBench&);
#ifdef WAVESIM_HAVE_CUDA
void bench_solvers_cuda(const SolverBench&);
#endif
#ifdef WAVESIM_HAVE_CUSPARSE
/// The same product and solve by cuSPARSE and cuBLAS.
void bench_cusparse(const SolverBench&);
#endif

}  // namespace wavesim
