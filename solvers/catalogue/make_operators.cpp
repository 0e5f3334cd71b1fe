// Operators of the wave system: those whose rows are computed or stored by diagonals and columns.
#include "kernels/backend/backend.hpp"
#include "kernels/formats/dia.hpp"
#include "kernels/formats/ell.hpp"
#include "solvers/catalogue/formats.hpp"
#include "solvers/core/wave_operators.hpp"

namespace wavesim {

namespace {

template <class B, class T, class Coefficients>
std::unique_ptr<WaveOperator<B, T>> operator_of(const std::string& format, B& be, Extent e,
                                                const Coefficients& c) {
  using Operator = std::unique_ptr<WaveOperator<B, T>>;
  const bool periodic = c.topology.wrap_x != 0 || c.topology.wrap_y != 0;
  if (format == "stencil" || format == "auto")
    return Operator(new StencilOperator<B, T, Coefficients>(be, e, c));
  using S = typename Coefficients::Stencil;
  if (format == "dia" && !periodic)
    return Operator(new StoredOperator<B, T, StencilDia<B, T, S, false>, Coefficients>(be, e, c));
  if (format == "dia")
    return Operator(new StoredOperator<B, T, StencilDia<B, T, S, true>, Coefficients>(be, e, c));
  if (format == "ellpack-r")
    return Operator(new StoredOperator<B, T, StencilEllpackR<B, T, S>, Coefficients>(be, e, c));
  if (auto A = make_row_format<B, T>(format, be, e, c)) return A;
  unknown_format(format, false);
}

}  // namespace

template <class B, class T>
std::unique_ptr<WaveOperator<B, T>> make_operator(const std::string& format, B& be, Extent e,
                                                  const UniformCoefficients<T>& c) {
  return operator_of<B, T>(format, be, e, c);
}
template <class B, class T>
std::unique_ptr<WaveOperator<B, T>> make_operator(const std::string& format, B& be, Extent e,
                                                  const VariableCoefficients<T>& c) {
  return operator_of<B, T>(format, be, e, c);
}

#define WAVESIM_INSTANTIATE(T)                                                                           \
  template std::unique_ptr<WaveOperator<Backend, T>> make_operator(const std::string&, Backend&, Extent, \
                                                                   const UniformCoefficients<T>&);       \
  template std::unique_ptr<WaveOperator<Backend, T>> make_operator(const std::string&, Backend&, Extent, \
                                                                   const VariableCoefficients<T>&);
WAVESIM_INSTANTIATE(double)
WAVESIM_INSTANTIATE(float)

}  // namespace wavesim
