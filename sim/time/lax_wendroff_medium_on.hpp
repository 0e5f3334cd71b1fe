#pragma once
// The medium of steps of eighth order in a backend's memory (lax_wendroff.hpp).

#include "kernels/lax_wendroff/lax_wendroff.hpp"
#include "sim/eighth_order/mirrored_axes.hpp"
#include "sim/time/step_system.hpp"

namespace wavesim {

/// The share of a cell that belongs to a point: half of it along free edges.
struct CellShare {
  int nx = 0, ny = 0;
  double half[4] = {1, 1, 1, 1};  // by side
  HD double operator()(Row r) const {
    return (r.col == 0 ? half[0] : 1) * (r.col == nx - 1 ? half[1] : 1) * (r.row == 0 ? half[2] : 1) *
           (r.row == ny - 1 ? half[3] : 1);
  }
};

template <class B, class T, class Coefficients>
class LaxWendroffMediumOn {
 public:
  using Wave = WaveOn<B, T, Coefficients>;
  /// `half`: the share of a cell along each edge. The tension is constant (refusal_of_eighth_order).
  LaxWendroffMediumOn(const Wave& wave, const Unknowns& unknowns, double reference_mass,
                      const std::array<double, 4>& half)
      : x(mirrored_axis(wave.setup.model, unknowns, 0)),
        y(mirrored_axis(wave.setup.model, unknowns, 1)),
        share{unknowns.extent.nx, unknowns.extent.ny, {half[0], half[1], half[2], half[3]}} {
    const Model& m = wave.setup.model;
    const double scale = wave.setup.plan.dt * wave.setup.plan.dt / reference_mass;
    const std::array<double, 2>& h = m.grid.spacing;
    laplacian = {scale * m.face_x.constant / (h[0] * h[0]), scale * m.face_y.constant / (h[1] * h[1])};
    view_.laplacian = {laplacian.x[0] / eighth_order[0], laplacian.y[0] / eighth_order[0]};
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
    if (!damped) return;
    wave.backend.rows(
        "M / (M + D/2)", Rows{inertia_.extent(), true}, (1 + Coefficients::words) * sizeof(T),
        [=] KERNEL(Row r, T & inertia) {
          const auto at = c.at(r);
          inertia = T(double(at.mass) / (double(at.mass) + 0.5 * double(at.damping)));
        },
        inertia_.out());
  }

 private:
  Field<B, T> over_mass_, inertia_;
  LaxWendroffMedium<T> view_;
};

}  // namespace wavesim
