// The choice among methods.
#include "solvers/automatic/automatic.hpp"

#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"

namespace wavesim {

namespace {

template <class B, class T>
std::unique_ptr<Solver<B, T>> make_automatic(const SolverOptions& o, B& be, const Operator<B, T>&) {
  return std::make_unique<Automatic<B, T>>(be, o);
}

}  // namespace

template <class B, class T>
Methods<B, T> automatic_methods() {
  return {
      {{.name = "auto",
        .text = "the method that is foreseen and found to be the fastest; another one where it fails",
        .work = {.kept = 10, .moved = 8, .products = 2, .kernels = 4},
        .preconditioned = false,
        .reads_rows = true,
        .best_for = "not to have to choose",
        .automatic = true,
        .on_ranks = true},
       make_automatic<B, T>},
  };
}

WAVESIM_METHODS(automatic_methods)

}  // namespace wavesim
