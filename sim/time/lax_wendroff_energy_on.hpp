#pragma once
// The energy that steps of eighth order conserve (docs/math.md, section 5): of the form
//   M (u(n+1) - 2 u(n) + u(n-1)) = -(K - K M^-1 K/12) u(n),
// 2 E = p'M p + u(n)'(K - K M^-1 K/12) u(n+1), and K u is minus the cell's share of the Laplacian.

#include "sim/time/energy_on.hpp"
#include "sim/time/lax_wendroff_medium_on.hpp"

namespace wavesim {

template <class B, class T, class Coefficients>
class LaxWendroffEnergyOn {
 public:
  using Medium = LaxWendroffMediumOn<B, T, Coefficients>;
  LaxWendroffEnergyOn(const WaveOn<B, T, Coefficients>& wave, const Medium& medium)
      : wave_(wave), medium_(medium), sums_(wave.backend, 1) {}

  /// Times m_ref dx dy: joules.
  double of_now(double reference_mass) {
    const Coefficients c = wave_.medium.view();
    const CellShare share = medium_.share;
    wave_.backend.fetch_ghosts(eighth_order_reach, wave_.state.u, wave_.state.p);
    const Around now{wave_.state.u.data(), wave_.state.p.data(), 0, medium_.x, medium_.y, medium_.laplacian};
    Around before = now;
    before.share_of_p = 1;
    wave_.backend.rows_sum(
        "energy", wave_.state.u.extent(), (2 + Coefficients::words) * sizeof(T), sums_.data(),
        [=] KERNEL(Row r) {
          const auto at = c.at(r);
          const double cell = share(r), L_now = now.laplacian_at(r), L_before = before.laplacian_at(r);
          return Sum<3>{{kinetic(at, c.topology, r, now.p), -cell * before.value(r.i) * L_now,
                         cell * cell / double(at.mass) * L_now * L_before}};
        },
        NoEpilogue{});
    const Sum<3> s = sums_.download()[0];
    const StepperSetup& setup = wave_.setup;
    const Grid& g = setup.model.grid;
    return 0.5 * (s.v[0] + s.v[1] - s.v[2] / 12) * reference_mass * g.spacing[0] * g.spacing[1] /
           (setup.plan.dt * setup.plan.dt);
  }

  // Public for nvcc, which takes kernels from public members only.

  /// u(n+1) - share_of_p p, that is u(n+1) or u(n), round a point.
  struct Around {
    const T *u, *p;
    double share_of_p;
    MirroredAxis x, y;
    EighthOrderLaplacian<double> laplacian;

    HD double value(int i) const { return double(u[i]) - share_of_p * double(p[i]); }
    HD double laplacian_at(Row r) const {
      return laplacian(
          value(r.i),
          [&](int k) {
            const MirroredAxis::Place at = x.place(r.col + k);
            return at.sign * value(r.i + at.at - r.col);
          },
          [&](int k) {
            const MirroredAxis::Place at = y.place(r.row + k);
            return at.sign * value(r.i + (at.at - r.row) * r.pitch);
          });
    }
  };

 private:
  const WaveOn<B, T, Coefficients>& wave_;
  const Medium& medium_;
  Buffer<B, Sum<3>> sums_;
};

}  // namespace wavesim
