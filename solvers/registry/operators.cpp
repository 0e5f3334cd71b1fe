// Operators: the wave system and any other matrix, in each format.
#include "kernels/backend.hpp"
#include "kernels/errors.hpp"
#include "kernels/formats/csr.hpp"
#include "kernels/formats/dia.hpp"
#include "kernels/formats/ellpack_r.hpp"
#include "solvers/registry.hpp"
#include "solvers/row_operator.hpp"

namespace wavesim {

namespace {

[[noreturn]] void unknown_format(const std::string& name, bool any_matrix) {
  std::string names;
  for (const Format& f : solver_formats())
    if (f.any_matrix || !any_matrix) names += (names.empty() ? "" : ", ") + std::string(f.name);
  throw InputError((find_format(name) ? "format '" + name + "' holds the wave system only"
                                      : "unknown format '" + name + "'") +
                   "; one of: " + names);
}

template <class B, class T, class Coefficients>
std::unique_ptr<FivePointOperator<B, T>> operator_of(const std::string& format, B& be, Extent e,
                                                     const Coefficients& c) {
  using Operator = std::unique_ptr<FivePointOperator<B, T>>;
  const bool periodic = c.topology.wrap_x != 0 || c.topology.wrap_y != 0;
  if (format == "stencil") return Operator(new StencilOperator<B, T, Coefficients>(be, e, c));
  if (format == "dia" && !periodic)
    return Operator(new StoredOperator<B, T, Dia<B, T, 5>, Coefficients>(be, e, c));
  if (format == "dia") return Operator(new StoredOperator<B, T, Dia<B, T, 9>, Coefficients>(be, e, c));
  if (format == "ellpack-r")
    return Operator(new StoredOperator<B, T, EllpackR<B, T>, Coefficients>(be, e, c));
  if (format == "csr") return Operator(new StoredOperator<B, T, Csr<B, T>, Coefficients>(be, e, c));
  unknown_format(format, false);
}

}  // namespace

template <class B, class T>
std::unique_ptr<FivePointOperator<B, T>> make_operator(const std::string& format, B& be, Extent e,
                                                       const UniformCoefficients<T>& c) {
  return operator_of<B, T>(format, be, e, c);
}
template <class B, class T>
std::unique_ptr<FivePointOperator<B, T>> make_operator(const std::string& format, B& be, Extent e,
                                                       const VariableCoefficients<T>& c) {
  return operator_of<B, T>(format, be, e, c);
}

template <class B, class T>
std::unique_ptr<Operator<B, T>> make_operator(const std::string& format, B& be, const HostCsr& matrix) {
  const HostCsr padded = padded_to(matrix, extent_of_list(matrix.rows));
  const Extent e = extent_of_list(matrix.rows);
  Csr<B, T> csr(be, padded);
  const bool symmetric = is_symmetric(matrix);
  if (format == "csr")
    return std::make_unique<MatrixOperator<B, T, Csr<B, T>>>(be, e, std::move(csr), symmetric);
  unknown_format(format, true);
}

#define WAVESIM_INSTANTIATE(T)                                               \
  template std::unique_ptr<FivePointOperator<Backend, T>> make_operator(     \
      const std::string&, Backend&, Extent, const UniformCoefficients<T>&);  \
  template std::unique_ptr<FivePointOperator<Backend, T>> make_operator(     \
      const std::string&, Backend&, Extent, const VariableCoefficients<T>&); \
  template std::unique_ptr<Operator<Backend, T>> make_operator(const std::string&, Backend&, const HostCsr&);
WAVESIM_INSTANTIATE(double)
WAVESIM_INSTANTIATE(float)

}  // namespace wavesim
