#pragma once
// Explicit steps of eighth order in space and fourth in time, several in one pass over memory (lax_wendroff.hpp).

#ifdef __CUDACC__
#include "kernels/lax_wendroff/lax_wendroff_cuda.hpp"
#else
#include "kernels/lax_wendroff/lax_wendroff_host.hpp"
#endif
#include "sim/time/explicit_passes.hpp"
#include "sim/time/lax_wendroff_medium_on.hpp"
#include "sim/time/pushes_on.hpp"
#include "sim/time/receivers_on.hpp"

namespace wavesim {

/// s(n), as it is in w.
inline ForceWeights force_at_step(const StepForm&) { return {{0, 1, 0}, {0, 1, 0}}; }
/// What the step's own weights have beside what it takes from w: the second difference of s over 12, at the first step of
/// a run another one.
inline ForceWeights force_beside_step(const StepForm& form) {
  ForceWeights weights = force_weights(form);
  weights.force[1] -= form.delta, weights.held[1] -= form.delta;
  return weights;
}

template <class B, class T, class Coefficients>
class LaxWendroffPassesOn final : public ExplicitPasses {
 public:
  using Wave = WaveOn<B, T, Coefficients>;
  using Medium = LaxWendroffMediumOn<B, T, Coefficients>;
  LaxWendroffPassesOn(const Wave& wave, ReceiversOn<B, T>& receivers, const Medium& medium)
      : wave_(wave), receivers_(receivers), medium_(medium), sources_(wave, 0), pushes_(wave, 0.5) {}

  long take(const StepForm& form, long n, long most, const std::function<bool(long)>& sampled) override {
    if constexpr (Coefficients::uniform)
      if (!medium_.view().over_mass) return pass<false>(form, n, most, sampled);
    return pass<true>(form, n, most, sampled);
  }

  // Public for nvcc, which takes kernels from public members only.

  /// to += share p
  void add_velocity(double share, Field<B, T>& to) {
    const T s = T(share);
    wave_.backend.map(
        "u += share p", to.extent(), [=] KERNEL(const T& p, T& u) { u = std::fma(s, p, u); },
        wave_.state.p.in(), to.inout());
  }

 private:
  template <bool varies>
  long pass(const StepForm& form, long n, long most, const std::function<bool(long)>& sampled) {
    State<B, T>& s = wave_.state;
    const double dt = wave_.setup.plan.dt;
    const bool start = n == 0;  // of a form of its own
    if (start || s.tracks()) most = 1;
    most = receivers_.most_steps(n, most, sampled);
    int count = steps_of_a_pass(most, at_most());
    LaxWendroffPass<T, varies> pass;
    pass.pushes = pushes_.of(form, wave_.setup.scheme.step, n, count, force_beside_step);
    count = steps_of_a_pass(count, at_most());  // a signal may have ended
    pass.sources = sources_.of(form, wave_.setup.scheme.step, n, count, force_at_step);
    pass.extent = s.u.extent(), pass.x = medium_.x, pass.y = medium_.y, pass.medium = medium_.view();
    pass.beta = T(form.beta_dt), pass.delta = T(form.delta);
    pass.u = s.u.data(), pass.p = s.p.data(), pass.u_to = s.u_to().data(), pass.p_to = s.p_to().data();
    pass.taps = receivers_.taps_of_pass(n, count, !start, sampled, pass.extent);
    // u(dt) = u + p + dt^2/2 w(u + p/3) + ..: the third derivative in time of the Taylor expansion
    if (start) add_velocity(1.0 / 3, s.u);
    wave_.backend.fetch_ghosts(count * lax_wendroff_reach, s.u, s.p);
    with_steps<most_steps>(count, [&](auto K) {
      wave_.backend.template lax_wendroff<decltype(K)::value>("steps of eighth order in one pass", pass);
    });
    if (start) add_velocity(-1.0 / 3, s.u_to());
    receivers_.sample_between(n, count, sampled, dt);
    s.turn_both();
    s.track(dt * double(n + 1));
    return count;
  }
  static constexpr int most_steps = lax_wendroff_steps(B::asynchronous);
  /// On a GPU as many as the images of a small grid reach.
  int at_most() const {
    int reach = most_steps;
    if constexpr (B::asynchronous)
      for (const MirroredAxis* axis : {&medium_.x, &medium_.y})
        if (!axis->periodic) reach = std::min(reach, (axis->points - 1) / lax_wendroff_reach);
    return steps_of_a_pass(std::max(reach, 1), most_steps);
  }

  const Wave& wave_;
  ReceiversOn<B, T>& receivers_;
  const Medium& medium_;
  PushesOn<B, T, Coefficients> sources_, pushes_;
};

}  // namespace wavesim
