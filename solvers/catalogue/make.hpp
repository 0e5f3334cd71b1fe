#pragma once
// Makes operators, preconditioners and methods from their names (catalogue.hpp). A new one is a file of its
// own and a row in its family's list (families.hpp).

#include <memory>
#include <string>

#include "kernels/grid/coefficients.hpp"
#include "solvers/core/solver.hpp"

namespace wavesim {

/// The operator of a format over a constant or a varying medium. Throws InputError for an unknown name.
template <class B, class T>
std::unique_ptr<WaveOperator<B, T>> make_operator(const std::string& format, B&, Extent,
                                                  const UniformCoefficients<T>&);
template <class B, class T>
std::unique_ptr<WaveOperator<B, T>> make_operator(const std::string& format, B&, Extent,
                                                  const VariableCoefficients<T>&);
/// The same with nine points: a matrix of any kind to methods that ask (Structure).
template <class B, class T>
std::unique_ptr<WaveOperator<B, T>> make_operator(const std::string& format, B&, Extent,
                                                  const NinePointCoefficients<T>&);
template <class B, class T>
std::unique_ptr<WaveOperator<B, T>> make_operator(const std::string& format, B&, Extent,
                                                  const UniformNinePointCoefficients<T>&);
/// The operator of a format over any square matrix, on vectors of vector_extent(matrix.rows). Throws
/// InputError for an unknown name or a format that cannot hold the matrix.
template <class B, class T>
std::unique_ptr<Operator<B, T>> make_operator(const std::string& format, B&, const HostCsr& matrix);

/// Null for "none".
template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_preconditioner(const PreconditionerOptions&, B&,
                                                          const Operator<B, T>&);

/// That of a solve; null too where the method takes it inside (mixed precision).
template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_outer_preconditioner(const SolverOptions& o, B& be,
                                                                const Operator<B, T>& A) {
  if (o.mixed) return nullptr;
  return make_preconditioner<B, T>(o.preconditioner, be, A);
}

/// What method and preconditioner have to say about their set-up, after a first solve; empty if nothing.
template <class B, class T>
std::string describe(const SolverOptions& o, const Solver<B, T>& method, const Preconditioner<B, T>* M) {
  std::string text;
  const auto add = [&](const std::string& name, const std::string& line) {
    if (!line.empty()) text += (text.empty() ? "" : "; ") + name + ": " + line;
  };
  add(o.mixed ? "in single precision" : o.method, method.describe());
  if (M) add(short_name(o.preconditioner), M->describe());
  return text;
}

/// Throws InputError if the choice does not fit the matrix (catalogue.hpp).
template <class B, class T>
std::unique_ptr<Solver<B, T>> make_solver(const SolverOptions&, B&, const Operator<B, T>&);

}  // namespace wavesim
