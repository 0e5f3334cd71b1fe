#pragma once
// The families of methods and preconditioners, one source file each, so that they compile side by side. A
// family is a list of rows, each with what makes its object on a backend in a precision. A new method is its
// own file and a row here in its family's list; a new family is a list, and its name in make.cpp.

#include <memory>
#include <string_view>
#include <vector>

#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "solvers/core/solver.hpp"

namespace wavesim {

template <class B, class T>
using MakeSolver = std::unique_ptr<Solver<B, T>>(const SolverOptions&, B&, const Operator<B, T>&);
template <class B, class T>
using MakePreconditioner = std::unique_ptr<Preconditioner<B, T>>(const PreconditionerOptions&, B&,
                                                                 const Operator<B, T>&);

/// A method with what makes it.
template <class B, class T>
struct MethodOn {
  Method row;
  MakeSolver<B, T>* make = nullptr;                // null: not in this precision
  MakePreconditioner<B, T>* make_steps = nullptr;  // null: steps are a solve that ends after them
};

template <class B, class T>
struct PreconditionerOn {
  PreconditionerEntry row;
  MakePreconditioner<B, T>* make = nullptr;  // null: nothing is to be made
};

/// The maker of a method whose constructor takes the backend, the matrix and the options.
template <class M, class B, class T>
std::unique_ptr<Solver<B, T>> make_method(const SolverOptions& o, B& be, const Operator<B, T>& A) {
  return std::make_unique<M>(be, A, o);
}

template <class B, class T>
using Methods = std::vector<MethodOn<B, T>>;
template <class B, class T>
using Preconditioners = std::vector<PreconditionerOn<B, T>>;

template <class B, class T>
Methods<B, T> krylov_methods();
template <class B, class T>
Methods<B, T> onchip_methods();
template <class B, class T>
Methods<B, T> short_recurrences();
template <class B, class T>
Methods<B, T> least_squares_methods();
template <class B, class T>
Methods<B, T> subspace_methods();
template <class B, class T>
Methods<B, T> stationary_methods();
template <class B, class T>
Methods<B, T> multigrid_methods();
template <class B, class T>
Methods<B, T> direct_methods();
template <class B, class T>
Methods<B, T> composed_methods();
template <class B, class T>
Methods<B, T> automatic_methods();

template <class B, class T>
Preconditioners<B, T> simple_preconditioners();
template <class B, class T>
Preconditioners<B, T> least_squares_preconditioners();
template <class B, class T>
Preconditioners<B, T> triangular_preconditioners();
template <class B, class T>
Preconditioners<B, T> block_preconditioners();
template <class B, class T>
Preconditioners<B, T> multigrid_preconditioners();
template <class B, class T>
Preconditioners<B, T> direct_preconditioners();
template <class B, class T>
Preconditioners<B, T> composed_preconditioners();

/// Linear steps of stationary methods (`preconditioner: steps`), defined in make_composed.cpp.
template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> jacobi_steps(const PreconditionerOptions&, B&, const Operator<B, T>&);
template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> chebyshev_steps(const PreconditionerOptions&, B&,
                                                      const Operator<B, T>&);
template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> forward_sweeps(const PreconditionerOptions&, B&, const Operator<B, T>&);
template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> symmetric_sweeps(const PreconditionerOptions&, B&,
                                                       const Operator<B, T>&);

/// A solve in single precision of the method that the options name, refined to double.
template <class B, class T>
std::unique_ptr<Solver<B, T>> make_mixed(const SolverOptions&, B&, const Operator<B, T>&);

/// All families, in the order of lists; methods that were registered come last.
template <class B, class T>
const Methods<B, T>& methods_on();
template <class B, class T>
const Preconditioners<B, T>& preconditioners_on();

/// Throws InputError where there is none of that name on this backend.
template <class B, class T>
const MethodOn<B, T>& method_on(std::string_view name);

/// Adds to the lists of catalogue.hpp, or removes from them (register.hpp does).
void add_row(const Method& row);
void remove_row(std::string_view name);

}  // namespace wavesim

/// After a family's list: its instantiations for the backend of this translation unit.
#define WAVESIM_METHODS(family)                                \
  template Methods<Backend, double> family<Backend, double>(); \
  template Methods<Backend, float> family<Backend, float>();
#define WAVESIM_PRECONDITIONERS(family)                                \
  template Preconditioners<Backend, double> family<Backend, double>(); \
  template Preconditioners<Backend, float> family<Backend, float>();
