#pragma once
// The medium of steps of eighth order in a backend's memory (lax_wendroff.hpp).

#include "kernels/lax_wendroff/lax_wendroff.hpp"
#include "sim/eighth_order/mirrored_axes.hpp"
#include "sim/time/cell_share.hpp"
#include "sim/time/step_system.hpp"

namespace wavesim {

template <class B, class T, class Coefficients>
class LaxWendroffMediumOn {
 public:
  using Wave = WaveOn<B, T, Coefficients>;
  /// The tension is constant (refusal_of_eighth_order).
  LaxWendroffMediumOn(const Wave& wave, const Unknowns& unknowns, double reference_mass,
                      const CellShare& share)
      : x(mirrored_axis(wave.setup.model, unknowns, 0)),
        y(mirrored_axis(wave.setup.model, unknowns, 1)),
        share(share) {
    const Model& m = wave.setup.model;
    const double scale = wave.setup.plan.dt * wave.setup.plan.dt / reference_mass;
    const double dx = m.grid.spacing[0], dy = m.grid.spacing[1];
    const double face_x = scale * m.face_x.constant / (dx * dx),
                 face_y = scale * m.face_y.constant / (dy * dy);
    laplacian = {face_x, face_y};
    view_.laplacian = {face_x, face_y};
    bool damped = !m.damping.uniform() || m.damping.constant != 0;
    for (const EdgeCondition& e : m.edges) damped = damped || e.radiation;
    if (Coefficients::uniform && !damped) {
      view_.same_over_mass = T(reference_mass / m.mass.constant);
      return;
    }
    over_mass_ = Field<B, T>(wave.backend, unknowns.extent);
    if (damped) inertia_ = Field<B, T>(wave.backend, unknowns.extent);
    fill(wave, damped);
    view_.over_mass = over_mass_.data();
    if (damped) view_.inertia = inertia_.data();
  }

  const MirroredAxis x, y;
  const CellShare share;
  EighthOrderLaplacian<double> laplacian;
  const LaxWendroffMedium<T>& view() const { return view_; }

  // Public for nvcc, which takes kernels from public members only.
  void fill(const Wave& wave, bool damped) {
    const Coefficients c = wave.medium.view();
    const CellShare share = this->share;
    wave.backend.rows(
        "1 / M of whole cells", Rows{over_mass_.extent(), true}, (1 + Coefficients::words) * sizeof(T),
        [=] KERNEL(Row r, T & over_mass) { over_mass = T(share(r) / double(c.at(r).mass)); },
        over_mass_.out());
    wave.backend.fetch_ghosts(most_ghosts, over_mass_);
    if (!damped) return;
    wave.backend.rows(
        "M / (M + D/2)", Rows{inertia_.extent(), true}, (1 + Coefficients::words) * sizeof(T),
        [=] KERNEL(Row r, T & inertia) {
          const auto at = c.at(r);
          inertia = T(double(at.mass) / (double(at.mass) + 0.5 * double(at.damping)));
        },
        inertia_.out());
    wave.backend.fetch_ghosts(most_ghosts, inertia_);
  }

 private:
  Field<B, T> over_mass_, inertia_;
  LaxWendroffMedium<T> view_;
};

}  // namespace wavesim
