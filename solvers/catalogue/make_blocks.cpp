// Preconditioners of diagonal blocks.
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/preconditioners/block_jacobi.hpp"

namespace wavesim {

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_block_preconditioner(const PreconditionerOptions& o, B& be,
                                                                const Operator<B, T>& A) {
  if (o.type == "block-jacobi") return std::make_unique<BlockJacobiPreconditioner<B, T>>(be, A, o);
  return nullptr;
}

WAVESIM_PRECONDITIONERS(make_block_preconditioner)

}  // namespace wavesim
