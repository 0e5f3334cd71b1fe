// Operators: the wave system and any other matrix, in each format.
#include "kernels/backend.hpp"
#include "kernels/errors.hpp"
#include "kernels/formats/converted.hpp"
#include "kernels/formats/csr.hpp"
#include "kernels/formats/dia.hpp"
#include "kernels/formats/ell.hpp"
#include "kernels/formats/ellpack_r.hpp"
#include "kernels/formats/general_dia.hpp"
#include "kernels/formats/general_ellpack_r.hpp"
#include "kernels/formats/hybrid.hpp"
#include "kernels/formats/sell_p.hpp"
#include "solvers/choose_format.hpp"
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
  if (format == "stencil" || format == "auto")
    return Operator(new StencilOperator<B, T, Coefficients>(be, e, c));
  if (format == "dia" && !periodic)
    return Operator(new StoredOperator<B, T, Dia<B, T, 5>, Coefficients>(be, e, c));
  if (format == "dia") return Operator(new StoredOperator<B, T, Dia<B, T, 9>, Coefficients>(be, e, c));
  if (format == "ellpack-r")
    return Operator(new StoredOperator<B, T, EllpackR<B, T>, Coefficients>(be, e, c));
  if (format == "csr") return Operator(new StoredOperator<B, T, Csr<B, T>, Coefficients>(be, e, c));
  if (format == "ell")
    return Operator(new StoredOperator<B, T, Converted<B, T, Ell<B, T>>, Coefficients>(be, e, c));
  if (format == "sell-p")
    return Operator(new StoredOperator<B, T, Converted<B, T, SellP<B, T>>, Coefficients>(be, e, c));
  if (format == "hybrid")
    return Operator(new StoredOperator<B, T, Converted<B, T, Hybrid<B, T>>, Coefficients>(be, e, c));
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
  const auto in = [&]<class Storage>(Storage*) -> std::unique_ptr<Operator<B, T>> {
    return std::make_unique<MatrixOperator<B, T, Storage>>(be, e, std::move(csr), symmetric);
  };
  const std::string chosen = format == "auto" ? choose_format(matrix).name : format;
  if (chosen == "csr") return in(static_cast<Csr<B, T>*>(nullptr));
  if (chosen == "ell") return in(static_cast<Ell<B, T>*>(nullptr));
  if (chosen == "ellpack-r") return in(static_cast<GeneralEllpackR<B, T>*>(nullptr));
  if (chosen == "sell-p") return in(static_cast<SellP<B, T>*>(nullptr));
  if (chosen == "hybrid") return in(static_cast<Hybrid<B, T>*>(nullptr));
  if (chosen == "dia") return in(static_cast<GeneralDia<B, T>*>(nullptr));
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
