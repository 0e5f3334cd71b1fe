// Multigrid.
#include "solvers/multigrid/multigrid.hpp"

#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/catalogue/option_list.hpp"

namespace wavesim {

namespace {

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_multigrid(const PreconditionerOptions& o, B& be,
                                                     const Operator<B, T>& A) {
  if constexpr (std::is_same_v<T, double>)
    if (o.choices.word(option::arithmetic) == "single")
      return std::make_unique<Multigrid<B, T, float>>(be, A);
  return std::make_unique<Multigrid<B, T>>(be, A);
}

}  // namespace

template <class B, class T>
Preconditioners<B, T> multigrid_preconditioners() {
  return {
      {{.name = "multigrid",
        .text = "one V-cycle on ever coarser grids; few iterations at any size and time step",
        .work = {.kept = 4.3, .moved = 4.7, .products = 2.7, .kernels = 10},
        .options = {&option::arithmetic},
        .structure = Structure::five_point},
       make_multigrid<B, T>},
  };
}

WAVESIM_PRECONDITIONERS(multigrid_preconditioners)

}  // namespace wavesim
