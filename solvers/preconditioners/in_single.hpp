#pragma once
// The same matrix in single precision.

#include "kernels/numbers/in_precision.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/core/wave_operators.hpp"

namespace wavesim {

/// Arrays of a medium in single precision.
template <class B>
struct SingleMedium {
  Field<B, float> mass, damping, east, north;
  SingleMedium(B& be, Extent e, const VariableCoefficients<double>& c)
      : mass(copy(be, e, c.mass)),
        damping(c.damped() ? copy(be, e, c.damping) : Field<B, float>()),
        east(copy(be, e, c.east)),
        north(copy(be, e, c.north)) {}
  /// Ghost rows included.
  static Field<B, float> copy(B& be, Extent e, const double* from) {
    Field<B, float> to(be, e);
    be.map(
        "to single", e.pitch * (e.ny + 2), [] HD(const double& d, float& s) { s = float(d); },
        In<double>{from - e.pitch}, Out<float>{to.data() - e.pitch});
    return to;
  }
  VariableCoefficients<float> view(const Topology& t) const {
    return {t, mass.data(), damping.extent().nx ? damping.data() : nullptr, east.data(), north.data()};
  }
};

template <class B>
class SingleStencil final : private SingleMedium<B>,
                            public StencilOperator<B, float, VariableCoefficients<float>> {
 public:
  SingleStencil(B& be, Extent e, const VariableCoefficients<double>& c)
      : SingleMedium<B>(be, e, c),
        StencilOperator<B, float, VariableCoefficients<float>>(be, e, SingleMedium<B>::view(c.topology)) {}
};

/// The wave system as `stencil`, any other matrix as `csr`.
template <class B>
std::unique_ptr<Operator<B, float>> in_single(B& be, const Operator<B, double>& A) {
  const WaveSystemFacts<double>* facts = A.wave_system();
  if (!facts) return make_operator<B, float>("csr", be, A.csr().download());
  std::unique_ptr<WaveOperator<B, float>> single;
  if (facts->uniform)
    single = make_operator<B, float>("stencil", be, A.extent(), in_precision<float>(facts->constant));
  else
    single = std::make_unique<SingleStencil<B>>(be, A.extent(), facts->varying);
  single->assemble(facts->a, facts->b);
  return single;
}

}  // namespace wavesim
