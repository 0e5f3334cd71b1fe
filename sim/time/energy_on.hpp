#pragma once
// The energy of the form that is stepped (docs/math.md, section 5), summed where the state is.

#include "kernels/reduce/reduce.hpp"
#include "sim/time/step_system.hpp"
#include "sim/time/terms.hpp"

namespace wavesim {

/// The unknowns within perfectly matched layers: half of those on a layer's border (trapezoidal rule).
struct Domain {
  int low[2] = {0, 0}, high[2] = {0, 0};
  bool layer[4] = {false, false, false, false};  // by side
  HD double share(Row r) const {
    return along(r.col, low[0], high[0], layer[0], layer[1]) *
           along(r.row, low[1], high[1], layer[2], layer[3]);
  }
  HD static double along(int k, int low, int high, bool low_layer, bool high_layer) {
    if (k < low || k > high) return 0;
    return (low_layer && k == low) || (high_layer && k == high) ? 0.5 : 1;
  }
};
inline Domain outside_layers(const Model& m, const Unknowns& u) {
  Domain d;
  for (int axis = 0; axis < 2; ++axis) {
    for (int end = 0; end < 2; ++end) d.layer[2 * axis + end] = m.edges[2 * axis + end].pml_rate > 0;
    d.low[axis] = d.layer[2 * axis] ? int(m.grid.layer[axis][0] - u.first[axis]) : 0;
    d.high[axis] = d.layer[2 * axis + 1] ? int(m.grid.cells[axis] - m.grid.layer[axis][1] - u.first[axis])
                                         : int(u.count[axis]) - 1;
  }
  return d;
}

template <class B, class T, class Coefficients>
class EnergyOn {
 public:
  EnergyOn(const WaveOn<B, T, Coefficients>& wave, const Unknowns& unknowns)
      : wave_(wave), domain_(outside_layers(wave.setup.model, unknowns)), sums_(wave.backend, 1) {}

  /// Times m_ref dx dy: joules. Of the domain, which ends where perfectly matched layers begin.
  double of_now(double reference_mass) {
    const Coefficients c = wave_.medium.view();
    const State<B, T>& state = wave_.state;
    const bool corrected = wave_.setup.scheme.step.correction != 0;
    wave_.backend.fetch_ghosts(1, state.u, state.p);
    if (corrected) wave_.backend.fetch_ghosts(1, state.acted);
    const T *u = state.u.data(), *p = state.p.data(), *acted = corrected ? state.acted.data() : u;
    const Domain domain = domain_;
    wave_.backend.rows_sum(
        "energy", wave_.state.u.extent(), (2 + Coefficients::words) * sizeof(T), sums_.data(),
        [=] KERNEL(Row r) {
          const auto at = c.at(r);
          const double share = domain.share(r);
          if (share == 0) return Sum<4>{};
          return Sum<4>{{share * kinetic(at, c.topology, r, p), share * strain(at, c.topology, r, u, acted),
                         share * strain(at, c.topology, r, u, p), share * strain(at, c.topology, r, p, p)}};
        },
        NoEpilogue{});
    const Sum<4> s = sums_.download()[0];
    const double pMp = s.v[0], uKu = s.v[1],  // corrected: u'K acted
        uKp = s.v[2], pKp = s.v[3];
    const StepperSetup& setup = wave_.setup;
    const auto& w = setup.scheme.weights;
    const bool three_levels = setup.scheme.step.carry == 1;
    double twice = pMp + uKu;  // first-order form, and two-level
    if (!corrected && three_levels && w[2] == w[0]) twice += w[0] * pKp - uKp;  // u(n)'K u(n+1) = u'Ku - u'Kd
    const Grid& g = setup.model.grid;
    return 0.5 * twice * reference_mass * g.spacing[0] * g.spacing[1] / (setup.plan.dt * setup.plan.dt);
  }

 private:
  const WaveOn<B, T, Coefficients>& wave_;
  const Domain domain_;
  Buffer<B, Sum<4>> sums_;
};

}  // namespace wavesim
