// Preconditioners that go by rows: sweeps and incomplete factorisations.
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/catalogue/option_list.hpp"
#include "solvers/preconditioners/isai.hpp"
#include "solvers/preconditioners/sweeps.hpp"
#include "solvers/preconditioners/triangular_factors.hpp"

namespace wavesim {

namespace {

inline FactorOptions factor_options(const PreconditionerOptions& o) {
  FactorOptions factors;
  factors.sweeps = o.choices.count(option::factor_sweeps);
  factors.fill = o.choices.number(option::fill);
  factors.shift = o.choices.number(option::shift);
  factors.rounds = o.choices.count(option::rounds);
  return factors;
}

template <class B, class T, Factors kind>
std::unique_ptr<Preconditioner<B, T>> make_factors(const PreconditionerOptions& o, B& be,
                                                   const Operator<B, T>& A) {
  return std::make_unique<TriangularFactors<B, T>>(be, A, kind, factor_options(o));
}

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_isai(const PreconditionerOptions& o, B& be,
                                                const Operator<B, T>& A) {
  return std::make_unique<Isai<B, T>>(be, A, o);
}

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_sweeps(const PreconditionerOptions& o, B& be,
                                                  const Operator<B, T>& A) {
  // one sweep there and back over sorted rows: as factors it reads half of the matrix each way
  if (o.choices.word(option::order) == "levels" && o.choices.count(option::sweeps) == 1 &&
      A.extent().whole()) {
    FactorOptions factors = factor_options(o);
    factors.omega = sweep_weight(o);
    return std::make_unique<TriangularFactors<B, T>>(be, A, Factors::ssor, factors);
  }
  return std::make_unique<SweepPreconditioner<B, T>>(be, o);
}

}  // namespace

template <class B, class T>
Preconditioners<B, T> triangular_preconditioners() {
  return {
      {{.name = "symmetric-gauss-seidel",
        .text = "sweeps forward and backward, from zero",
        .work = {.moved = 11, .products = 2, .kernels = 6},
        .options = {&option::sweeps, &option::order},
        .transpose = false,
        .reads_rows = true,
        .on_ranks = true},
       make_sweeps<B, T>},
      {{.name = "ssor",
        .text = "one weighted sweep forward and backward",
        .work = {.moved = 11, .products = 2, .kernels = 6},
        .options = {&option::relaxation, &option::order},
        .transpose = false,
        .reads_rows = true,
        .on_ranks = true},
       make_sweeps<B, T>},
      {{.name = "ic0",
        .text = "incomplete Cholesky factors on the pattern of the matrix, which is symmetric",
        .work = {.kept = 20, .moved = 8, .products = 1, .kernels = 3},
        .options = {&option::factor_sweeps, &option::shift},
        .transpose = false,
        .reads_rows = true,
        .inverts = Inverted::cholesky_factors},
       make_factors<B, T, Factors::ic0>},
      {{.name = "ilu0",
        .text = "incomplete LU factors on the pattern of the matrix",
        .work = {.kept = 20, .moved = 8, .products = 1, .kernels = 3},
        .options = {&option::factor_sweeps, &option::shift},
        .symmetric = false,
        .transpose = false,
        .reads_rows = true,
        .inverts = Inverted::lu_factors},
       make_factors<B, T, Factors::ilu0>},
      {{.name = "parilut",
        .text = "incomplete LU factors on a pattern that grows where they are large (Anzt et al. 2018)",
        .work = {.kept = 40, .moved = 8, .products = 2, .kernels = 3},
        .options = {&option::fill, &option::rounds, &option::factor_sweeps, &option::shift},
        .symmetric = false,
        .transpose = false,
        .reads_rows = true,
        .inverts = Inverted::lu_factors},
       make_factors<B, T, Factors::parilut>},
      {{.name = "parict",
        .text = "incomplete Cholesky factors on a pattern that grows where they are large, of a symmetric "
                "matrix (Anzt et al. 2019)",
        .work = {.kept = 40, .moved = 8, .products = 2, .kernels = 3},
        .options = {&option::fill, &option::rounds, &option::factor_sweeps, &option::shift},
        .transpose = false,
        .reads_rows = true,
        .inverts = Inverted::cholesky_factors},
       make_factors<B, T, Factors::parict>},
      {{.name = "isai",
        .text = "sparse approximate inverses of the factors of ic0, or of ilu0 if A is not symmetric",
        .work = {.kept = 19, .moved = 5, .products = 1.3, .kernels = 2},
        .options = {&option::power, &option::factor_sweeps},
        .transpose = false,
        .reads_rows = true},
       make_isai<B, T>},
  };
}

WAVESIM_PRECONDITIONERS(triangular_preconditioners)

}  // namespace wavesim
