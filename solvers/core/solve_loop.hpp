#pragma once
// The one loop around every iterative method. A method enqueues its start and its steps and never reads a
// result; scalars, iteration count and status live in the backend's memory (iteration_state.hpp). A method
// whose steps enqueue the same work again and again is recorded whole, with its loop, and the host looks
// once, after the solve; for others it looks once a batch of iterations.

#include <chrono>
#include <utility>

#include "solvers/core/compensation.hpp"
#include "solvers/core/recorded_solve.hpp"
#include "solvers/core/solver.hpp"

namespace wavesim {

template <class B, class T>
class SolveLoop : public Solver<B, T> {
 public:
  using Vector = Field<B, T>;
  SolveLoop(B& backend, Extent e, const SolverOptions& options)
      : be_(backend),
        extent_(e),
        control_(backend, 1),
        norms_(backend, 2),
        history_(backend, std::size_t(options.max_iterations) + 2),
        accurate_(options.accurate) {
    lasting_.tolerance = options.tolerance;
    lasting_.max_iterations = options.max_iterations;
    lasting_.norm = options.norm == "max"          ? Norm::max
                    : options.norm == "relative-2" ? Norm::relative_2
                                                   : Norm::increment;
    lasting_.history = history_.data();
    be_.upload(control_.data(), &lasting_, 1);
  }

  Report solve(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector& b, Vector& x, bool zero,
               const Norms* reference = nullptr) override {
    const Compensation<B> during_this_solve(be_, accurate_);
    prepare(A, M);
    const auto prepared = clock::now();
    const double bytes_before = be_.counts().bytes;

    be_.guard(nullptr, 0);  // a solve within the step of another is no part of it
    IterationState c;
    if (const RecordedSolve<B>* solve = recorded_solve(A, M, b, x, zero, reference)) {
      be_.enqueue(solve->work);
      be_.download(&c, control_.data(), 1);
      const int each = iterations_per_step();
      solve->count(be_.counts(), (c.iteration + each - 1) / each, was_claimed(c.status));
    } else {
      first_residual(A, b, x, zero, reference);
      from_zero_ = zero;
      guarded([&] { start(A, M, x); });
      c = iterate(A, M, b, x);
      from_zero_ = false;
    }
    while (c.goes_on()) {
      c.start_again();
      be_.upload(control_.data(), &c, 1);
      A.residual(b, x, residual(), norms_.data());
      guarded([&] { start(A, M, x); });
      c = iterate(A, M, b, x);
    }
    if (c.status != Status::converged) {
      A.residual(b, x, nullptr, norms_.data());
      be_.download(&c.true_residual, norms_.data(), 1);
    }
    be_.unguard();
    expected_ = c.iteration > 0 ? c.iteration : 1;
    return report_of(c, prepared, bytes_before);
  }

  long recordings() const override { return recorded_.made(); }
  std::vector<double> history() const override {
    std::vector<double> h(std::size_t(iterations_) + 1);
    be_.download(h.data(), history_.data(), h.size());
    return h;
  }

 protected:
  /// Sets up for A, before a solve whose A has other coefficients than the last one's. Unlike what follows,
  /// it may read results.
  virtual void set_up(const Operator<B, T>&) {}
  /// Where the first residual goes; null if the method needs only its norms.
  virtual Vector* residual() = 0;
  /// Enqueues what comes before the first iteration; residual() holds b - A x, its norms lie in
  /// first_norms().
  virtual void start(const Operator<B, T>& A, Preconditioner<B, T>* M, Vector& x) = 0;
  /// Enqueues one step.
  virtual void step(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector& b, Vector& x) = 0;
  /// After how many steps n what they enqueue repeats, pointers and numbers: step k + n as k, k >= n. 0: never.
  virtual int repeats_after() const { return 0; }
  /// Whether a step may be enqueued only when it is known to be wanted.
  virtual bool looks_each_step() const { return false; }
  /// Whether x is complete only after `finish`, which is enqueued when the status has left `running` and
  /// before the true residual is asked.
  virtual bool finishes() const { return false; }
  /// `c`: how it ended, with c.steps steps since `start`.
  virtual void finish(Preconditioner<B, T>*, Vector&, const IterationState& c) {}
  /// Iterations that a step records.
  virtual int iterations_per_step() const { return 1; }

  /// Asks the true residual of a claim.
  virtual void verify(const Operator<B, T>& A, const Vector& b, const Vector& x) {
    A.residual(b, x, nullptr, norms_.data(), {Epilogue::verify, control_.data(), nullptr, nullptr, {}});
  }

  /// As a solve does before it begins.
  void set_up_for(const Operator<B, T>& A) {
    const Compensation<B> as_in_a_solve(be_, accurate_);
    prepare(A, nullptr);
  }
  bool is_set_up_for(const Operator<B, T>& A) const { return A.version() == version_; }
  /// What `passes` do in place of solves, as reports; they return how those ended.
  template <class F>
  std::vector<Report> reports_on(F passes) {
    const Compensation<B> as_in_a_solve(be_, accurate_);
    const auto begin = clock::now();
    const double bytes_before = be_.counts().bytes;
    std::vector<IterationState> ended = passes();
    std::vector<Report> reports;
    for (IterationState& c : ended) {
      if (c.status != Status::converged) c.true_residual = c.residual;
      reports.push_back(report_of(c, begin, bytes_before));
    }
    const double seconds = reports.back().seconds, bytes = reports.back().bytes;
    for (Report& r : reports)
      r.seconds = seconds / double(reports.size()), r.bytes = bytes / double(reports.size());
    return reports;
  }

  const Norms* first_norms() const { return norms_.data(); }
  /// What a step does with the norms of its residual.
  Epilogue recorded(const double* curvature = nullptr, Quotient quotient = {}, int iterations = 1) const {
    return {Epilogue::record, control_.data(), curvature, nullptr, quotient, iterations};
  }

  B& be_;
  Extent extent_;
  Buffer<B, IterationState> control_;
  IterationState
      lasting_;  // what control blocks have in common; a solve begins with the epilogue of its first reduction
  bool from_zero_ = false;  // x holds zeros when `start` is enqueued

 private:
  using clock = std::chrono::steady_clock;

  void prepare(const Operator<B, T>& A, Preconditioner<B, T>* M) {
    const auto begin = clock::now();
    const long set_ups = M ? M->set_ups() : 0;
    const bool anew = A.version() != version_;
    if (anew) {
      recorded_.clear();
      set_up(A);
    }
    version_ = A.version();
    if (M) M->prepare(A);
    if (anew || (M && M->set_ups() != set_ups)) be_.synchronize();
    setup_seconds_ += std::chrono::duration<double>(clock::now() - begin).count();
  }

  Report report_of(const IterationState& c, clock::time_point begin, double bytes_before) {
    Report report;
    report.status = c.status;
    report.iterations = c.iteration;
    report.restarts = c.restarts;
    report.norm = c.norm;
    report.reference = c.reference;
    report.initial = c.initial;
    report.recurrence = c.residual;
    report.final = c.true_residual;
    report.goal = c.goal;
    report.bytes = be_.counts().bytes - bytes_before;
    report.setup_seconds = std::exchange(setup_seconds_, 0);
    report.seconds = std::chrono::duration<double>(clock::now() - begin).count();
    iterations_ = c.iteration;
    return report;
  }

  void first_residual(const Operator<B, T>& A, const Vector& b, Vector& x, bool zero,
                      const Norms* reference) {
    const Epilogue begin{Epilogue::begin, control_.data(), nullptr, reference, {}};
    if (zero) {
      if (residual())
        be_.map_sum("r = b, |r|", extent_, norms_.data(), NormsOf{}, begin, b.in(), residual()->out());
      else
        be_.map_sum("|b|", extent_, norms_.data(), NormsOf{}, begin, b.in());
      return;
    }
    if (!reference) {
      be_.map_sum("|b|", extent_, norms_.data() + 1, NormsOf{}, NoEpilogue{}, b.in());
      A.residual(b, x, residual(), norms_.data(),
                 {Epilogue::begin, control_.data(), nullptr, norms_.data() + 1, {}});
    } else {
      A.residual(b, x, residual(), norms_.data(), begin);
    }
  }

  const int* flag() const { return reinterpret_cast<const int*>(&control_.data()->status); }
  template <class F>
  void guarded(F f, Status while_status = Status::running) {
    be_.guard(flag(), int(while_status));
    f();
    be_.unguard();
  }

  static bool was_claimed(Status s) {
    return s == Status::converged || s == Status::drifted || s == Status::stagnated;
  }

  /// The whole solve as it was recorded, now or before; null if it is not.
  const RecordedSolve<B>* recorded_solve(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector& b,
                                         Vector& x, bool zero, const Norms* reference) {
    if (repeats_after() == 0 || looks_each_step() || finishes() || (M && M->synchronises())) return nullptr;
    const SolveKey key{&A, A.version(), M, M ? M->set_ups() : 0, b.data(), x.data(), reference, zero};
    return recorded_.find(key, [&] { return record(A, M, b, x, zero, reference); });
  }

  RecordedSolve<B> record(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector& b, Vector& x,
                          bool zero, const Norms* reference) {
    RecordedSolve<B> made;
    const OperationCounts before = be_.counts();
    const auto part = [&](OperationCounts& moves, auto enqueue) {
      be_.counts().clear();
      enqueue();
      moves = be_.counts();
    };
    const auto another = [&] {
      part(made.steps.emplace_back(), [&] { guarded([&] { step(A, M, b, x); }); });
    };
    const auto steps = [&](int n) {
      for (int k = 0; k < n; ++k) another();
    };
    made.work = be_.record([&] {
      part(made.before, [&] {
        first_residual(A, b, x, zero, reference);
        guarded([&] { start(A, M, x); });
      });
      steps(repeats_after());
      made.repeats = made.steps.size();
      be_.repeat_while(flag(), int(Status::running),
                       [&] { steps(steps_in_a_turn(made.steps.front(), A.facts().readable)); });
      part(made.claim, [&] { guarded([&] { verify(A, b, x); }, Status::claimed); });
    });
    be_.counts() = before;
    return made;
  }

  /// A turn of the loop costs a look at its condition, which several short steps share. Those that turn out
  /// not to be wanted cost a launch for each kernel, and blocks that start for nothing where the system is
  /// large; where products are a library's, which knows no guards (`guarded` false), whole products.
  int steps_in_a_turn(const OperationCounts& step, bool guarded) const {
    const bool brief = guarded && step.passes <= 4 && extent_.points() <= 1L << 21;
    const int period = repeats_after();
    return brief ? (4 + period - 1) / period * period : period;
  }

  /// Runs steps until the status is no longer `running`, then asks the true residual of a claim.
  IterationState iterate(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector& b, Vector& x) {
    if constexpr (!B::asynchronous) {
      be_.repeat_while(flag(), int(Status::running), [&] { step(A, M, b, x); });
      if (finishes()) finish(M, x, *control_.data());
      if (control_.data()->status == Status::claimed) verify(A, b, x);
      return *control_.data();
    } else {
      // As many steps as the last solve took, then small batches: a step too many is a launch that returns at
      // once, a look costs as much as several.
      IterationState c;
      const bool looks = looks_each_step() || (M && M->synchronises());
      int batch = looks ? 1 : (expected_ + iterations_per_step() - 1) / iterations_per_step();
      do {
        guarded([&] {
          for (int k = 0; k < batch; ++k) step(A, M, b, x);
        });
        if (!finishes()) guarded([&] { verify(A, b, x); }, Status::claimed);
        be_.download(&c, control_.data(), 1);
        batch = looks ? 1 : 2;
      } while (c.status == Status::running);
      if (finishes()) {
        finish(M, x, c);
        guarded([&] { verify(A, b, x); }, Status::claimed);
        be_.download(&c, control_.data(), 1);
      }
      return c;
    }
  }

  Buffer<B, Norms> norms_;
  Buffer<B, double> history_;
  bool accurate_;
  int expected_ = 8, iterations_ = 0;
  double setup_seconds_ = 0;  // since the last report
  long version_ = -1;
  RecordedSolves<B> recorded_;
};

}  // namespace wavesim
