// Preconditioners of one or a few passes.
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/preconditioners/jacobi.hpp"

namespace wavesim {

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_simple_preconditioner(const PreconditionerOptions& o, B& be,
                                                                 const Operator<B, T>& A) {
  if (o.type == "jacobi") return std::make_unique<JacobiPreconditioner<B, T>>(be, A);
  return nullptr;
}

WAVESIM_PRECONDITIONERS(make_simple_preconditioner)

}  // namespace wavesim
