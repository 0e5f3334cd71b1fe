#pragma once
// The energy of the form that is stepped (docs/math.md, section 5), summed where the state is.

#include "kernels/reduce/reduce.hpp"
#include "sim/time/step_system.hpp"
#include "sim/time/terms.hpp"

namespace wavesim {

template <class B, class T, class Coefficients>
class EnergyOn {
 public:
  explicit EnergyOn(const WaveOn<B, T, Coefficients>& wave) : wave_(wave), sums_(wave.backend, 1) {}

  /// Times m_ref dx dy: joules.
  double of_now(double reference_mass) {
    const Coefficients c = wave_.medium.view();
    const T *u = wave_.state.u.data(), *p = wave_.state.p.data();
    wave_.backend.rows_sum(
        "energy", wave_.state.u.extent(), (2 + Coefficients::words) * sizeof(T), sums_.data(),
        [=] HD(Row r) {
          const auto at = c.at(r);
          return Sum<4>{{kinetic(at, c.topology, r, p), strain(at, c.topology, r, u, u),
                         strain(at, c.topology, r, u, p), strain(at, c.topology, r, p, p)}};
        },
        NoEpilogue{});
    const Sum<4> s = sums_.download()[0];
    const double pMp = s.v[0], uKu = s.v[1], uKp = s.v[2], pKp = s.v[3];
    const StepperSetup& setup = wave_.setup;
    const auto& w = setup.scheme.weights;
    const bool three_levels = setup.scheme.step.carry == 1;
    double twice = pMp + uKu;                                     // first-order form, and two-level
    if (three_levels && w[2] == w[0]) twice += w[0] * pKp - uKp;  // u(n)'K u(n+1) = u'Ku - u'Kd
    const Grid& g = setup.model.grid;
    return 0.5 * twice * reference_mass * g.spacing[0] * g.spacing[1] / (setup.plan.dt * setup.plan.dt);
  }

 private:
  const WaveOn<B, T, Coefficients>& wave_;
  Buffer<B, Sum<4>> sums_;
};

}  // namespace wavesim
