// Methods made of preconditioners, and preconditioners made of methods.
#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/catalogue/option_list.hpp"
#include "solvers/preconditioners/polynomial.hpp"
#include "solvers/preconditioners/single.hpp"
#include "solvers/preconditioners/steps.hpp"
#include "solvers/preconditioners/sweeps.hpp"
#include "solvers/stationary/refinement.hpp"

namespace wavesim {

namespace {

/// With the method that was chosen, or else the first that fits the matrix.
SolverOptions inner_solve(const Choices& choices, MatrixFacts matrix) {
  matrix.single = true;
  SolverOptions inner;
  inner.method = choices.word(option::inner);
  if (!choices.words.contains(option::inner.name))
    for (const std::string_view fitting : option::inner.words) {
      inner.method = fitting;
      if (incompatibility(inner, matrix).empty()) break;
    }
  inner.tolerance = choices.number(option::inner_tolerance);
  inner.norm = "relative-2";
  inner.max_iterations = 100000;
  return inner;
}

/// Linear steps as what they are, others as a solve that ends after them.
template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_steps(const PreconditionerOptions& o, B& be,
                                                 const Operator<B, T>& A) {
  const Choices& c = o.choices;
  const std::string method = c.word(option::steps_of);
  if (const auto linear = method_on<B, T>(method).make_steps) return linear(o, be, A);
  SolverOptions inner;
  inner.method = method;
  inner.choices = c;
  for (const Option* own : {&option::steps_of, &option::steps}) {
    inner.choices.words.erase(std::string(own->name));
    inner.choices.numbers.erase(std::string(own->name));
  }
  inner.tolerance = 0;  // so that all steps are done
  inner.norm = "relative-2";
  inner.max_iterations = c.count(option::steps);
  return std::make_unique<StepsPreconditioner<B, T>>(be, make_solver<B, T>(inner, be, A));
}

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_polynomial(const PreconditionerOptions& o, B& be,
                                                      const Operator<B, T>& A) {
  return PolynomialPreconditioner<B, T>::chebyshev(
      be, A, o.choices.count(option::degree), o.choices.word(option::bounds), "preconditioner: polynomial");
}

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_single(const PreconditionerOptions& o, B& be,
                                                  const Operator<B, T>& A) {
  if constexpr (std::is_same_v<T, double>)
    return std::make_unique<SinglePreconditioner<B>>(be, A, inner_solve(o.choices, A.facts()));
  else
    throw InputError("preconditioner: single is for precision: double");
}

/// The solve that was asked for, in single precision: to fewer digits, for the refinement around it.
inline SolverOptions in_single_precision(const SolverOptions& o) {
  SolverOptions inner = o;
  inner.mixed = inner.accurate = false;
  inner.tolerance = option::inner_tolerance.usual;
  inner.norm = "relative-2";
  return inner;
}

/// A solve in single precision, iterated.
template <class B, class T>
std::unique_ptr<Solver<B, T>> make_refinement(const SolverOptions& o, B& be, const Operator<B, T>& A) {
  return std::make_unique<Refinement<B, T>>(be, A, o,
                                            make_preconditioner<B, T>({"single", o.choices}, be, A));
}

std::string who(const PreconditionerOptions& o) {
  return "preconditioner: steps of " + o.choices.word(option::steps_of);
}

}  // namespace

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> jacobi_steps(const PreconditionerOptions& o, B& be,
                                                   const Operator<B, T>& A) {
  const Choices& c = o.choices;
  return PolynomialPreconditioner<B, T>::jacobi(be, A, c.count(option::steps), c.number(option::relaxation),
                                                who(o));
}
template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> chebyshev_steps(const PreconditionerOptions& o, B& be,
                                                      const Operator<B, T>& A) {
  const Choices& c = o.choices;
  return PolynomialPreconditioner<B, T>::chebyshev(be, A, c.count(option::steps), c.word(option::bounds),
                                                   who(o));
}
template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> forward_sweeps(const PreconditionerOptions& o, B& be,
                                                     const Operator<B, T>&) {
  return std::make_unique<SweepPreconditioner<B, T>>(be, o, o.choices.count(option::steps), false);
}
template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> symmetric_sweeps(const PreconditionerOptions& o, B& be,
                                                       const Operator<B, T>&) {
  return std::make_unique<SweepPreconditioner<B, T>>(be, o, o.choices.count(option::steps), true);
}

template <class B, class T>
std::unique_ptr<Solver<B, T>> make_mixed(const SolverOptions& o, B& be, const Operator<B, T>& A) {
  if constexpr (std::is_same_v<T, double>)
    return std::make_unique<Refinement<B, T>>(
        be, A, o, std::make_unique<SinglePreconditioner<B>>(be, A, in_single_precision(o)));
  else
    throw InputError("mixed precision has its vectors in double");
}

template <class B, class T>
Methods<B, T> composed_methods() {
  return {
      {{.name = "refinement",
        .text = "solves in single precision, refined to double (mixed precision)",
        .work = {.kept = 5, .moved = 60, .products = 10, .kernels = 50},
        .options = {&option::inner, &option::inner_tolerance},
        .preconditioned = false,
        .doubles = true,
        .reads_rows = true,
        .best_for = "double at the speed of single",
        .on_ranks = true},
       make_refinement<B, T>},
  };
}

WAVESIM_METHODS(composed_methods)

template <class B, class T>
Preconditioners<B, T> composed_preconditioners() {
  return {
      {{.name = "polynomial",
        .text = "Chebyshev iterations, a fixed number of them",
        .work = {.kept = 1, .moved = 20, .products = 4, .kernels = 6},
        .options = {&option::degree, &option::bounds},
        .transpose = false,
        .reads_rows = true,
        .on_ranks = true,
        .blocked = {.varying = 3}},
       make_polynomial<B, T>},
      {{.name = "steps",
        .text = "a few steps of a method; those of Krylov methods for flexible methods only",
        .work = {.kept = 1, .moved = 14, .products = 3, .kernels = 5},
        .options = {&option::steps_of, &option::steps, &option::relaxation, &option::order, &option::local,
                    &option::bounds, &option::restart, &option::subspace, &option::directions},
        .transpose = false,
        .of_method = true,
        .on_ranks = true},
       make_steps<B, T>},
      {{.name = "single",
        .text = "a solve in single precision, for flexible methods in double",
        .work = {.kept = 4, .moved = 50, .products = 8, .kernels = 40},
        .options = {&option::inner, &option::inner_tolerance},
        .fixed = false,
        .transpose = false,
        .doubles = true,
        .reads_rows = true,
        .on_ranks = true},
       make_single<B, T>},
  };
}

WAVESIM_PRECONDITIONERS(composed_preconditioners)

#define WAVESIM_INSTANTIATE(T)                                                                              \
  template std::unique_ptr<Preconditioner<Backend, T>> jacobi_steps(const PreconditionerOptions&, Backend&, \
                                                                    const Operator<Backend, T>&);           \
  template std::unique_ptr<Preconditioner<Backend, T>> chebyshev_steps(                                     \
      const PreconditionerOptions&, Backend&, const Operator<Backend, T>&);                                 \
  template std::unique_ptr<Preconditioner<Backend, T>> forward_sweeps(                                      \
      const PreconditionerOptions&, Backend&, const Operator<Backend, T>&);                                 \
  template std::unique_ptr<Preconditioner<Backend, T>> symmetric_sweeps(                                    \
      const PreconditionerOptions&, Backend&, const Operator<Backend, T>&);                                 \
  template std::unique_ptr<Solver<Backend, T>> make_mixed(const SolverOptions&, Backend&,                   \
                                                          const Operator<Backend, T>&);
WAVESIM_INSTANTIATE(double)
WAVESIM_INSTANTIATE(float)
#undef WAVESIM_INSTANTIATE

}  // namespace wavesim
