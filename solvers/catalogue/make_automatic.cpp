// The choice among methods.
#include "solvers/automatic/automatic.hpp"

#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"

namespace wavesim {

template <class B, class T>
std::unique_ptr<Solver<B, T>> make_automatic(const SolverOptions& o, B& be, const Operator<B, T>&) {
  if (o.method == "auto") return std::make_unique<Automatic<B, T>>(be, o);
  return nullptr;
}

WAVESIM_METHODS(make_automatic)

}  // namespace wavesim
