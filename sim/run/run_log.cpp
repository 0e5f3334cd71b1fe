#include "sim/run/run_log.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/backend/errors.hpp"

namespace wavesim {

namespace {
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Whether the residual that the method kept and the true one have parted company.
bool parted(const Report& r) {
  const auto measure = [&](const Norms& n) { return r.norm == Norm::max ? n.largest : std::sqrt(n.squares); };
  const double own = measure(r.recurrence), truth = measure(r.final);
  return !(own <= 10 * truth && truth <= 10 * own);
}
}  // namespace

RunLog::RunLog(const TimePlan& plan) : plan_(plan), energy_(unknown) {
  summary_.energy_first = summary_.energy_last = summary_.energy_drift = unknown;
}

void RunLog::add(const StepResult& result) {
  const long n = result.report.iterations;
  summary_.iterations_min = summary_.steps == 0 ? n : std::min(summary_.iterations_min, n);
  summary_.iterations_max = std::max(summary_.iterations_max, n);
  summary_.assembly_seconds += result.assembly_seconds;
  summary_.solve_seconds += result.solve_seconds;
  iterations_ += n;
  ++summary_.steps;
  if (parted(result.report) && summary_.parted_steps++ == 0) summary_.parted_first = summary_.steps;
}

void RunLog::measure(long step, double energy) {
  energy_ = energy;
  measured_ = true;
  if (!std::isfinite(energy))
    throw SolveError(
        "step " + std::to_string(step) +
        ": the displacement is no longer finite; take a smaller time step, or check initial values, sources "
        "and medium for overflow");
  if (std::isnan(summary_.energy_first)) {
    summary_.energy_first = energy;
    if (energy != 0) summary_.energy_drift = 0;  // a run that starts at rest has nothing to compare with
  }
  summary_.energy_last = energy;
  if (summary_.energy_first != 0)
    summary_.energy_drift = std::max(
        summary_.energy_drift, std::abs(energy - summary_.energy_first) / std::abs(summary_.energy_first));
}

double RunLog::energy() const { return measured_ ? energy_ : unknown; }

StepRecord RunLog::record(long step, const StepResult& result) const {
  StepRecord r;
  r.step = step;
  r.time = plan_.dt * double(step);
  r.iterations = result.report.iterations;
  r.residual_2 = result.report.relative_residual();
  r.residual_max = result.report.final.largest;
  r.status = word(result.report.status);
  r.energy = energy();
  r.assembly_seconds = result.assembly_seconds;
  r.solve_seconds = result.solve_seconds;
  return r;
}

void RunLog::report(const std::function<void(const Progress&)>& progress) {
  if (!progress || (seconds_since(reported_) < 0.1 && summary_.steps != plan_.steps)) return;
  Progress now;
  now.step = summary_.steps;
  now.steps = plan_.steps;
  now.time = plan_.dt * double(summary_.steps);
  now.seconds = seconds_before_ + seconds_since(started_);
  now.iterations =
      double(iterations_ - iterations_reported_) / double(std::max(1L, summary_.steps - steps_reported_));
  now.energy = energy_;
  progress(now);
  reported_ = clock::now();
  iterations_reported_ = iterations_;
  steps_reported_ = summary_.steps;
}

const RunSummary& RunLog::finish(const std::string& ending, bool complete) {
  summary_.complete = complete;
  summary_.ending = ending;
  summary_.seconds = seconds_before_ += seconds_since(started_);
  go_on();
  summary_.iterations_mean = summary_.steps ? double(iterations_) / double(summary_.steps) : 0;
  return summary_;
}

void RunLog::archive(Archive& a) {
  double seconds = seconds_before_ + seconds_since(started_);
  a.number("steps", summary_.steps);
  a.number("seconds", seconds);
  a.number("assembly seconds", summary_.assembly_seconds);
  a.number("solve seconds", summary_.solve_seconds);
  a.number("output seconds", summary_.output_seconds);
  a.number("iterations", iterations_);
  a.number("least iterations", summary_.iterations_min);
  a.number("most iterations", summary_.iterations_max);
  a.number("parted steps", summary_.parted_steps);
  a.number("first parted step", summary_.parted_first);
  a.number("energy", energy_);
  a.number("first energy", summary_.energy_first);
  a.number("last energy", summary_.energy_last);
  a.number("energy drift", summary_.energy_drift);
  if (!a.loading()) return;
  seconds_before_ = seconds;
  go_on();
  iterations_reported_ = iterations_;
  steps_reported_ = summary_.steps;
}

}  // namespace wavesim
