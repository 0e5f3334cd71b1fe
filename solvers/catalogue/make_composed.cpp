// Methods made of preconditioners, and preconditioners made of methods.
#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/direct/sine_transform_solver.hpp"
#include "solvers/krylov/steepest_descent.hpp"
#include "solvers/preconditioners/polynomial.hpp"
#include "solvers/preconditioners/single.hpp"
#include "solvers/preconditioners/steps.hpp"
#include "solvers/preconditioners/sweeps.hpp"
#include "solvers/stationary/refinement.hpp"

namespace wavesim {

namespace {

SolverOptions inner_solve(const Choices& choices) {
  SolverOptions inner;
  inner.method = choices.word(option::inner);
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
  const std::string method = c.word(option::steps_of), who = "preconditioner: steps of " + method;
  const int steps = c.count(option::steps);
  if (method == "jacobi")
    return PolynomialPreconditioner<B, T>::jacobi(be, A, steps, c.number(option::relaxation), who);
  if (method == "chebyshev")
    return PolynomialPreconditioner<B, T>::chebyshev(be, A, steps, c.word(option::bounds), who);
  const bool both_ways = method == "symmetric-gauss-seidel" || method == "ssor";
  if (both_ways || method == "gauss-seidel" || method == "sor")
    return std::make_unique<SweepPreconditioner<B, T>>(be, o, steps, both_ways);
  SolverOptions inner;
  inner.method = method;
  inner.choices = c;
  for (const Option* own : {&option::steps_of, &option::steps}) {
    inner.choices.words.erase(std::string(own->name));
    inner.choices.numbers.erase(std::string(own->name));
  }
  inner.tolerance = 0;  // so that all steps are done
  inner.norm = "relative-2";
  inner.max_iterations = steps;
  return std::make_unique<StepsPreconditioner<B, T>>(be, make_solver<B, T>(inner, be, A));
}

}  // namespace

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_composed_preconditioner(const PreconditionerOptions& o, B& be,
                                                                   const Operator<B, T>& A) {
  if (o.type == "polynomial")
    return PolynomialPreconditioner<B, T>::chebyshev(
        be, A, o.choices.count(option::degree), o.choices.word(option::bounds), "preconditioner: polynomial");
  if (o.type == "steps") return make_steps<B, T>(o, be, A);
  if (o.type == "single") {
    if constexpr (std::is_same_v<T, double>)
      return std::make_unique<SinglePreconditioner<B>>(be, A, inner_solve(o.choices));
    else
      throw InputError("preconditioner: single is for precision: double");
  }
  return nullptr;
}

/// The solve that was asked for, in single precision: to fewer digits, for the refinement around it.
inline SolverOptions in_single_precision(const SolverOptions& o) {
  SolverOptions inner = o;
  inner.mixed = inner.accurate = false;
  inner.tolerance = option::inner_tolerance.usual;
  inner.norm = "relative-2";
  return inner;
}

/// `mixed`, whatever the method: iterative refinement of that solve. `multigrid`: descent along cycles of the
/// preconditioner of that name. `refinement`: a solve in single precision, iterated. `sine-transform`:
/// directly.
template <class B, class T>
std::unique_ptr<Solver<B, T>> make_composed(const SolverOptions& o, B& be, const Operator<B, T>& A) {
  if (o.mixed) {
    if constexpr (std::is_same_v<T, double>)
      return std::make_unique<Refinement<B, T>>(
          be, A, o, std::make_unique<SinglePreconditioner<B>>(be, A, in_single_precision(o)));
    else
      throw InputError("mixed precision has its vectors in double");
  }
  const auto own = [&](const PreconditionerOptions& p) { return make_preconditioner<B, T>(p, be, A); };
  if (o.method == "sine-transform") return std::make_unique<Direct<B, T>>(be, A, o);
  if (o.method == "multigrid") return std::make_unique<SteepestDescent<B, T>>(be, A, o, own({o.method, {}}));
  if (o.method == "refinement")
    return std::make_unique<Refinement<B, T>>(be, A, o, own({"single", o.choices}));
  return nullptr;
}

WAVESIM_METHODS(make_composed)
WAVESIM_PRECONDITIONERS(make_composed_preconditioner)

}  // namespace wavesim
