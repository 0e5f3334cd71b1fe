#pragma once
// The same matrix in single precision.

#include <optional>

#include "kernels/numbers/in_precision.hpp"
#include "solvers/catalogue/make.hpp"

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
        "to single", e.pitch * (e.ny + 2), [] KERNEL(const double& d, float& s) { s = float(d); },
        In<double>{from - e.pitch}, Out<float>{to.data() - e.pitch});
    return to;
  }
  VariableCoefficients<float> view(const Topology& t) const {
    return {t, mass.data(), damping.extent().nx ? damping.data() : nullptr, east.data(), north.data()};
  }
};

/// A: the wave system as `stencil`, any other matrix as `csr`.
template <class B>
struct InSingle {
  std::optional<SingleMedium<B>> medium;  // that A reads, where it varies
  std::unique_ptr<Operator<B, float>> A;

  InSingle() = default;
  InSingle(B& be, const Operator<B, double>& from) {
    const WaveSystemFacts<double>* facts = from.wave_system();
    if (!facts) {
      A = make_operator<B, float>("csr", be, from.csr().download());
      return;
    }
    std::unique_ptr<WaveOperator<B, float>> wave;
    if (facts->uniform) {
      wave = make_operator<B, float>("stencil", be, from.extent(), in_precision<float>(facts->constant));
    } else {
      medium.emplace(be, from.extent(), facts->varying);
      wave = make_operator<B, float>("stencil", be, from.extent(), medium->view(facts->varying.topology));
    }
    wave->assemble(facts->a, facts->b);
    A = std::move(wave);
  }
};

}  // namespace wavesim
