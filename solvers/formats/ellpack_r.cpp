// `ellpack-r` (kernels/formats/ell.hpp): the rows of the wave system are as wide as its stencil.
#include "kernels/backend/backend.hpp"
#include "kernels/formats/converted.hpp"
#include "kernels/formats/ell.hpp"
#include "solvers/formats/format.hpp"

namespace wavesim {

template <class B, class T>
FormatOn<B, T> ellpack_r_format() {
  using Constant = UniformCoefficients<T>;
  using Varying = VariableCoefficients<T>;
  using Wide = NinePointCoefficients<T>;
  using ConstantWide = UniformNinePointCoefficients<T>;
  return {{.name = "ellpack-r",
           .text = "column-major rows with their lengths (Vazquez 2009, Pozzo 2010)",
           .values = 5,
           .indices = 6,
           .periodic_values = 5},
          stored_rows<StencilEllpackR<B, T, typename Constant::Stencil>, B, T, Constant>,
          stored_rows<StencilEllpackR<B, T, typename Varying::Stencil>, B, T, Varying>,
          stored_rows<StencilEllpackR<B, T, typename Wide::Stencil>, B, T, Wide>,
          stored_rows<StencilEllpackR<B, T, typename Wide::Stencil>, B, T, ConstantWide>,
          stored_matrix<Converted<B, T, EllpackR<B, T>>, B, T>};
}

WAVESIM_FORMAT(ellpack_r_format)

}  // namespace wavesim
