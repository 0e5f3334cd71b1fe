#pragma once
// The stepper on one backend, in one precision and for one kind of medium. Each kind of medium has a source of its own, because
// compiling all of them takes minutes: stepper_of_*.cpp.

#include <optional>
#include <utility>

#include "kernels/backend/stopwatch.hpp"
#include "sim/time/balance_on.hpp"
#include "sim/time/energy_on.hpp"
#include "sim/time/explicit_step.hpp"
#include "sim/time/fused_step.hpp"
#include "sim/time/implicit_step.hpp"
#include "sim/time/lax_wendroff_energy_on.hpp"
#include "sim/time/lax_wendroff_passes_on.hpp"
#include "sim/time/leapfrog_passes_on.hpp"
#include "sim/time/ranks_on.hpp"
#include "sim/time/read_out.hpp"
#include "sim/time/receivers_on.hpp"
#include "sim/time/stepper_of.hpp"

namespace wavesim {

/// The state, the way that a scheme steps it, and what is read of it.
template <class B, class T, class Coefficients>
class StepperOn final : public Stepper {
  using Vector = Field<B, T>;
  /// Whether M is diagonal: explicit steps divide by it.
  static constexpr bool lumped = std::is_same_v<typename Coefficients::Stencil, FivePoint>;

 public:
  StepperOn(const StepperSetup& setup, HostCoefficients host)
      : setup_(setup),
        ranks_(be_, setup.ranks, setup.parts),
        unknowns_(ranks_.share_of_this(make_unknowns(setup.model, sizeof(T)))),
        e_(unknowns_.extent),
        reference_mass_(host.reference_mass),
        share_(e_, host.half),
        medium_(be_, unknowns_, host),
        forces_(be_, e_, std::move(host.forces)),
        pml_(be_, setup_, host.pml, e_),
        state_(be_, setup_, unknowns_),
        wave_{be_, setup_, medium_, forces_, pml_, state_},
        system_(wave_, e_, setup.scheme.solves || !lumped),
        energy_(wave_, unknowns_),
        norms_(be_, 1),
        receivers_(be_, setup.model, unknowns_),
        read_out_(be_),
        clock_(be_) {
    if (setup.balance) balance_.emplace(wave_, unknowns_, host.outflow);
    if constexpr (lumped) {
      if (!setup.scheme.solves) {
        if constexpr (!B::asynchronous) be_.take_subnormals_for_zero();  // layers that are stepped alone, too
        explicit_.emplace(wave_, explicit_passes(host));
        return;
      }
    }
    implicit_.emplace(wave_, system_, e_);
    const bool may_fuse =
        setup.guess.kind == "previous" && !implicit_->preconditioned() && !setup.exact_energy;
    fused_.emplace(wave_, system_, receivers_, may_fuse ? implicit_->solver().fused() : nullptr);
  }

  std::vector<StepResult> steps(long n, long until, const std::function<bool(long)>& sampled) override {
    const StepForm& form = form_of(n);
    if constexpr (lumped)
      if (explicit_ && explicit_->steps_layers()) return steps(form, n, until, sampled);
    if (balance_) balance_->before_step();
    pml_.make_forces(form, state_);
    pml_.begin_step(form, n, state_);
    std::vector<StepResult> results = steps(form, n, balance_ ? n + 1 : until, sampled);
    last_step_ = n + long(results.size()) - 1;
    if (d_is_the_increment_)
      pml_.end_step(form, n, system_.d);
    else
      pml_.end_step(form, n, state_.u, state_.u_to());
    return results;
  }

  std::vector<StepResult> steps(const StepForm& form, long n, long until,
                                const std::function<bool(long)>& sampled) {
    if constexpr (lumped) {
      if (explicit_) {
        assemble(form);
        d_is_the_increment_ = false;
        return explicit_->steps(form, n, until, sampled);
      }
    }
    return implicit_steps(form, n, n == 0 ? 1 : until, sampled);  // the first step has a form of its own
  }
  std::vector<StepResult> implicit_steps(const StepForm& form, long n, long until,
                                         const std::function<bool(long)>& sampled) {
    std::vector<StepResult> results;
    const bool assembly_takes_time = system_.A().assembly_is_a_pass();
    if (assembly_takes_time) clock_.mark(0);
    assemble(form);
    StepResult step;
    if (fused_->takes(form)) {
      // Waited for, so that no mark is needed for it: they would take a quarter of a short step.
      if (assembly_takes_time) clock_.mark(1), step.assembly_seconds = clock_.seconds(0, 1);
      const long most = assembly_takes_time ? 1 : until - n;
      for (const Report& report : fused_->take(form, n, most, sampled)) {
        step.report = report;
        step.solve_seconds = report.seconds;
        results.push_back(step);
      }
      d_is_the_increment_ = false;
      if (results.back().report.converged() || fused_->takes(form)) return results;
      n += long(results.size()) - 1;
      results.pop_back();
      clock_.mark(0);
    } else if (!assembly_takes_time) {
      clock_.mark(0);
    }
    results.push_back(solved_step(form, n, step));
    return results;
  }
  /// A step through its system.
  StepResult solved_step(const StepForm& form, long n, StepResult step) {
    implicit_->right_hand_side(form, n);
    clock_.mark(1);
    step.report = implicit_->solve(form, n);
    clock_.mark(2);
    implicit_->advance(form);
    d_is_the_increment_ = true;
    state_.track(setup_.plan.dt * double(n + 1));
    // Not waited for: the next step is enqueued meanwhile.
    step.assembly_seconds += clock_.seconds(0, 1);
    step.solve_seconds = clock_.seconds(1, 2);
    return step;
  }

  void archive(Archive& a, bool solver) override {
    state_.archive(a);
    pml_.archive(a);
    system_.archive(a);
    if (implicit_ && solver) implicit_->archive(a);
    const auto part = a.part("receivers");
    receivers_.archive(a, [this](std::vector<double>& samples) { ranks_.gather(samples, receivers_, e_); });
  }

  double energy() override {
    if constexpr (lumped)
      if (eighth_order_energy_) return eighth_order_energy_->of_now(reference_mass_);
    return energy_.of_now(reference_mass_);
  }
  EnergyChange energy_change() override {
    return balance_->after_step(form_of(last_step_), last_step_, reference_mass_);
  }

  double largest_displacement() override {
    be_.map_sum("|u|", e_, norms_.data(), NormsOf{}, NoEpilogue{}, state_.u.in());
    return norms_.download()[0].largest;
  }

  Values read(Quantity q, const Window& w, double t, bool single) override {
    return single ? read_as<float>(q, w, t) : read_as<double>(q, w, t);
  }

  bool sample(double t) override {
    if (receivers_.full()) return false;
    receivers_.sample(state_.u, t);
    return true;
  }
  std::vector<std::vector<double>> samples() override {
    return receivers_.take([this](int side, double t) { return edge_value(side, t); },
                           [this](std::vector<double>& samples) { ranks_.gather(samples, receivers_, e_); });
  }

  const OperationCounts& counts() const override { return be_.counts(); }
  std::string set_up() const override { return implicit_ ? implicit_->set_up() : ""; }

  System system(long n) override {
    make_system(n);
    return system_.dense();
  }

  DeviceSystem device_system(long n) override {
    const StepForm& form = make_system(n);
    SystemOn<T> s{medium_.view(), form.implicit_weight, system_.b.data(), {}};
    be_.download(&s.whole, system_.norms_of_whole_right_hand_side(form), 1);
    be_.synchronize();
    return s;
  }

  std::variant<const double*, const float*> increment() override {
    if (!setup_.scheme.solves) return static_cast<const T*>(state_.p.data());
    if (!d_is_the_increment_) {  // the state before the step is where the next one goes
      be_.map(
          "d = u(n+1) - u(n)", e_, [] KERNEL(const T& now, const T& before, T& d) { d = now - before; },
          state_.u.in(), state_.u_to().in(), system_.d.out());
      d_is_the_increment_ = true;
    }
    return static_cast<const T*>(system_.d.data());
  }

 private:
  std::unique_ptr<ExplicitPasses> explicit_passes(const HostCoefficients& host) {
    if (setup_.model.space_order == 2)
      return std::make_unique<LeapfrogPassesOn<B, T, Coefficients>>(wave_, receivers_, unknowns_, host.pml);
    eighth_order_.emplace(wave_, unknowns_, reference_mass_, share_);
    eighth_order_energy_.emplace(wave_, *eighth_order_);
    return std::make_unique<LaxWendroffPassesOn<B, T, Coefficients>>(wave_, receivers_, *eighth_order_);
  }
  const StepForm& form_of(long n) const { return n == 0 ? setup_.scheme.start : setup_.scheme.step; }
  void assemble(const StepForm& form) {
    if (system_.assemble(form) && implicit_) implicit_->forget();
  }
  const StepForm& make_system(long n) {
    const StepForm& form = form_of(n);
    assemble(form);
    pml_.make_forces(form, state_);
    system_.right_hand_side(form, n);
    return form;
  }
  /// The value of the nodes on a side that is no unknown.
  double edge_value(int side, double t) const {
    const EdgeCondition& edge = setup_.model.edges[side];
    return edge.kind == EdgeCondition::driven && edge.driven_by ? edge.driven_by->at(t) : 0;
  }

  template <class P>
  Values read_as(Quantity q, const Window& w, double t) {
    const double dt = setup_.plan.dt;
    const StateView<T, Coefficients> view{medium_.view(),
                                          state_.u.data(),
                                          state_.p.data(),
                                          data_or_null(state_.maximum),
                                          data_or_null(state_.arrival),
                                          dt,
                                          reference_mass_ / (dt * dt),
                                          share_,
                                          state_.filter.view()};
    EdgeValues edges{};
    for (int side = 0; side < 4; ++side)
      if (q == Quantity::displacement) edges.side[side] = edge_value(side, t);
    // two rows: the last row of a ring, which is its first one, is read beside the last rank's
    be_.fetch_ghosts(2, state_.u, state_.p);
    for (const Vector* tracked : {&state_.maximum, &state_.arrival})
      if (tracked->extent().nx) be_.fetch_ghosts(1, *tracked);
    return ranks_.template gathered<P>(read_out_.template read<P>(q, view, unknowns_, w, edges), unknowns_,
                                       w);
  }
  static const T* data_or_null(const Vector& v) { return v.extent().nx ? v.data() : nullptr; }

  const StepperSetup setup_;
  B be_;
  RanksOn<B> ranks_;
  Unknowns unknowns_;
  Extent e_;
  double reference_mass_;
  CellShare share_;
  MediumOn<B, T, Coefficients> medium_;
  ForcesOn<B, T> forces_;
  PmlOn<B, T> pml_;
  State<B, T> state_;
  WaveOn<B, T, Coefficients> wave_;
  StepSystem<B, T, Coefficients> system_;
  std::optional<ImplicitStepOn<B, T, Coefficients>> implicit_;  // these two, or the explicit one
  std::optional<FusedStepOn<B, T, Coefficients>> fused_;
  template <template <class, class, class> class Of>
  using IfLumped = std::conditional_t<lumped, std::optional<Of<B, T, Coefficients>>, std::monostate>;
  IfLumped<LaxWendroffMediumOn> eighth_order_;  // of explicit steps of that order
  IfLumped<LaxWendroffEnergyOn> eighth_order_energy_;
  IfLumped<ExplicitStepOn> explicit_;
  EnergyOn<B, T, Coefficients> energy_;
  std::optional<BalanceOn<B, T, Coefficients>> balance_;
  Buffer<B, Norms> norms_;
  ReceiversOn<B, T> receivers_;
  ReadOut<B> read_out_;
  Stopwatch<B, 3> clock_;
  long last_step_ = 0;
  bool d_is_the_increment_ = true;  // of the last step; else u and u_to differ by it
};

template <class B, template <class> class Coefficients>
std::unique_ptr<Stepper> make_stepper_of(bool single, const StepperSetup& setup, HostCoefficients host) {
  if (single) return std::make_unique<StepperOn<B, float, Coefficients<float>>>(setup, std::move(host));
  return std::make_unique<StepperOn<B, double, Coefficients<double>>>(setup, std::move(host));
}

}  // namespace wavesim
