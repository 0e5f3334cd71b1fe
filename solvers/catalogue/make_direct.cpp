// The direct solvers, and sine transforms as a preconditioner.
#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/direct/sine_transform_solver.hpp"
#include "solvers/preconditioners/sine_transform.hpp"
#include "solvers/preconditioners/sparse_solve.hpp"
#include "solvers/preconditioners/triangular_matrix.hpp"
#include "solvers/stationary/refinement.hpp"

namespace wavesim {

namespace {

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_sine_transform(const PreconditionerOptions&, B& be,
                                                          const Operator<B, T>& A) {
  return std::make_unique<SineTransform<B, T>>(be, A);
}

template <class B, class T>
std::unique_ptr<Solver<B, T>> make_sine_transform_solver(const SolverOptions& o, B& be,
                                                         const Operator<B, T>& A) {
  return std::make_unique<Direct<B, T>>(be, A, o);
}

/// Factors, and steps of iterative refinement with them.
template <class B, class T>
std::unique_ptr<Solver<B, T>> make_sparse_direct(const SolverOptions& o, B& be, const Operator<B, T>& A) {
  if constexpr (std::is_same_v<T, double>)
    return std::make_unique<Refinement<B, T>>(be, A, o, std::make_unique<SparseSolve<B>>(be));
  else
    throw InputError("method: direct is for precision: double");
}

/// The same with the matrix itself, in either precision.
template <class B, class T>
std::unique_ptr<Solver<B, T>> make_triangular(const SolverOptions& o, B& be, const Operator<B, T>& A) {
  return std::make_unique<Refinement<B, T>>(be, A, o, std::make_unique<TriangularMatrix<B, T>>(be));
}

}  // namespace

template <class B, class T>
Methods<B, T> direct_methods() {
  return {
      {{.name = "sine-transform",
        .text = "direct solve by fast Fourier transforms; a rectangle with a constant medium",
        .work = {.kept = 3, .moved = 18, .products = 1, .kernels = 16},
        .structure = Structure::rectangle,
        .preconditioned = false,
        .reads_rows = true,
        .best_for = "large time steps on a rectangle",
        .bound = IterationBound::direct,
        .fused_steps = true,
        .on_ranks = true,
        .gathers = true,
        .for_wave = {{6, CostModel::transform}}},
       make_sine_transform_solver<B, T>},
      {{.name = "direct",
        .text = "sparse factors (Cholesky, or LU with partial pivoting, by Eigen) on the host; any matrix",
        .work = {.kept = 2, .moved = 9, .products = 1, .kernels = 4},
        .preconditioned = false,
        .doubles = true,
        .reads_rows = true,
        .best_for = "hard matrices; a reference",
        .bound = IterationBound::direct},
       make_sparse_direct<B, T>},
      {{.name = "triangular",
        .text = "direct solve with a triangular matrix, by levels of its rows",
        .work = {.kept = 10, .moved = 9, .products = 2, .kernels = 4},
        .preconditioned = false,
        .triangular = true,
        .reads_rows = true,
        .best_for = "triangular matrices",
        .bound = IterationBound::direct},
       make_triangular<B, T>},
  };
}

WAVESIM_METHODS(direct_methods)

template <class B, class T>
Preconditioners<B, T> direct_preconditioners() {
  return {
      {{.name = "sine-transform",
        .text = "fast Fourier transforms that solve the system of the mean medium; exact for a constant one",
        .work = {.kept = 1.5, .moved = 15, .kernels = 14},
        .structure = Structure::nine_points,
        .on_ranks = true,
        .gathers = true},
       make_sine_transform<B, T>},
  };
}

WAVESIM_PRECONDITIONERS(direct_preconditioners)

}  // namespace wavesim
