#pragma once
// The one loop around every method that takes steps in time as a whole: passes until the residual that one
// leaves meets the goal. Where the last step took one pass, several steps are enqueued, each under the guard that the one
// before has converged, and the host looks at all of them at once: a look takes as long as a pass over a small grid.

#include <algorithm>

#include "solvers/core/fused_stepper.hpp"
#include "solvers/core/solve_loop.hpp"

namespace wavesim {

template <class B, class T>
class FusedLoop : public SolveLoop<B, T>, public FusedStepper<B, T> {
 public:
  using Vector = Field<B, T>;
  FusedLoop(B& backend, Extent e, const SolverOptions& options)
      : SolveLoop<B, T>(backend, e, options), controls_(backend, most_in_a_row) {
    const std::vector<IterationState> as_of_solves(most_in_a_row, this->lasting_);
    controls_.upload(as_of_solves);
  }

  FusedStepper<B, T>* fused() override { return this; }

  bool takes_fused_steps(const Operator<B, T>& A, FusedForm form) override {
    this->set_up_for(A);
    return can_fuse_steps(A, form);
  }
  int steps_in_a_row(int most) const override { return one_pass_ ? std::min(most, most_in_a_row) : 1; }

  std::vector<Report> take(const Operator<B, T>& A, FusedSteps<B, T>& steps, int count) override {
    return this->reports_on([&] {
      forget(count);
      std::vector<IterationState> ended = enqueue(A, steps, count);
      const auto last = std::find_if(ended.begin(), ended.end(),
                                     [](const IterationState& c) { return c.status != Status::converged; });
      std::for_each(ended.begin(), last, [&](const IterationState& c) { look_back_on(c); });
      if (last == ended.end()) return ended;
      const int k = int(last - ended.begin());
      ended.resize(std::size_t(k) + 1);
      steps.back_to(k);
      const FusedStep<B, T> step = steps.before(k);
      Vector* latest = step.u_to;
      ended.back() = go_on(A, step, steps.spare(), k, ended.back(), latest);
      if (ended.back().status == Status::converged)
        steps.after(k, latest);
      else
        steps.failed(latest);
      return ended;
    });
  }
  std::pair<Report, Vector*> fused_step(const Operator<B, T>& A, FusedStep<B, T> step,
                                        Vector& spare) override {
    Vector* latest = step.u_to;
    const std::vector<Report> reports = this->reports_on([&] {
      fused_pass(A, step, 0, controls_.data());
      return std::vector<IterationState>{go_on(A, step, spare, 0, look(0, 1).front(), latest)};
    });
    return {reports.front(), latest};
  }

 protected:
  /// Whether the method can with this operator, for which it is set up.
  virtual bool can_fuse_steps(const Operator<B, T>& A, FusedForm form) const = 0;
  /// Enqueues a pass; the first one begins the control block, and each concludes it.
  virtual void fused_pass(const Operator<B, T>& A, const FusedStep<B, T>& step, int pass,
                          IterationState* control) = 0;
  virtual void fused_step_ended(const IterationState&) {}

 public:  // for nvcc, which takes kernels from public members only
  /// A step that is not begun has not converged.
  void forget(int count) {
    IterationState* const controls = controls_.data();
    this->be_.once("steps to come", [=] KERNEL() {
      for (int k = 0; k < count; ++k) controls[k].status = Status::running;
    });
  }

 private:
  static constexpr int most_in_a_row = 64;

  /// Guards that were set, taken back at the end.
  class Guards {
   public:
    explicit Guards(B& backend) : be_(backend) {}
    Guards(const Guards&) = delete;
    ~Guards() {
      for (; set_ > 0; --set_) be_.unguard();
    }
    void set(const Status& status, Status value) {
      be_.guard(reinterpret_cast<const int*>(&status), int(value));
      ++set_;
    }

   private:
    B& be_;
    int set_ = 0;
  };

  /// Enqueues first passes of `count` steps with what is around them, each under the guard that the one before has converged;
  /// returns how they ended.
  std::vector<IterationState> enqueue(const Operator<B, T>& A, FusedSteps<B, T>& steps, int count) {
    int k = 0;
    {
      Guards guards(this->be_);
      while (k < count) {
        FusedStep<B, T> step;
        try {
          step = steps.before(k);
        } catch (...) {  // a formula has no value then: that is for the step itself
          if (k == 0) throw;
          break;
        }
        fused_pass(A, step, 0, controls_.data() + k);
        ++k;
        if constexpr (!B::asynchronous)
          if (look(k - 1, 1).front().status != Status::converged) break;
        guards.set(controls_.data()[k - 1].status, Status::converged);
        steps.after(k - 1, step.u_to);
      }
    }
    return look(0, k);
  }
  std::vector<IterationState> look(int first, int count) {
    std::vector<IterationState> states(std::size_t(count), IterationState{});
    controls_.download(std::size_t(first), states.size(), states.data());
    return states;
  }
  /// Further passes of step k, after the first has left it in the state c and u in `latest`.
  IterationState go_on(const Operator<B, T>& A, FusedStep<B, T> step, Vector& spare, int k, IterationState c,
                       Vector*& latest) {
    Vector* const turns[2] = {step.u_to, &spare};
    for (int pass = 1; c.status == Status::running; ++pass) {
      step.tried = latest;
      step.u_to = latest = turns[pass % 2];
      fused_pass(A, step, pass, controls_.data() + k);
      c = look(k, 1).front();
    }
    look_back_on(c);
    return c;
  }
  void look_back_on(const IterationState& c) {
    one_pass_ = c.status == Status::converged && c.steps == 1;
    fused_step_ended(c);
  }

  Buffer<B, IterationState> controls_;  // of steps in a row
  bool one_pass_ = false;               // took the last step
};

}  // namespace wavesim
