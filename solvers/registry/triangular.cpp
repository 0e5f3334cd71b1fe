// Preconditioners that go by rows: sweeps and incomplete factorisations.
#include "solvers/preconditioners/incomplete.hpp"
#include "solvers/preconditioners/isai.hpp"
#include "solvers/preconditioners/sweeps.hpp"
#include "solvers/registry/families.hpp"

namespace wavesim {

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_triangular_preconditioner(const PreconditionerOptions& o, B& be,
                                                                     const Operator<B, T>& A) {
  if (o.type == "symmetric-gauss-seidel" || o.type == "ssor")
    return std::make_unique<SweepPreconditioner<B, T>>(be, o);
  if (o.type == "ilu0" || o.type == "ic0") return std::make_unique<IncompleteFactors<B, T>>(be, A, o.type);
  if (o.type == "isai") return std::make_unique<Isai<B, T>>(be, A, o);
  return nullptr;
}

WAVESIM_PRECONDITIONERS(make_triangular_preconditioner)

}  // namespace wavesim
