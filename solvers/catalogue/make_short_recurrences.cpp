// More Krylov methods that keep a few vectors.
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/catalogue/option_list.hpp"
#include "solvers/krylov/bicg.hpp"
#include "solvers/krylov/cgs.hpp"
#include "solvers/krylov/fcg.hpp"
#include "solvers/krylov/minres.hpp"
#include "solvers/krylov/qmr.hpp"
#include "solvers/krylov/tfqmr.hpp"

namespace wavesim {

template <class B, class T>
Methods<B, T> short_recurrences() {
  return {
      {{.name = "fcg",
        .text = "flexible conjugate gradients; the preconditioner may change from one iteration to the next",
        .work = {.kept = 1, .moved = 11.2, .products = 1, .kernels = 5},
        .options = {&option::directions},
        .symmetric = true,
        .flexible = true,
        .growing = &option::directions,
        .each = {.kept = 2, .moved = 1},
        .best_for = "preconditioners that change",
        .steps = {.place = 10},
        .on_ranks = true},
       make_method<Fcg<B, T>>},
      {{.name = "minres",
        .text = "least residuals; any symmetric matrix, indefinite ones too",
        .work = {.kept = 6, .moved = 15, .products = 1, .kernels = 5},
        .symmetric = true,
        .indefinite = true,
        .best_for = "symmetric indefinite matrices",
        .on_ranks = true,
        .for_any_matrix = {{7}}},
       make_method<Minres<B, T>>},
      {{.name = "bicg",
        .text = "biconjugate gradients; any non-singular matrix, with products with its transpose",
        .work = {.kept = 6, .moved = 20, .products = 2, .kernels = 5},
        .transpose = true,
        .best_for = "comparison with bicgstab and cgs",
        .steps = {.place = 11},
        .on_ranks = true},
       make_method<BiCg<B, T>>},
      {{.name = "qmr",
        .text = "quasi-minimal residuals; any non-singular matrix, with products with its transpose, "
                "smoother than bicg",
        .work = {.kept = 9, .moved = 27, .products = 2, .kernels = 6},
        .transpose = true,
        .best_for = "where bicg is too rough",
        .on_ranks = true},
       make_method<Qmr<B, T>>},
      {{.name = "cgs",
        .text = "conjugate gradients squared; any non-singular matrix, fast but rough",
        .work = {.kept = 6, .moved = 21, .products = 2, .kernels = 6},
        .best_for = "easy unsymmetric systems; rough",
        .bound = IterationBound::two_products,
        .steps = {.place = 13},
        .on_ranks = true},
       make_method<Cgs<B, T>>},
      {{.name = "tfqmr",
        .text = "transpose-free quasi-minimal residuals; any non-singular matrix, smoother than cgs",
        .work = {.kept = 7, .moved = 38, .products = 2, .kernels = 6},
        .best_for = "where cgs is too rough",
        .bound = IterationBound::two_products,
        .steps = {.place = 14},
        .on_ranks = true},
       make_method<Tfqmr<B, T>>},
  };
}

WAVESIM_METHODS(short_recurrences)

}  // namespace wavesim
