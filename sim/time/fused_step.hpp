#pragma once
// Steps that the solver takes as a whole: in one pass over the fields, or a few.

#include <algorithm>
#include <functional>
#include <optional>
#include <type_traits>

#include "sim/time/receivers_on.hpp"
#include "sim/time/step_system.hpp"
#include "solvers/core/fused_stepper.hpp"

namespace wavesim {

template <class B, class T, class Coefficients>
class FusedStepOn {
 public:
  using Vector = Field<B, T>;
  using Wave = WaveOn<B, T, Coefficients>;
  using System = StepSystem<B, T, Coefficients>;
  using Sampled = std::function<bool(long)>;
  /// `stepper` null: there are none.
  FusedStepOn(const Wave& wave, const System& system, ReceiversOn<B, T>& receivers,
              FusedStepper<B, T>* stepper)
      : wave_(wave), system_(system), receivers_(receivers), stepper_(stepper) {}

  /// Whether steps of this form are taken so.
  bool takes(const StepForm& form) {
    const std::optional<FusedForm> fused = fused_form(form);
    return stepper_ && fused && stepper_->takes_fused_steps(system_.A(), *fused);
  }
  /// From step n on, `most` steps or fewer; `sampled`: whether receivers are sampled after a step in between. A report for each
  /// that was taken. If the last fails u and p are as before it, but for what rounding leaves of forces that come and go. Its
  /// report has not converged then, and `takes` says no.
  std::vector<Report> take(const StepForm& form, long n, long most, const Sampled& sampled) {
    State<B, T>& s = wave_.state;
    for (Vector* v : {&spare_, &p_to_})
      if (v->extent().nx == 0) *v = Vector(wave_.backend, s.u.extent());
    most = wave_.pushes_late() ? 1 : std::min({most, 1 + receivers_.room(), steps_of_a_moment()});
    const int count = stepper_->steps_in_a_row(int(most));
    Steps steps(*this, form, n, sampled);
    const std::vector<Report> reports = stepper_->take(system_.A(), steps, count);
    if (!reports.back().converged()) steps.end_failed(takes(form));
    return reports;
  }

 private:
  /// Whether M is diagonal.
  static constexpr bool lumped = std::is_same_v<typename Coefficients::Stencil, FivePoint>;

  /// What is enqueued around the passes of steps from step n on.
  class Steps final : public FusedSteps<B, T> {
   public:
    Steps(FusedStepOn& of, const StepForm& form, long n, const Sampled& sampled)
        : of_(of), form_(form), n_(n), sampled_(sampled) {}

    FusedStep<B, T> before(int k) override {
      State<B, T>& s = of_.wave_.state;
      if (k == begun_) {
        if constexpr (lumped)
          push(k, s.p, 1);  // forces enter through p, of which b has M p
        else
          force_ = of_.forces_of(form_, n_ + k);
        if (is_sampled_before(k)) of_.receivers_.sample(s.u, time_before(k));
        ++begun_;
      }
      FusedStep<B, T> step{&s.u,
                           &s.p,
                           &s.u_to(),
                           &of_.p_to_,
                           form_.delta,
                           form_.carry,
                           of_.wave_.setup.solver.norm != "increment"};
      step.force = force_;
      return step;
    }
    void after(int k, Vector* latest) override {
      State<B, T>& s = of_.wave_.state;
      if constexpr (lumped) push(k, of_.p_to_, form_.carry - 1);  // p_to has (1 - carry) of what was added
      in_spare_.push_back(latest != &s.u_to());
      if (in_spare_.back()) std::swap(s.u_to(), of_.spare_);
      std::swap(s.p, of_.p_to_);
      s.turn();
      s.track(time_before(k + 1));
    }
    void back_to(int k) override {
      State<B, T>& s = of_.wave_.state;
      for (; begun_ > k + 1; --begun_)
        if (is_sampled_before(begun_ - 1)) of_.receivers_.drop_last();
      for (; int(in_spare_.size()) > k; in_spare_.pop_back()) {
        s.turn();
        std::swap(s.p, of_.p_to_);
        if (in_spare_.back()) std::swap(s.u_to(), of_.spare_);
      }
      if constexpr (!lumped) force_ = of_.forces_of(form_, n_ + k);  // those of later steps are there
    }
    void failed(Vector* latest) override { latest_ = latest; }
    Vector& spare() override { return of_.spare_; }

    /// The last step begun has failed. `stays`: the run goes on with what it has left.
    void end_failed(bool stays) {
      if (stays) return after(begun_ - 1, latest_);
      if constexpr (lumped) push(begun_ - 1, of_.wave_.state.p, -1);
    }

   private:
    void push(int k, Vector& to, double times) { of_.wave_.push(form_, n_ + k, to, times); }
    double time_before(int k) const { return of_.wave_.setup.plan.dt * double(n_ + k); }
    bool is_sampled_before(int k) const { return k > 0 && sampled_(n_ + k); }

    FusedStepOn& of_;
    const StepForm& form_;
    const long n_;
    const Sampled& sampled_;
    int begun_ = 0;
    std::vector<bool> in_spare_;     // of each step that ended: where its last pass left u
    const Vector* force_ = nullptr;  // of the step begun last, where M is not diagonal
    Vector* latest_ = nullptr;       // of the one that failed
  };

  /// So many that the host, which waits for all of them, is not long away: some hundredths of a second. The same on all ranks.
  long steps_of_a_moment() const {
    const double points_a_second = B::asynchronous ? 8e10 : 3e8;
    return std::max(1L, long(0.05 * points_a_second / double(wave_.state.u.extent().points())));
  }
  const Vector* forces_of(const StepForm& form, long n) {
    const double dt = wave_.setup.plan.dt, t = dt * double(n);
    if (!wave_.forces.act(force_weights(form), t, dt) && !wave_.pml.any()) return nullptr;
    if (force_.extent().nx == 0) force_ = Vector(wave_.backend, wave_.state.u.extent());
    force_.clear();
    wave_.forces.add(force_, force_weights(form), t, dt);
    wave_.pml.add(force_, 1, AsItIs{});
    return &force_;
  }

  const Wave& wave_;
  const System& system_;
  ReceiversOn<B, T>& receivers_;
  FusedStepper<B, T>* stepper_;
  Vector spare_, p_to_, force_;
};

}  // namespace wavesim
