#pragma once
#include "bench/program.hpp"

namespace wavesim::flegar {

/// Batches of blocks of so many rows each, at most 32: extracted and inverted or factorised, and applied.
void batches_host(const std::vector<int>& sizes);
/// Iterations with each preconditioner on the systems of these files.
void iterations_host(const Files&);
#ifdef WAVESIM_HAVE_CUBLAS
void batches_cuda(const std::vector<int>& sizes);
void iterations_cuda(const Files&);
/// The same batches by the routines of cuBLAS, on blocks that are already dense.
void batches_cublas(const std::vector<int>& sizes);
#endif

}  // namespace wavesim::flegar
