#pragma once
#include "bench/program.hpp"
#include "solvers/core/options.hpp"

namespace wavesim::flegar {

/// Batches of blocks of so many rows each, at most 32.
struct Batches {
  std::vector<int> sizes;
  int megabytes = 0;  // of the blocks of a batch; 0: as many blocks as the papers have, which caches hold

  int count(int n, int usual) const { return megabytes ? int(megabytes * 1000000L / (8L * n * n)) : usual; }
};

inline PreconditionerOptions block_jacobi(int block, const char* variant, const char* storage,
                                          const char* blocks) {
  PreconditionerOptions o;
  o.type = "block-jacobi";
  o.choices.numbers["block"] = block;
  o.choices.words = {{"variant", variant}, {"storage", storage}, {"blocks", blocks}};
  return o;
}

/// The blocks extracted and inverted or factorised, and applied.
void batches_host(const Batches&);
/// Iterations with each preconditioner on the systems of these files.
void iterations_host(const Files&);
#ifdef WAVESIM_HAVE_CUBLAS
void batches_cuda(const Batches&);
void iterations_cuda(const Files&);
/// The same batches by the routines of cuBLAS, on blocks that are already dense.
void batches_cublas(const Batches&);
#endif

}  // namespace wavesim::flegar
