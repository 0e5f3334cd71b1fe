#pragma once
// Makes operators, preconditioners and methods from their names (catalogue.hpp). A new one is a file of its
// own, a line in catalogue.cpp and a line in registry.cpp.

#include <memory>
#include <string>

#include "kernels/coefficients.hpp"
#include "solvers/solver.hpp"

namespace wavesim {

/// The operator of a format over a constant or a varying medium. Throws InputError for an unknown name.
template <class B, class T>
std::unique_ptr<FivePointOperator<B, T>> make_operator(const std::string& format, B&, Extent,
                                                       const UniformCoefficients<T>&);
template <class B, class T>
std::unique_ptr<FivePointOperator<B, T>> make_operator(const std::string& format, B&, Extent,
                                                       const VariableCoefficients<T>&);

/// Null for "none".
template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_preconditioner(const std::string& name, B&, Extent);

template <class B, class T>
std::unique_ptr<Solver<B, T>> make_solver(const SolverOptions&, B&, const Operator<B, T>&);

}  // namespace wavesim
