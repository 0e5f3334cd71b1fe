// Multigrid.
#include "solvers/multigrid/multigrid.hpp"

#include "solvers/registry/families.hpp"

namespace wavesim {

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_multigrid(const PreconditionerOptions& o, B& be,
                                                     const Operator<B, T>& A) {
  if (o.type == "multigrid") return std::make_unique<Multigrid<B, T>>(be, A);
  return nullptr;
}

WAVESIM_PRECONDITIONERS(make_multigrid)

}  // namespace wavesim
