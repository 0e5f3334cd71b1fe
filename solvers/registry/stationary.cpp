// Stationary methods.
#include "solvers/chebyshev.hpp"
#include "solvers/jacobi.hpp"
#include "solvers/registry/families.hpp"

namespace wavesim {

template <class B, class T>
std::unique_ptr<Solver<B, T>> make_stationary(const SolverOptions& o, B& be, const Operator<B, T>& A) {
  if (o.method == "chebyshev") return std::make_unique<Chebyshev<B, T>>(be, A, o);
  if (o.method == "jacobi") return std::make_unique<Jacobi<B, T>>(be, A, o);
  return nullptr;
}

WAVESIM_METHODS(make_stationary)

}  // namespace wavesim
