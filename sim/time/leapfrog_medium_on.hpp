#pragma once
// The coefficients of explicit steps in a backend's memory (leapfrog.hpp).

#include "kernels/leapfrog/leapfrog.hpp"
#include "sim/time/medium_on.hpp"
#include "sim/time/scheme.hpp"

namespace wavesim {

template <class T>
LeapfrogWeights<T> leapfrog_weights(const StepForm& form) {
  return {T(form.beta_dt), T(form.delta)};
}

template <class B, class T, class Coefficients>
class LeapfrogMediumOn;

template <class B, class T>
class LeapfrogMediumOn<B, T, UniformCoefficients<T>> {
 public:
  using Medium = UniformLeapfrog<T>;
  LeapfrogMediumOn(B&, Extent) {}
  /// For steps of this form.
  Medium of(const StepForm& form, const UniformCoefficients<T>& c) const {
    return {c, leapfrog_weights<T>(form)};
  }
};

template <class B, class T>
class LeapfrogMediumOn<B, T, VariableCoefficients<T>> {
 public:
  using Medium = VaryingLeapfrog<T>;
  LeapfrogMediumOn(B& backend, Extent e) : be_(backend), inverse_(backend, e) {}
  /// For steps of this form; until the next call.
  Medium of(const StepForm& form, const VariableCoefficients<T>& c) {
    const LeapfrogWeights<T> weights = leapfrog_weights<T>(form);
    if (weights.beta != made_for_.beta || weights.delta != made_for_.delta) make(weights, c);
    made_for_ = weights;
    return {c.topology, c.east, c.north, inverse_.data(), c.damped() ? keep_.data() : nullptr};
  }

  // Public for nvcc, which takes kernels from public members only.
  void make(const LeapfrogWeights<T>& weights, const VariableCoefficients<T>& c) {
    const T *mass = c.mass, *damping = c.damped() ? c.damping : nullptr;
    be_.rows(
        "delta / (M + D/2)", inverse_.extent(), 2 * sizeof(T),
        [=] KERNEL(Row r, T & inverse) {
          inverse = weights.inverse(mass[r.i], damping ? damping[r.i] : T(0));
        },
        inverse_.out());
    be_.fetch_ghosts(most_ghosts, inverse_);
    if (!damping) return;
    if (keep_.extent().nx == 0) keep_ = Field<B, T>(be_, inverse_.extent());
    be_.rows(
        "(M - beta D) / (M + D/2)", keep_.extent(), 2 * sizeof(T),
        [=] KERNEL(Row r, T & keep) { keep = weights.keep(mass[r.i], damping[r.i]); }, keep_.out());
    be_.fetch_ghosts(most_ghosts, keep_);
  }

 private:
  B& be_;
  Field<B, T> inverse_, keep_;
  LeapfrogWeights<T> made_for_{T(0), T(0)};
};

}  // namespace wavesim
