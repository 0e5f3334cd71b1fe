#pragma once

namespace wavesim {

/// Roofs, kernels and solves on n x n interior points, printed as a table.
void bench_solvers_host(int n, bool single);
#ifdef WAVESIM_HAVE_CUDA
void bench_solvers_cuda(int n, bool single);
#endif
#ifdef WAVESIM_HAVE_CUSPARSE
/// The same product and solve by cuSPARSE and cuBLAS.
void bench_cusparse(int n, bool single);
#endif

}  // namespace wavesim
