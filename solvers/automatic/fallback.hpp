#pragma once
// Solvers in a chain: a system that one of them does not solve is handed to the next.

#include "solvers/automatic/cannot.hpp"
#include "solvers/catalogue/make.hpp"

namespace wavesim {

/// The first solver takes every system, with the preconditioner that solve() is given. The others, with preconditioners
/// of their own, are made when they are first wanted; each begins with x = 0. The report is that of the last one that
/// tried, and says why those before it could not.
template <class B, class T>
class Fallback final : public Solver<B, T>, public FusedStepper<B, T> {
 public:
  using Vector = Field<B, T>;
  Fallback(B& backend, std::unique_ptr<Solver<B, T>> first, std::vector<SolverOptions> others)
      : be_(backend), first_(std::move(first)), options_(std::move(others)), others_(options_.size()) {}

  Report solve(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector& b, Vector& x, bool zero,
               const Norms* reference) override {
    on_ranks_ = !A.extent().whole();
    Report report = std::exchange(fused_failure_, Report{});
    if (report.status == Status::running) {
      last_ = first_.get();
      report = attempt(0, Report{}, [&] { return first_->solve(A, M, b, x, zero, reference); });
    }
    while (goes_on_after(report)) {
      x.clear();
      report = attempt(report.solver + 1, report, [&] {
        Made& m = made(std::size_t(report.solver), A);
        last_ = m.solver.get();
        return m.solver->solve(A, m.preconditioner.get(), b, x, true, reference);
      });
    }
    return report;
  }

  FusedStepper<B, T>* fused() override { return first_->fused() ? this : nullptr; }
  bool takes_fused_steps(const Operator<B, T>& A, FusedForm form) override {
    form_ = form;
    return fused_failure_.status == Status::running && first_->fused()->takes_fused_steps(A, form);
  }
  int steps_in_a_row(int most) const override { return first_->fused()->steps_in_a_row(most); }
  std::vector<Report> take(const Operator<B, T>& A, FusedSteps<B, T>& steps, int count) override {
    std::vector<Report> reports = first_->fused()->take(A, steps, count);
    leave_to_others(A, reports.back());
    return reports;
  }
  std::pair<Report, Vector*> fused_step(const Operator<B, T>& A, FusedStep<B, T> step,
                                        Vector& spare) override {
    auto result = first_->fused()->fused_step(A, step, spare);
    leave_to_others(A, result.first);
    return result;
  }

  void archive(Archive& a, const Operator<B, T>& A) override {
    {
      const auto part = a.part("first");
      first_->archive(a, A);
    }
    std::vector<int> known;
    for (std::size_t k = 0; k < others_.size(); ++k)
      if (others_[k].solver) known.push_back(int(k));
    a.list("made", known);
    for (const int k : known) {
      const auto part = a.part(std::to_string(k));
      made(std::size_t(k), A).solver->archive(a, A);
    }
  }

  std::string describe() const override { return first_->describe(); }
  long recordings() const override {
    long n = first_->recordings();
    for (const Made& m : others_) n += m.solver ? m.solver->recordings() : 0;
    return n;
  }
  std::vector<double> history() const override { return last_ ? last_->history() : std::vector<double>{0}; }

 private:
  /// Where the method itself does not try this system again, solve() is for the others.
  void leave_to_others(const Operator<B, T>& A, const Report& report) {
    if (goes_on_after(report) && first_->fused()->takes_fused_steps(A, form_)) fused_failure_ = report;
  }

  struct Made {
    std::unique_ptr<Solver<B, T>> solver;
    std::unique_ptr<Preconditioner<B, T>> preconditioner;
  };

  Made& made(std::size_t k, const Operator<B, T>& A) {
    Made& m = others_.at(k);
    if (!m.solver) {
      m.preconditioner = make_outer_preconditioner<B, T>(options_[k], be_, A);
      m.solver = make_solver<B, T>(options_[k], be_, A);
    }
    return m;
  }

  /// The report of solver `k`, with what those before it took and why they failed. What it throws is a breakdown, unless
  /// it is the last one.
  template <class F>
  Report attempt(int k, const Report& before, F solve) {
    Report r;
    try {
      r = solve();
    } catch (...) {
      be_.guard(nullptr, 0);  // a solve that was left in the middle may have left its own
      if (k == int(options_.size())) throw;
      why_it_cannot(on_ranks_);  // goes on throwing what is a mistake of the program
      r.status = Status::breakdown;
    }
    r.seconds += before.seconds;
    r.bytes += before.bytes;
    r.setup_seconds += before.setup_seconds;
    r.solver = k;
    r.failures = before.failures;
    if (k > 0) r.failures.emplace_back(word(before.status));
    return r;
  }
  /// Whether the next solver takes the system: there is one, and the system has a solution.
  bool goes_on_after(const Report& r) const {
    return !r.converged() && IterationState::finite(r.reference) && r.solver < int(options_.size());
  }

  B& be_;
  std::unique_ptr<Solver<B, T>> first_;
  const std::vector<SolverOptions> options_;
  std::vector<Made> others_;
  Solver<B, T>* last_ = nullptr;
  bool on_ranks_ = false;
  Report fused_failure_;  // of the step at hand, that solve() is to go on from
  FusedForm form_ = FusedForm::first_order;
};

}  // namespace wavesim
