// Stationary methods.
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/stationary/async_jacobi.hpp"
#include "solvers/stationary/chebyshev.hpp"
#include "solvers/stationary/gauss_seidel.hpp"
#include "solvers/stationary/jacobi.hpp"

namespace wavesim {

template <class B, class T>
std::unique_ptr<Solver<B, T>> make_stationary(const SolverOptions& o, B& be, const Operator<B, T>& A) {
  if (o.method == "chebyshev") return std::make_unique<Chebyshev<B, T>>(be, A, o);
  if (o.method == "jacobi") return std::make_unique<Jacobi<B, T>>(be, A, o);
  if (o.method == "async-jacobi") return std::make_unique<AsyncJacobi<B, T>>(be, A, o);
  if (o.method == "gauss-seidel" || o.method == "sor")
    return std::make_unique<GaussSeidel<B, T>>(be, A, o, false);
  if (o.method == "symmetric-gauss-seidel" || o.method == "ssor")
    return std::make_unique<GaussSeidel<B, T>>(be, A, o, true);
  return nullptr;
}

WAVESIM_METHODS(make_stationary)

}  // namespace wavesim
