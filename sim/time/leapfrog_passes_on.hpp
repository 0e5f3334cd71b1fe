#pragma once
// Steps of the leapfrog: A is diagonal, and several of them go in one pass over memory (leapfrog.hpp).

#ifdef __CUDACC__
#include "kernels/leapfrog/layers_cuda.hpp"
#include "kernels/leapfrog/leapfrog_cuda.hpp"
#else
#include "kernels/leapfrog/layers_host.hpp"
#include "kernels/leapfrog/leapfrog_host.hpp"
#endif
#include "sim/time/explicit_passes.hpp"
#include "sim/time/layers_on.hpp"
#include "sim/time/leapfrog_medium_on.hpp"
#include "sim/time/pushes_on.hpp"
#include "sim/time/receivers_on.hpp"

namespace wavesim {

template <class B, class T, class Coefficients>
class LeapfrogPassesOn final : public ExplicitPasses {
 public:
  using Wave = WaveOn<B, T, Coefficients>;
  using Medium = typename LeapfrogMediumOn<B, T, Coefficients>::Medium;
  LeapfrogPassesOn(const Wave& wave, ReceiversOn<B, T>& receivers, const Unknowns& unknowns,
                   const std::optional<HostPml>& pml)
      : wave_(wave), receivers_(receivers), medium_(wave.backend, wave.state.u.extent()), pushes_(wave, 0.5) {
    if constexpr (Medium::varies)
      if (!wave.setup.balance && !wave.forces.moving() && temporal::fits<T>(wave.medium.view().topology) &&
          LayersOn<B, T, Coefficients>::fit(wave))
        layers_.emplace(wave, unknowns, *pml, leapfrog_steps(B::asynchronous, true, wave.state.tracks()));
  }

  bool steps_layers() const override { return bool(layers_); }

  long take(const StepForm& form, long n, long most, const std::function<bool(long)>& sampled) override {
    State<B, T>& s = wave_.state;
    const Medium medium = medium_.of(form, wave_.medium.view());
    if (!temporal::fits<T>(medium.topology)) {
      step_in_rows(medium, form, n);
      return 1;
    }
    if (n == 0 || pushes_late()) most = 1;  // the first step is of a form of its own
    const bool tracks = s.tracks() && !pushes_late();
    return tracks ? pass<true>(medium, form, n, most, sampled) : pass<false>(medium, form, n, most, sampled);
  }

  // Public for nvcc, which takes kernels from public members only.

  /// d = (M p - beta D p - delta K u) / (M + D/2) in a pass of one step, for grids that passes of lanes do not fit.
  void step_in_rows(const Medium& medium, const StepForm& form, long n) {
    State<B, T>& s = wave_.state;
    wave_.backend.fetch_ghosts(1, s.u);
    const T* u = s.u.data();
    wave_.backend.rows(
        "d = (M p - beta D p - delta K u) / (M + D/2), u += d, p = d", Rows{s.u.extent(), true},
        (1 + Medium::words) * sizeof(T),
        [=] KERNEL(Row r, const T& p, T& p_to, T& u_to) {
          p_to = medium.step(r, u, p);
          u_to = u[r.i] + p_to;
        },
        s.p.in(), s.p_to().out(), s.u_to().out());
    for (Field<B, T>* to : {&s.u_to(), &s.p_to()}) wave_.push(form, n, *to, 1, 0.5);
    s.turn_both();
    s.track(wave_.setup.plan.dt * double(n + 1));
  }

 private:
  template <bool tracks>
  long pass(const Medium& medium, const StepForm& form, long n, long most,
            const std::function<bool(long)>& sampled) {
    State<B, T>& s = wave_.state;
    const double dt = wave_.setup.plan.dt;
    constexpr int at_most = leapfrog_steps(B::asynchronous, Medium::varies, tracks);
    most = receivers_.most_steps(n, most, sampled);
    LeapfrogPass<Medium, tracks> pass;
    pass.extent = s.u.extent(), pass.columns = {0, pass.extent.nx}, pass.medium = medium;
    if (layers_) {
      const GridPart& window = layers_->window();
      pass.extent.first_own = window.row, pass.extent.own_end = window.row_to;
      pass.columns = {window.col, window.col_to};
    }
    int count = steps_at_once<at_most>(pass, most);
    pass.pushes = pushes_.of(form, wave_.setup.scheme.step, n, count);
    if (count % at_most != 0) count = steps_of_a_pass(count, at_most);  // a signal may have ended
    pass.u = s.u.data(), pass.p = s.p.data(), pass.u_to = s.u_to().data(), pass.p_to = s.p_to().data();
    pass.dt = dt, pass.first_step = n;
    if constexpr (tracks) {
      if (s.maximum.extent().nx) pass.maximum = s.maximum.data();
      if (s.arrival.extent().nx) pass.arrival = s.arrival.data();
      pass.threshold = T(s.threshold());
    }
    pass.taps = receivers_.taps_of_pass(n, count, !pushes_late(), sampled, s.u.extent());
    const int passes = std::max(1, count / at_most);
    with_steps<at_most>(count / passes, [&](auto K) { run<decltype(K)::value>(pass, form, n, passes); });
    receivers_.sample_between(n, count, sampled, dt);
    if (pushes_late()) wave_.push_late(form, n, s.u_to(), s.p_to());
    if (passes % 2 != 0) {
      s.turn_both();
      if (layers_) layers_->turn();
    }
    if (pushes_late()) s.track(dt * double(n + 1));
    return count;
  }

  /// Those of a pass, or of several in one launch. Layers have a launch for each: a cluster's few blocks would take their tiles
  /// one after the other (H100, 64 runs of 512^2: 475 us a step of all in place of 133).
  template <int at_most, class Pass>
  int steps_at_once(const Pass& pass, long most) const {
    if constexpr (B::asynchronous) {
      long steps = std::min<long>({most, most_steps_of_a_launch, receivers_.most_tapped()});
      if (wave_.forces.count() > 0)
        steps = std::min(steps, Pushes::most_by_value / long(wave_.forces.count()));
      if (steps >= 2 * at_most && !layers_ && wave_.backend.leapfrogs_in_turn(pass, at_most))
        return int(steps / at_most) * at_most;
    }
    return steps_of_a_pass(most, at_most);
  }
  template <int K, class Pass>
  void run(const Pass& pass, const StepForm& form, long n, int passes) {
    constexpr const char *in_one = "steps of the leapfrog in one pass",
                         *in_turn = "passes of the leapfrog in turn",
                         *around = "steps of the leapfrog in the layers";
    B& be = wave_.backend;
    if constexpr (Medium::varies)
      if (layers_) {
        be.leapfrog_in_layers(around, layers_->around(pass, form, n, K));
        if (!layers_->window().empty()) be.template leapfrog<K>(in_one, pass);
        return;
      }
    if constexpr (B::asynchronous)
      if (passes > 1) return be.template leapfrog_in_turn<K>(in_turn, pass, passes);
    be.fetch_ghosts(K, wave_.state.u, wave_.state.p);
    be.template leapfrog<K>(in_one, pass);
  }
  /// Whether some forces are not the passes': they come to the end of one step.
  bool pushes_late() const { return !layers_ && wave_.pushes_late(); }

  const Wave& wave_;
  ReceiversOn<B, T>& receivers_;
  LeapfrogMediumOn<B, T, Coefficients> medium_;
  PushesOn<B, T, Coefficients> pushes_;
  std::optional<LayersOn<B, T, Coefficients>> layers_;
};

}  // namespace wavesim
