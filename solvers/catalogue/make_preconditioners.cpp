// Preconditioners of one or a few passes.
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/preconditioners/jacobi.hpp"

namespace wavesim {

namespace {

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_jacobi_preconditioner(const PreconditionerOptions&, B& be,
                                                                 const Operator<B, T>& A) {
  return std::make_unique<JacobiPreconditioner<B, T>>(be, A);
}

}  // namespace

template <class B, class T>
Preconditioners<B, T> simple_preconditioners() {
  return {
      {{.name = "none", .text = "no preconditioner", .on_ranks = true}, nullptr},
      {{.name = "jacobi",
        .text = "diagonal scaling",
        .work = {.kept = 1, .moved = 3, .kernels = 1},
        .reads_rows = true,
        .on_ranks = true,
        .inverts = Inverted::diagonal},
       make_jacobi_preconditioner<B, T>},
  };
}

WAVESIM_PRECONDITIONERS(simple_preconditioners)

}  // namespace wavesim
