// Methods for least squares, and the preconditioner that belongs to them.
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/krylov/lsmr.hpp"
#include "solvers/krylov/lsqr.hpp"
#include "solvers/preconditioners/column_scaling.hpp"

namespace wavesim {

namespace {

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_column_scaling(const PreconditionerOptions&, B& be,
                                                          const Operator<B, T>& A) {
  return std::make_unique<ColumnScaling<B, T>>(be, A);
}

}  // namespace

template <class B, class T>
Methods<B, T> least_squares_methods() {
  return {
      {{.name = "lsqr",
        .text = "least squares, by products with A and its transpose; any matrix, also m x n and singular",
        .work = {.kept = 4, .moved = 15, .products = 2, .kernels = 6},
        .transpose = true,
        .least_squares = true,
        .reads_rows = true,
        .best_for = "m x n matrices, least residuals",
        .bound = IterationBound::jacobi,
        .on_ranks = true},
       make_method<Lsqr<B, T>>},
      {{.name = "lsmr",
        .text = "the same with A' r falling in each iteration, so that it may end sooner",
        .work = {.kept = 5, .moved = 17, .products = 2, .kernels = 6},
        .transpose = true,
        .least_squares = true,
        .reads_rows = true,
        .best_for = "m x n matrices",
        .bound = IterationBound::jacobi,
        .on_ranks = true},
       make_method<Lsmr<B, T>>},
  };
}

WAVESIM_METHODS(least_squares_methods)

template <class B, class T>
Preconditioners<B, T> least_squares_preconditioners() {
  return {
      {{.name = "column-scaling",
        .text = "columns scaled to length one: the diagonal of A' A",
        .work = {.kept = 1, .moved = 3, .kernels = 1},
        .reads_rows = true,
        .least_squares = true},
       make_column_scaling<B, T>},
  };
}

WAVESIM_PRECONDITIONERS(least_squares_preconditioners)

}  // namespace wavesim
