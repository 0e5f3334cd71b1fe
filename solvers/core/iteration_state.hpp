#pragma once
// The state of a solve, kept in the backend's memory: kernels write it, the host looks once a batch of
// iterations.

#include "kernels/reduce/reduce.hpp"

namespace wavesim {

enum class Status : int {
  running,
  claimed,    // the recurrence says converged; the true residual has not been asked yet
  drifted,    // it was asked and said no: the solve goes on from the true residual
  converged,  // judged on the true residual
  max_iterations,
  breakdown,   // a denominator of the method is zero
  indefinite,  // <p, A p> <= 0: the matrix is not positive definite
  stagnated,   // the true residual stays above the goal while the recurrence is below it
  not_finite,
  restarting,  // the recurrence broke down: the solve goes on from the true residual
  waiting,     // for the step in time before it
};

enum class Norm : int {
  increment,   // ||r|| <= tolerance ||b - A u(n)||
  relative_2,  // ||r|| <= tolerance ||b||
  max,         // max |r| <= tolerance max |b|
};

struct IterationState {
  Status status = Status::running;
  int iteration = 0, max_iterations = 0;
  int steps = 0;            // of the method since it started (again), each one iteration or more
  int restarts = 0;         // after breakdowns
  int converged_after = 0;  // steps of a method that concludes; 0: it has not
  Norm norm = Norm::relative_2;
  double tolerance = 0, goal = 0;
  Norms reference, initial, residual, true_residual;
  /// For least squares, where |r| has a least value: |A' r| <= gradient_goal |r| is as good as the goal, which
  /// is tolerance |A| in the Frobenius norm. 0: not asked.
  double gradient_goal = 0;
  double true_gradient = 0;   // |A' r| / |r| of the true residual; 0: not asked
  double* history = nullptr;  // [max_iterations + 1], measure of the recurrence residual; null: not wanted

  HD double measure(const Norms& n) const { return norm == Norm::max ? n.largest : std::sqrt(n.squares); }

  /// For another solve of the same kind.
  HD void reset() {
    status = Status::running;
    iteration = steps = restarts = converged_after = 0;
    true_residual = {};
    true_gradient = 0;
  }
  /// Whether the method is to start again from the true residual, and that it does.
  bool goes_on() const { return status == Status::drifted || status == Status::restarting; }
  void start_again() {
    restarts += status == Status::restarting;
    status = Status::running;
    steps = 0;
  }
  /// The first residual of a solve is known. `relative_to`: the norms that the tolerance is relative to.
  HD void begin(const Norms& r, const Norms& relative_to) {
    initial = residual = r;
    reference = relative_to;
    goal = tolerance * measure(reference);
    history[0] = measure(r);
    if (!finite(r) || !finite(relative_to))
      status = Status::not_finite;
    else if (r.squares == 0)
      status = Status::claimed;
  }
  /// `done` iterations are done, and the last one left this residual. In the history the ones before it get
  /// the residual of the record before. `curvature`: <p, A p> where the method has it.
  HD void record(const Norms& r, const double* curvature, int done = 1) {
    residual = r;
    ++steps;
    if (done > 1)  // with a history
      for (const double before = history[iteration]; done > 1 && iteration < max_iterations - 1; --done)
        history[++iteration] = before;
    const double now = measure(r);
    ++iteration;
    if (history) history[iteration] = now;
    if (!finite(r))
      status = Status::not_finite;
    else if (now <= goal)
      status = Status::claimed;
    else if (curvature && !(*curvature > 0))
      status = Status::indefinite;
    else if (iteration >= max_iterations)
      status = Status::max_iterations;
  }
  /// The same where the residual is b - A x itself, not a recurrence's: a claim needs no second look.
  HD void conclude(const Norms& r, int done) {
    record(r, nullptr, done);
    if (status != Status::claimed) return;
    true_residual = r;
    status = Status::converged;
    converged_after = steps;
  }
  /// The true residual of a claimed solution.
  HD void verify(const Norms& r) {
    const double before = measure(true_residual);
    const bool asked_before = before > 0;
    true_residual = r;
    if (measure(r) <= goal)
      status = Status::converged;
    else if (!finite(r))
      status = Status::not_finite;
    else if (asked_before && measure(r) > 0.5 * before)
      status = Status::stagnated;
    else
      status = Status::drifted;
  }
  /// `gradient`: |A' r| of the residual that is known.
  HD void look_at(double gradient) {
    const bool goes_on = status == Status::running || status == Status::max_iterations;
    if (goes_on && gradient <= gradient_goal * std::sqrt(residual.squares)) status = Status::claimed;
  }
  /// The true residual of a claimed solution, and |A' r|.
  HD void verify(const Norms& r, double gradient) {
    const double before = true_gradient;
    verify(r);
    true_gradient = r.squares > 0 ? gradient / std::sqrt(r.squares) : 0;
    if (status == Status::converged || status == Status::not_finite || gradient_goal == 0) return;
    if (true_gradient <= gradient_goal)
      status = Status::converged;
    else if (status == Status::stagnated && true_gradient <= 0.5 * before)
      status = Status::drifted;  // the residual is near its least value, and the gradient falls
  }
  HD static bool finite(const Norms& n) { return n.squares - n.squares == 0 && n.largest - n.largest == 0; }
};

/// A quotient of two numbers in the backend's memory, taken once, where the last of them becomes known: `to`
/// = 0 without a denominator. Passes read it from there: a division in every thread would cost more than the
/// load.
struct Quotient {
  const double *numerator = nullptr, *denominator = nullptr;
  double* to = nullptr;
  HD double value() const { return to && *denominator != 0 ? *numerator / *denominator : 0; }
  HD void operator()() const {
    if (to) *to = value();
  }
};

}  // namespace wavesim
