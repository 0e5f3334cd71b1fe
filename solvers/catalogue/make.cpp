#include "solvers/catalogue/make.hpp"

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/families.hpp"

namespace wavesim {

namespace {

void check_fit(const std::string& why) {
  if (!why.empty()) throw InputError(why);
}

}  // namespace

template <class B, class T>
std::unique_ptr<Solver<B, T>> make_solver(const SolverOptions& o, B& be, const Operator<B, T>& A) {
  check_fit(incompatibility(o, A.facts()));
  if (o.mixed) return make_composed<B, T>(o, be, A);
  for (const auto make : {make_krylov<B, T>, make_onchip<B, T>, make_stationary<B, T>, make_composed<B, T>,
                          make_automatic<B, T>})
    if (auto solver = make(o, be, A)) return solver;
  throw InputError("method '" + o.method + "' is in the catalogue, but nobody makes it");
}

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_preconditioner(const PreconditionerOptions& o, B& be,
                                                          const Operator<B, T>& A) {
  if (o.type == "none") return nullptr;
  for (const auto make : {make_simple_preconditioner<B, T>, make_triangular_preconditioner<B, T>,
                          make_block_preconditioner<B, T>, make_multigrid<B, T>,
                          make_direct_preconditioner<B, T>, make_composed_preconditioner<B, T>})
    if (auto M = make(o, be, A)) return M;
  throw InputError("preconditioner '" + o.type + "' is in the catalogue, but nobody makes it");
}

#define WAVESIM_INSTANTIATE(T)                                                             \
  template std::unique_ptr<Preconditioner<Backend, T>> make_preconditioner(                \
      const PreconditionerOptions&, Backend&, const Operator<Backend, T>&);                \
  template std::unique_ptr<Solver<Backend, T>> make_solver(const SolverOptions&, Backend&, \
                                                           const Operator<Backend, T>&);
WAVESIM_INSTANTIATE(double)
WAVESIM_INSTANTIATE(float)

}  // namespace wavesim
