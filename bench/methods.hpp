#pragma once
#include <string>
#include <vector>

namespace wavesim {

/// Which methods win: every method of the catalogue that fits, and cg with every preconditioner, on the
/// membrane of n x n interior points with faces a, a broadband right-hand side, to a relative residual of
/// 1e-8 (single: 1e-5).
struct MethodStudy {
  int n = 1023;
  double a = 0.5;
  bool single = false;
  std::vector<std::string> only;  // "cg", "cg+multigrid"; empty: all
};
void bench_methods_host(const MethodStudy&);
#ifdef WAVESIM_HAVE_CUDA
void bench_methods_cuda(const MethodStudy&);
#endif

}  // namespace wavesim
