// Preconditioners that go by rows: sweeps and incomplete factorisations.
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/preconditioners/isai.hpp"
#include "solvers/preconditioners/sweeps.hpp"
#include "solvers/preconditioners/triangular_factors.hpp"

namespace wavesim {

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_triangular_preconditioner(const PreconditionerOptions& o, B& be,
                                                                     const Operator<B, T>& A) {
  FactorOptions factors;
  factors.sweeps = o.choices.count(option::factor_sweeps);
  factors.fill = o.choices.number(option::fill);
  factors.rounds = o.choices.count(option::rounds);
  const auto product = [&](Factors kind) {
    return std::make_unique<TriangularFactors<B, T>>(be, A, kind, factors);
  };
  if (o.type == "ilu0") return product(Factors::ilu0);
  if (o.type == "ic0") return product(Factors::ic0);
  if (o.type == "parilut") return product(Factors::parilut);
  if (o.type == "isai") return std::make_unique<Isai<B, T>>(be, A, o);
  if (o.type == "symmetric-gauss-seidel" || o.type == "ssor") {
    // one sweep there and back over sorted rows: as factors it reads half of the matrix each way
    if (o.choices.word(option::order) == "levels" && o.choices.count(option::sweeps) == 1) {
      factors.omega = sweep_weight(o);
      return product(Factors::ssor);
    }
    return std::make_unique<SweepPreconditioner<B, T>>(be, o);
  }
  return nullptr;
}

WAVESIM_PRECONDITIONERS(make_triangular_preconditioner)

}  // namespace wavesim
