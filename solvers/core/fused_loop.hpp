#pragma once
// The one loop around every method that takes steps in time as a whole: passes until the residual that one
// leaves meets the goal. Steps are foreseen to take as many passes as the last one. Several are enqueued, each under the
// guard that the one before has converged after so many, and the host looks at all of them at once: a look takes as long as
// a pass over a small grid.

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
  int steps_in_a_row(int most) const override {
    return passes_ > 0 ? std::min({most, row_, steps_alike(passes_)}) : 1;
  }

  std::vector<Report> take(const Operator<B, T>& A, FusedSteps<B, T>& steps, int count) override {
    return this->reports_on([&] {
      mark_as_waiting(count);
      const int passes = std::max(1, passes_);
      std::vector<IterationState> ended = enqueue(A, steps, count, passes);
      const auto last = std::find_if(ended.begin(), ended.end(),
                                     [=](const IterationState& c) { return c.converged_after != passes; });
      std::for_each(ended.begin(), last, [&](const IterationState& c) { look_back_on(c); });
      row_ = last == ended.end() ? std::min(2 * row_, most_in_a_row) : 1;
      if (last == ended.end()) return ended;
      const int k = int(last - ended.begin());
      ended.resize(std::size_t(k) + 1);
      steps.back_to(k);
      const auto [c, latest] = go_on(A, steps.before(k), steps.spare(), k, ended.back());
      ended.back() = c;
      if (c.status == Status::converged)
        steps.after(k, latest);
      else
        steps.failed(latest);
      return ended;
    });
  }
  std::pair<Report, Vector*> fused_step(const Operator<B, T>& A, FusedStep<B, T> step,
                                        Vector& spare) override {
    Vector* latest = nullptr;
    const std::vector<Report> reports = this->reports_on([&] {
      fused_pass(A, step, 0, controls_.data());
      const auto ended = go_on(A, step, spare, 0, look(0, 1).front());
      latest = ended.second;
      return std::vector<IterationState>{ended.first};
    });
    return {reports.front(), latest};
  }

 protected:
  static constexpr int most_in_a_row = 64;
  /// Whether the method can with this operator, for which it is set up.
  virtual bool can_fuse_steps(const Operator<B, T>& A, FusedForm form) const = 0;
  /// Enqueues a pass; the first one begins the control block, and each concludes it.
  virtual void fused_pass(const Operator<B, T>& A, const FusedStep<B, T>& step, int pass,
                          IterationState* control) = 0;
  virtual void fused_step_ended(const IterationState&) {}
  /// How many of the next steps have first passes of one kind, while each takes so many passes.
  virtual int steps_alike(int /*passes*/) const { return most_in_a_row; }

 public:  // for nvcc, which takes kernels from public members only
  /// The first `count` steps, none of which has begun.
  void mark_as_waiting(int count) {
    IterationState* const controls = controls_.data();
    this->be_.once("steps to come", [=] KERNEL() {
      for (int k = 0; k < count; ++k) controls[k].status = Status::waiting, controls[k].converged_after = 0;
    });
  }

 private:
  /// Guards that were set, taken back at the end.
  class Guards {
   public:
    explicit Guards(B& backend) : be_(backend) {}
    Guards(const Guards&) = delete;
    ~Guards() {
      for (; set_ > 0; --set_) be_.unguard();
    }
    void set(const int* flag, int value) {
      be_.guard(flag, value);
      ++set_;
    }

   private:
    B& be_;
    int set_ = 0;
  };

  /// Enqueues `count` steps of so many passes each with what is around them; returns how they ended.
  std::vector<IterationState> enqueue(const Operator<B, T>& A, FusedSteps<B, T>& steps, int count,
                                      int passes) {
    int k = 0;
    {
      Guards converged(this->be_);
      while (k < count) {
        FusedStep<B, T> step;
        try {
          step = steps.before(k);
        } catch (...) {  // a formula has no value then: that is for the step itself
          if (k == 0) throw;
          break;
        }
        IterationState* const control = controls_.data() + k;
        Vector* const latest = enqueue_passes(A, step, steps.spare(), control, passes);
        ++k;
        if constexpr (!B::asynchronous)
          if (look(k - 1, 1).front().converged_after != passes) break;
        converged.set(&control->converged_after, passes);
        steps.after(k - 1, latest);
      }
    }
    return look(0, k);
  }
  /// Those of one step, each but the first under the guard that there are to be more; returns where the last one leaves u.
  Vector* enqueue_passes(const Operator<B, T>& A, FusedStep<B, T> step, Vector& spare,
                         IterationState* control, int passes) {
    fused_pass(A, step, 0, control);
    Vector* const turns[2] = {step.u_to, &spare};
    for (int pass = 1; pass < passes; ++pass) {
      if constexpr (!B::asynchronous)
        if (look(int(control - controls_.data()), 1).front().status != Status::running) break;
      Guards unfinished(this->be_);
      unfinished.set(reinterpret_cast<const int*>(&control->status), int(Status::running));
      next_pass(A, step, turns, pass, control);
    }
    return turns[(passes - 1) % 2];
  }
  void next_pass(const Operator<B, T>& A, FusedStep<B, T>& step, Vector* const (&turns)[2], int pass,
                 IterationState* control) {
    step.tried = turns[(pass - 1) % 2];
    step.u_to = turns[pass % 2];
    fused_pass(A, step, pass, control);
  }
  std::vector<IterationState> look(int first, int count) {
    std::vector<IterationState> states(std::size_t(count), IterationState{});
    controls_.download(std::size_t(first), states.size(), states.data());
    return states;
  }
  /// Further passes of step k, where it needs them, after those that have left it in the state c; returns how it ended, and
  /// where u is.
  std::pair<IterationState, Vector*> go_on(const Operator<B, T>& A, FusedStep<B, T> step, Vector& spare,
                                           int k, IterationState c) {
    Vector* const turns[2] = {step.u_to, &spare};
    while (c.status == Status::running) {
      next_pass(A, step, turns, c.steps, controls_.data() + k);
      c = look(k, 1).front();
    }
    look_back_on(c);
    return {c, turns[(c.steps - 1) % 2]};
  }
  void look_back_on(const IterationState& c) {
    constexpr int most_foreseen = 4;
    passes_ = c.converged_after <= most_foreseen ? c.converged_after : 0;
    fused_step_ended(c);
  }

  Buffer<B, IterationState> controls_;  // of steps in a row
  int passes_ = 0;                      // that the last step took; 0: none is foreseen
  int row_ = 1;                         // steps to enqueue at once: more where all were as foreseen
};

}  // namespace wavesim
