#pragma once
// The families of methods and preconditioners, one source file each, so that they compile side by side. Each
// makes what it knows by name, or returns null.

#include <memory>

#include "kernels/backend/backend.hpp"
#include "solvers/core/solver.hpp"

namespace wavesim {

template <class B, class T>
std::unique_ptr<Solver<B, T>> make_krylov(const SolverOptions&, B&, const Operator<B, T>&);
template <class B, class T>
std::unique_ptr<Solver<B, T>> make_onchip(const SolverOptions&, B&, const Operator<B, T>&);
template <class B, class T>
std::unique_ptr<Solver<B, T>> make_stationary(const SolverOptions&, B&, const Operator<B, T>&);
template <class B, class T>
std::unique_ptr<Solver<B, T>> make_automatic(const SolverOptions&, B&, const Operator<B, T>&);

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_simple_preconditioner(const PreconditionerOptions&, B&,
                                                                 const Operator<B, T>&);
template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_block_preconditioner(const PreconditionerOptions&, B&,
                                                                const Operator<B, T>&);
template <class B, class T>
std::unique_ptr<Solver<B, T>> make_composed(const SolverOptions&, B&, const Operator<B, T>&);
template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_composed_preconditioner(const PreconditionerOptions&, B&,
                                                                   const Operator<B, T>&);
template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_multigrid(const PreconditionerOptions&, B&, const Operator<B, T>&);
template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_triangular_preconditioner(const PreconditionerOptions&, B&,
                                                                     const Operator<B, T>&);
template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_direct_preconditioner(const PreconditionerOptions&, B&,
                                                                 const Operator<B, T>&);

}  // namespace wavesim

/// After a family's function: its instantiations for the backend of this translation unit.
#define WAVESIM_METHODS(make)                                                               \
  template std::unique_ptr<Solver<Backend, double>> make(const SolverOptions&, Backend&,    \
                                                         const Operator<Backend, double>&); \
  template std::unique_ptr<Solver<Backend, float>> make(const SolverOptions&, Backend&,     \
                                                        const Operator<Backend, float>&);
#define WAVESIM_PRECONDITIONERS(make)                                                                    \
  template std::unique_ptr<Preconditioner<Backend, double>> make(const PreconditionerOptions&, Backend&, \
                                                                 const Operator<Backend, double>&);      \
  template std::unique_ptr<Preconditioner<Backend, float>> make(const PreconditionerOptions&, Backend&,  \
                                                                const Operator<Backend, float>&);
