// Krylov methods that most systems are solved by.
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/krylov/bicgstab.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/pipelined_cg.hpp"

namespace wavesim {

template <class B, class T>
Methods<B, T> krylov_methods() {
  return {
      {{.name = "cg",
        .text = "conjugate gradients; the first choice for the wave system",
        .work = {.kept = 3, .moved = 8, .products = 2, .kernels = 4},
        .symmetric = true,
        .best_for = "the wave; the first choice",
        .stored = {.kept = 1, .moved = 2, .products = -1, .kernels = 1},
        .steps = {.place = 8},
        .on_ranks = true,
        .for_wave = {{1, CostModel::krylov},
                     {3, CostModel::scaled_krylov, "jacobi"},
                     {5, CostModel::multigrid_krylov, "multigrid"}},
        .for_any_matrix = {{1, CostModel::unknown, "jacobi"}, {2}}},
       make_method<Cg<B, T>>},
      {{.name = "bicgstab",
        .text = "stabilised biconjugate gradients; any non-singular matrix",
        .work = {.kept = 6, .moved = 20, .products = 2, .kernels = 8},
        .best_for = "matrices that are not symmetric",
        .bound = IterationBound::two_products,
        .steps = {.place = 12},
        .on_ranks = true,
        .for_any_matrix = {{3, CostModel::unknown, "ilu0"}, {5}}},
       make_method<BiCgStab<B, T>>},
      {{.name = "pipelined-cg",
        .text = "conjugate gradients with one reduction an iteration; for small systems on a GPU",
        .work = {.kept = 6, .moved = 15, .products = 1, .kernels = 2},
        .symmetric = true,
        .best_for = "small systems on a GPU",
        .steps = {.place = 9},
        .on_ranks = true},
       make_method<PipelinedCg<B, T>>},
  };
}

WAVESIM_METHODS(krylov_methods)

}  // namespace wavesim
