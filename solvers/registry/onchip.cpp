// Methods whose vectors stay on the chip.
#include "solvers/cg_onchip.hpp"
#include "solvers/registry/families.hpp"

namespace wavesim {

template <class B, class T>
std::unique_ptr<Solver<B, T>> make_onchip(const SolverOptions& o, B& be, const Operator<B, T>& A) {
  if (o.method == "cg-onchip") return std::make_unique<CgOnChip<B, T>>(be, A, o);
  return nullptr;
}

WAVESIM_METHODS(make_onchip)

}  // namespace wavesim
