// Operators of the wave system in the formats that are filled from compressed sparse rows.
#include "kernels/backend/backend.hpp"
#include "kernels/formats/converted.hpp"
#include "kernels/formats/csr.hpp"
#include "kernels/formats/ell.hpp"
#include "kernels/formats/hybrid.hpp"
#include "kernels/formats/sell_p.hpp"
#include "solvers/catalogue/formats.hpp"
#include "solvers/core/wave_operators.hpp"

namespace wavesim {

template <class B, class T, class Coefficients>
std::unique_ptr<WaveOperator<B, T>> make_row_format(const std::string& format, B& be, Extent e,
                                                    const Coefficients& c) {
  using Operator = std::unique_ptr<WaveOperator<B, T>>;
  if (format == "csr") return Operator(new StoredOperator<B, T, Csr<B, T>, Coefficients>(be, e, c));
  if (format == "ell")
    return Operator(new StoredOperator<B, T, Converted<B, T, Ell<B, T>>, Coefficients>(be, e, c));
  if (format == "sell-p")
    return Operator(new StoredOperator<B, T, Converted<B, T, SellP<B, T>>, Coefficients>(be, e, c));
  if (format == "hybrid")
    return Operator(new StoredOperator<B, T, Converted<B, T, Hybrid<B, T>>, Coefficients>(be, e, c));
  return nullptr;
}

#define WAVESIM_INSTANTIATE(T)                                                    \
  template std::unique_ptr<WaveOperator<Backend, T>> make_row_format<Backend, T>( \
      const std::string&, Backend&, Extent, const UniformCoefficients<T>&);       \
  template std::unique_ptr<WaveOperator<Backend, T>> make_row_format<Backend, T>( \
      const std::string&, Backend&, Extent, const VariableCoefficients<T>&);
WAVESIM_INSTANTIATE(double)
WAVESIM_INSTANTIATE(float)

}  // namespace wavesim
