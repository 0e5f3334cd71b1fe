// Methods whose vectors stay on the chip.
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/krylov/cg_onchip.hpp"

namespace wavesim {

template <class B, class T>
std::unique_ptr<Solver<B, T>> make_onchip(const SolverOptions& o, B& be, const Operator<B, T>& A) {
  if (o.method == "cg-onchip") return std::make_unique<CgOnChip<B, T>>(be, A, o);
  return nullptr;
}

WAVESIM_METHODS(make_onchip)

}  // namespace wavesim
