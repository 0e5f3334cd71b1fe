#pragma once
// Steps without a system: A is diagonal. Several of them go in one pass over memory (leapfrog.hpp).

#include <bit>
#include <functional>

#include "kernels/backend/stopwatch.hpp"
#ifdef __CUDACC__
#include "kernels/leapfrog/leapfrog_cuda.hpp"
#else
#include "kernels/leapfrog/leapfrog_host.hpp"
#endif
#include "sim/time/leapfrog_medium_on.hpp"
#include "sim/time/pushes_on.hpp"
#include "sim/time/receivers_on.hpp"
#include "solvers/core/iteration_state.hpp"

namespace wavesim {

template <class B, class T, class Coefficients>
class ExplicitStepOn {
 public:
  using Wave = WaveOn<B, T, Coefficients>;
  using Medium = typename LeapfrogMediumOn<B, T, Coefficients>::Medium;
  ExplicitStepOn(const Wave& wave, ReceiversOn<B, T>& receivers)
      : wave_(wave),
        receivers_(receivers),
        medium_(wave.backend, wave.state.u.extent()),
        pushes_(wave),
        p_to_(wave.backend, wave.state.u.extent()),
        norms_(wave.backend, 1),
        clock_(wave.backend) {}

  /// From step n towards `until`; `sampled`: whether receivers are sampled after a step in between. Passes are enqueued
  /// while the last one runs: their seconds are those of the one before, and the last of all has its own as well.
  StepResult steps(const StepForm& form, long n, long until, const std::function<bool(long)>& sampled) {
    StepResult result;
    const int last = mark_, now = last == 2 ? 0 : 2;
    clock_.mark(now);
    result.taken = advance(form, n, until, sampled);
    result.report.status = look(n, n + result.taken);
    clock_.mark(now + 1);
    if (last >= 0) result.solve_seconds = clock_.seconds(last, last + 1);
    if (n + result.taken == wave_.setup.plan.steps) result.solve_seconds += clock_.seconds(now, now + 1);
    result.solve_seconds /= double(result.taken);
    mark_ = now;
    return result;
  }

  // Public for nvcc, which takes kernels from public members only.

  /// d = (M p - beta D p - delta K u) / (M + D/2) in a pass of one step, for grids that passes of lanes do not fit.
  void step_in_rows(const Medium& medium, const StepForm& form, long n) {
    State<B, T>& s = wave_.state;
    const T* u = s.u.data();
    wave_.backend.rows(
        "d = (M p - beta D p - delta K u) / (M + D/2), u += d, p = d", Rows{s.u.extent(), true},
        (1 + Medium::words) * sizeof(T),
        [=] KERNEL(Row r, const T& p, T& p_to, T& u_to) {
          p_to = medium.step(r, u, p);
          u_to = u[r.i] + p_to;
        },
        s.p.in(), p_to_.out(), s.u_to().out());
    for (Field<B, T>* to : {&s.u_to(), &p_to_}) wave_.push(form, n, *to, 1, 0.5);
    turn();
    s.track(wave_.setup.plan.dt * double(n + 1));
  }

 private:
  /// The steps that were taken.
  long advance(const StepForm& form, long n, long until, const std::function<bool(long)>& sampled) {
    State<B, T>& s = wave_.state;
    const Medium medium = medium_.of(form, wave_.medium.view());
    if (!temporal::fits<T>(medium.topology)) {
      step_in_rows(medium, form, n);
      return 1;
    }
    const long most = n == 0 || wave_.pml.any() ? 1 : until - n;  // the first step is of a form of its own
    const bool tracks = (s.maximum.extent().nx || s.arrival.extent().nx) && !wave_.pml.any();
    return tracks ? pass<true>(medium, form, n, most, sampled) : pass<false>(medium, form, n, most, sampled);
  }

  template <bool tracks>
  long pass(const Medium& medium, const StepForm& form, long n, long most,
            const std::function<bool(long)>& sampled) {
    State<B, T>& s = wave_.state;
    const double dt = wave_.setup.plan.dt;
    constexpr int at_most = leapfrog_steps<B, Medium, tracks>();
    const auto of_a_pass = [](int steps) {
      return steps < at_most ? int(std::bit_floor(unsigned(steps))) : at_most;
    };
    int count = of_a_pass(int(std::min({most, long(at_most), 1 + receivers_.room()})));
    LeapfrogPass<Medium, tracks> pass;
    pass.pushes = pushes_.of(form, wave_.setup.scheme.step, n, count);
    count = of_a_pass(count);  // a signal may have ended
    pass.extent = s.u.extent(), pass.medium = medium;
    pass.u = s.u.data(), pass.p = s.p.data(), pass.u_to = s.u_to().data(), pass.p_to = p_to_.data();
    if constexpr (tracks) {
      if (s.maximum.extent().nx) pass.maximum = s.maximum.data();
      if (s.arrival.extent().nx) pass.arrival = s.arrival.data();
      pass.threshold = T(s.threshold());
      for (int k = 0; k < count; ++k) pass.time[k] = T(dt * double(n + k + 1));
    }
    bool taps = false;
    for (int k = 1; k < count; ++k) taps = taps || sampled(n + k);
    if (taps) pass.taps = receivers_.taps(pass.extent.pitch, pass.extent.ny);
    run<at_most>(count, pass);
    for (int k = 1; k < count; ++k)
      if (sampled(n + k)) receivers_.sample_tapped(k, dt * double(n + k));
    if (wave_.pml.any()) {
      const OverMass<Coefficients> share{wave_.medium.view(), pass.extent.pitch, 0.5};
      for (Field<B, T>* to : {&s.u_to(), &p_to_}) wave_.pml.add(*to, 1, share);
    }
    turn();
    if (wave_.pml.any()) s.track(dt * double(n + 1));
    return count;
  }
  /// A pass of K steps, or of a power of two below.
  template <int K, class Pass>
  void run(int count, const Pass& pass) {
    if constexpr (K > 1)
      if (count < K) return run<int(std::bit_ceil(unsigned(K)) / 2)>(count, pass);
    wave_.backend.template leapfrog<K>("steps of the leapfrog in one pass", pass);
  }
  void turn() {
    std::swap(wave_.state.p, p_to_);
    wave_.state.turn();
  }

  /// Every hundredth step and at the end: what grows is found soon enough.
  Status look(long from, long to) {
    if (from / 100 == to / 100 && to != wave_.setup.plan.steps) return Status::converged;
    wave_.backend.map_sum("|p|", p_to_.extent().count(), norms_.data(), NormsOf{}, NoEpilogue{},
                          wave_.state.p.in());
    return IterationState::finite(norms_.download()[0]) ? Status::converged : Status::not_finite;
  }

  const Wave& wave_;
  ReceiversOn<B, T>& receivers_;
  LeapfrogMediumOn<B, T, Coefficients> medium_;
  PushesOn<B, T, Coefficients> pushes_;
  Field<B, T> p_to_;
  Buffer<B, Norms> norms_;
  Stopwatch<B, 4> clock_;
  int mark_ = -1;  // of the last pass
};

}  // namespace wavesim
