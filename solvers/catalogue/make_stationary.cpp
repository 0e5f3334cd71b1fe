// Stationary methods.
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/catalogue/option_list.hpp"
#include "solvers/stationary/async_jacobi.hpp"
#include "solvers/stationary/chebyshev.hpp"
#include "solvers/stationary/gauss_seidel.hpp"
#include "solvers/stationary/jacobi.hpp"

namespace wavesim {

namespace {

template <class B, class T, bool symmetric>
std::unique_ptr<Solver<B, T>> make_gauss_seidel(const SolverOptions& o, B& be, const Operator<B, T>& A) {
  return std::make_unique<GaussSeidel<B, T>>(be, A, o, symmetric);
}

}  // namespace

template <class B, class T>
Methods<B, T> stationary_methods() {
  return {
      {{.name = "jacobi",
        .text = "weighted Jacobi; no inner products but for the stop test, many iterations",
        .work = {.kept = 1, .moved = 4, .products = 1, .kernels = 3},
        .options = {&option::relaxation},
        .preconditioned = false,
        .reads_rows = true,
        .best_for = "small time steps; smoothing",
        .bound = IterationBound::jacobi,
        .steps = {.place = 1, .linear = true, .symmetric = true},
        .on_ranks = true},
       make_method<Jacobi<B, T>>,
       jacobi_steps<B, T>},
      {{.name = "async-jacobi",
        .text = "block-asynchronous Jacobi for diagonally dominant matrices; other bits in each run",
        .work = {.moved = 6, .products = 2, .kernels = 2},
        .options = {&option::local},
        .preconditioned = false,
        .repeatable = false,
        .reads_rows = true,
        .best_for = "GPUs, where bits may vary",
        .steps = {.place = 2}},
       make_method<AsyncJacobi<B, T>>},
      {{.name = "gauss-seidel",
        .text = "Gauss-Seidel; half as many iterations as jacobi",
        .work = {.moved = 6, .products = 2, .kernels = 3},
        .options = {&option::order},
        .preconditioned = false,
        .reads_rows = true,
        .best_for = "small time steps; smoothing",
        .steps = {.place = 3, .linear = true},
        .on_ranks = true},
       make_gauss_seidel<B, T, false>,
       forward_sweeps<B, T>},
      {{.name = "symmetric-gauss-seidel",
        .text = "Gauss-Seidel, forward and backward",
        .work = {.moved = 10, .products = 3, .kernels = 5},
        .options = {&option::order},
        .preconditioned = false,
        .reads_rows = true,
        .best_for = "a symmetric smoother",
        .steps = {.place = 4, .linear = true, .symmetric = true},
        .on_ranks = true},
       make_gauss_seidel<B, T, true>,
       symmetric_sweeps<B, T>},
      {{.name = "sor",
        .text = "successive over-relaxation: gauss-seidel with a weight between 0 and 2",
        .work = {.moved = 6, .products = 2, .kernels = 3},
        .options = {&option::relaxation, &option::order},
        .preconditioned = false,
        .reads_rows = true,
        .best_for = "a weight known to be good",
        .steps = {.place = 5, .linear = true},
        .on_ranks = true},
       make_gauss_seidel<B, T, false>,
       forward_sweeps<B, T>},
      {{.name = "ssor",
        .text = "successive over-relaxation, forward and backward",
        .work = {.moved = 10, .products = 3, .kernels = 5},
        .options = {&option::relaxation, &option::order},
        .preconditioned = false,
        .reads_rows = true,
        .best_for = "a weighted symmetric smoother",
        .steps = {.place = 6, .linear = true, .symmetric = true},
        .on_ranks = true},
       make_gauss_seidel<B, T, true>,
       symmetric_sweeps<B, T>},
      {{.name = "chebyshev",
        .text = "Chebyshev iteration; no inner products but for the stop test, bounds from the matrix",
        .work = {.kept = 1, .moved = 4, .products = 1, .kernels = 2},
        .options = {&option::sweeps_a_pass, &option::bounds},
        .symmetric = true,
        .preconditioned = false,
        .reads_rows = true,
        .best_for = "Courant numbers of a few",
        .blocked = {.uniform = 3, .varying = 8},
        .steps = {.place = 7, .linear = true, .symmetric = true},
        .fused_steps = true,
        .on_ranks = true,
        .for_wave = {{4, CostModel::blocked_sweeps}}},
       make_method<Chebyshev<B, T>>,
       chebyshev_steps<B, T>},
  };
}

WAVESIM_METHODS(stationary_methods)

}  // namespace wavesim
