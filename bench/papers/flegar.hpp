#pragma once
#include <filesystem>
#include <vector>

namespace wavesim::flegar {

using Files = std::vector<std::filesystem::path>;

/// Batches of blocks of 1 to 32 rows: extracted and inverted or factorised, and applied.
void batches_host();
/// Iterations with each preconditioner on the systems of these files.
void iterations_host(const Files&);
#ifdef WAVESIM_HAVE_CUBLAS
void batches_cuda();
void iterations_cuda(const Files&);
/// The same batches by the routines of cuBLAS, on blocks that are already dense.
void batches_cublas();
#endif

}  // namespace wavesim::flegar
