// Multigrid, as a method and as a preconditioner.
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/catalogue/option_list.hpp"
#include "solvers/krylov/steepest_descent.hpp"
#include "solvers/multigrid/multigrid.hpp"

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

/// Descent along cycles of the preconditioner of the same name.
template <class B, class T>
std::unique_ptr<Solver<B, T>> make_multigrid_solver(const SolverOptions& o, B& be, const Operator<B, T>& A) {
  return std::make_unique<SteepestDescent<B, T>>(be, A, o,
                                                 make_preconditioner<B, T>({"multigrid", {}}, be, A));
}

}  // namespace

template <class B, class T>
Methods<B, T> multigrid_methods() {
  return {
      {{.name = "multigrid",
        .text = "steepest descent along multigrid cycles; as a preconditioner of cg they are faster",
        .work = {.kept = 7.3, .moved = 11.7, .products = 3.7, .kernels = 12},
        .structure = Structure::nine_points,
        .preconditioned = false,
        .reads_rows = true,
        .best_for = "large time steps, any medium",
        .on_ranks = true,
        .even_rings = true,
        .gathers = true},
       make_multigrid_solver<B, T>},
  };
}

WAVESIM_METHODS(multigrid_methods)

template <class B, class T>
Preconditioners<B, T> multigrid_preconditioners() {
  return {
      {{.name = "multigrid",
        .text = "one V-cycle on ever coarser grids; few iterations at any size and time step",
        .work = {.kept = 4.3, .moved = 4.7, .products = 2.7, .kernels = 10},
        .options = {&option::arithmetic},
        .structure = Structure::nine_points,
        .on_ranks = true,
        .even_rings = true,
        .gathers = true},
       make_multigrid<B, T>},
  };
}

WAVESIM_PRECONDITIONERS(multigrid_preconditioners)

}  // namespace wavesim
