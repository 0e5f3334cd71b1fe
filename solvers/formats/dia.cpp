// `dia` (kernels/formats/dia.hpp): the diagonals of the wave system are known when compiled, those of any
// other matrix are listed.
#include "kernels/formats/dia.hpp"

#include "kernels/backend/backend.hpp"
#include "solvers/formats/format.hpp"

namespace wavesim {

namespace {

template <class B, class T, class Coefficients>
std::unique_ptr<WaveOperator<B, T>> diagonals_of(B& be, Extent e, const Coefficients& c) {
  using S = typename Coefficients::Stencil;
  const bool periodic = c.topology.wrap_x != 0 || c.topology.wrap_y != 0;
  return periodic ? stored_rows<StencilDia<B, T, S, true>, B, T>(be, e, c)
                  : stored_rows<StencilDia<B, T, S, false>, B, T>(be, e, c);
}

}  // namespace

template <class B, class T>
FormatOn<B, T> dia_format() {
  return {{.name = "dia",
           .text = "one array for each diagonal; five, or nine with a periodic axis",
           .values = 5,
           .periodic_values = 9,
           .on_ranks = true},
          diagonals_of<B, T, UniformCoefficients<T>>,
          diagonals_of<B, T, VariableCoefficients<T>>,
          diagonals_of<B, T, NinePointCoefficients<T>>,
          diagonals_of<B, T, UniformNinePointCoefficients<T>>,
          stored_matrix<Dia<B, T>, B, T>};
}

WAVESIM_FORMAT(dia_format)

}  // namespace wavesim
