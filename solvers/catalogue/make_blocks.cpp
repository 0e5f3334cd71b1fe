// Preconditioners of diagonal blocks.
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/catalogue/option_list.hpp"
#include "solvers/preconditioners/block_jacobi.hpp"

namespace wavesim {

namespace {

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_block_jacobi(const PreconditionerOptions& o, B& be,
                                                        const Operator<B, T>& A) {
  return std::make_unique<BlockJacobiPreconditioner<B, T>>(be, A, o);
}

}  // namespace

template <class B, class T>
Preconditioners<B, T> block_preconditioners() {
  return {
      // With blocks of 32 in double: the inverses, and the matrix by rows (5 values, 6 indices) they are
      // from.
      {{.name = "block-jacobi",
        .text = "inverses of the diagonal blocks (Anzt, Flegar et al. 2017, 2019)",
        .work = {.kept = 40, .moved = 36, .kernels = 2},
        .options = {&option::block, &option::blocks, &option::block_variant, &option::block_storage},
        .reads_rows = true},
       make_block_jacobi<B, T>},
  };
}

WAVESIM_PRECONDITIONERS(block_preconditioners)

}  // namespace wavesim
