// Krylov methods that keep a basis of a subspace.
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/catalogue/option_list.hpp"
#include "solvers/krylov/fgmres.hpp"
#include "solvers/krylov/gmres.hpp"
#include "solvers/krylov/idr.hpp"

namespace wavesim {

template <class B, class T>
Methods<B, T> subspace_methods() {
  return {
      {{.name = "gmres",
        .text = "restarted GMRES; any non-singular matrix, the least residual in each iteration",
        .work = {.kept = 1, .moved = 12, .products = 1, .kernels = 5},
        .options = {&option::restart},
        .growing = &option::restart,
        .each = {.kept = 1, .moved = 2.125, .kernels = 0.125},
        .best_for = "hard unsymmetric systems",
        .steps = {.place = 15},
        .on_ranks = true,
        .for_any_matrix = {{4, CostModel::unknown, "ilu0"}, {6}}},
       make_method<Gmres<B, T>>},
      {{.name = "fgmres",
        .text = "flexible GMRES; the preconditioner may change from one iteration to the next",
        .work = {.kept = 1, .moved = 12, .products = 1, .kernels = 5},
        .options = {&option::restart},
        .flexible = true,
        .growing = &option::restart,
        .each = {.kept = 2, .moved = 2.125, .kernels = 0.125},
        .best_for = "gmres with a method inside",
        .steps = {.place = 16},
        .on_ranks = true},
       make_method<Fgmres<B, T>>},
      {{.name = "idr",
        .text = "IDR(s) with biorthogonal directions; any non-singular matrix, short recurrences",
        .work = {.kept = 2, .moved = 9.6, .products = 1, .kernels = 4},
        .options = {&option::subspace},
        .growing = &option::subspace,
        .each = {.kept = 2, .moved = 2.2},
        .best_for = "unsymmetric, in little memory",
        .steps = {.place = 17},
        .on_ranks = true},
       make_method<Idr<B, T>>},
  };
}

WAVESIM_METHODS(subspace_methods)

}  // namespace wavesim
