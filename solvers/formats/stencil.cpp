// `stencil`: no rows are stored; each is computed from the coefficients where it is used.
#include "solvers/formats/format.hpp"

#include "kernels/backend/backend.hpp"

namespace wavesim {

namespace {

template <class B, class T, class Coefficients>
std::unique_ptr<WaveOperator<B, T>> computed_rows(B& be, Extent e, const Coefficients& c) {
  using Computed = std::conditional_t<std::is_same_v<Coefficients, NinePointCoefficients<T>>,
                                      SummedStencilOperator<B, T>, StencilOperator<B, T, Coefficients>>;
  return std::make_unique<WithBlockedSweeps<B, T, Computed>>(be, e, c);
}

}  // namespace

template <class B, class T>
FormatOn<B, T> stencil_format() {
  return {{.name = "stencil",
           .text = "stores nothing but the media and computes each row where it is used; the fastest",
           .any_matrix = false,
           .on_ranks = true},
          computed_rows<B, T, UniformCoefficients<T>>,
          computed_rows<B, T, VariableCoefficients<T>>,
          computed_rows<B, T, NinePointCoefficients<T>>,
          computed_rows<B, T, UniformNinePointCoefficients<T>>};
}

WAVESIM_FORMAT(stencil_format)

}  // namespace wavesim
