#include "sim/run/run_log.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

RunLog::RunLog(const TimePlan& plan, std::vector<std::string> solvers, bool balanced)
    : plan_(plan),
      solvers_(std::move(solvers)),
      balanced_(balanced),
      energy_(unknown),
      balance_from_(unknown) {
  summary_.steps_of_solver.assign(solvers_.size(), 0);
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
  if (!summary_.steps_of_solver.empty()) ++summary_.steps_of_solver.at(std::size_t(result.report.solver));
  if (!result.report.converged() && summary_.failed_steps++ == 0) summary_.failed_first = summary_.steps;
  if (parted(result.report) && summary_.parted_steps++ == 0) summary_.parted_first = summary_.steps;
}

void RunLog::measure(double energy, bool comparable) {
  energy_ = energy;
  measured_ = true;
  if (std::isnan(summary_.energy_first) || (comparable && !comparable_)) {
    summary_.energy_first = energy;
    if (energy != 0) summary_.energy_drift = 0;  // a run that starts at rest has nothing to compare with
  }
  comparable_ = comparable_ || comparable;
  summary_.energy_last = energy;
  if (summary_.energy_first != 0)
    summary_.energy_drift = std::max(
        summary_.energy_drift, std::abs(energy - summary_.energy_first) / std::abs(summary_.energy_first));
}

void RunLog::begin_balance(double energy) {
  summary_.balance.emplace();
  balance_from_ = energy;
}

void RunLog::balance(const EnergyChange& change) {
  if (!summary_.balance) summary_.balance.emplace();
  EnergyBalance& sum = *summary_.balance;
  if (change.begins || std::isnan(balance_from_))
    balance_from_ = change.begins ? energy_ : summary_.energy_first;
  sum.sources += change.sources;
  sum.damping += change.damping;
  sum.outflow += change.outflow;
  sum.residual += change.residual;
  sum.error = energy_ - (balance_from_ + sum.sources - sum.damping - sum.outflow + sum.residual);
  for (const double v : {energy_, sum.sources, sum.damping, sum.outflow, sum.residual})
    balance_scale_ = std::max(balance_scale_, std::abs(v));
  if (balance_scale_ > 0)
    summary_.balance_error = std::max(summary_.balance_error, std::abs(sum.error) / balance_scale_);
}

double RunLog::energy() const { return measured_ ? energy_ : unknown; }

StepRecord RunLog::record(long step, const StepResult& result) const {
  StepRecord r;
  r.step = step;
  r.time = plan_.dt * double(step);
  r.iterations = result.report.iterations;
  r.residual_2 = result.report.relative_residual();
  r.residual_max = result.report.final.largest;
  r.residual_recurrence = result.report.relative_recurrence();
  r.solver = result.report.solver;
  for (const std::string& why : result.report.failures) r.failures += (r.failures.empty() ? "" : " ") + why;
  r.status = word(result.report.status);
  r.energy = energy();
  r.assembly_seconds = result.assembly_seconds;
  r.solve_seconds = result.solve_seconds;
  r.balance = summary_.balance.value_or(EnergyBalance{});
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

const RunSummary& RunLog::finish(const std::string& ending, bool complete, const std::string& set_up) {
  if (!set_up.empty()) summary_.set_up = set_up;  // a run that goes on may have no step left, and none now
  summary_.complete = complete;
  summary_.ending = ending;
  summary_.seconds = seconds_before_ += seconds_since(started_);
  go_on();
  summary_.iterations_mean = summary_.steps ? double(iterations_) / double(summary_.steps) : 0;
  return summary_;
}

void RunLog::archive(Archive& a, const std::string& set_up) {
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
  a.number("failed steps", summary_.failed_steps);
  a.number("first failed step", summary_.failed_first);
  std::vector<std::string> solvers = solvers_;
  a.list("solvers", solvers);
  a.list("steps of solvers", summary_.steps_of_solver);
  if (solvers != solvers_ || summary_.steps_of_solver.size() != solvers_.size())
    summary_.steps_of_solver.assign(solvers_.size(), 0);  // of another chain
  if (!set_up.empty()) summary_.set_up = set_up;
  std::vector<std::string> described;
  if (!summary_.set_up.empty()) described.push_back(summary_.set_up);
  a.list("set-up", described);
  if (a.loading()) summary_.set_up = described.empty() ? "" : described.front();
  a.number("energy can be compared", comparable_);
  a.number("energy", energy_);
  a.number("first energy", summary_.energy_first);
  a.number("last energy", summary_.energy_last);
  a.number("energy drift", summary_.energy_drift);
  EnergyBalance sum = summary_.balance.value_or(EnergyBalance{});
  bool balanced = summary_.balance.has_value();
  a.number("balanced", balanced);
  a.number("work of sources", sum.sources);
  a.number("loss by damping", sum.damping);
  a.number("outflow", sum.outflow);
  a.number("work of residuals", sum.residual);
  a.number("error of the balance", sum.error);
  a.number("largest error of the balance", summary_.balance_error);
  a.number("energy before the balance", balance_from_);
  a.number("scale of the balance", balance_scale_);
  summary_.balance.reset();
  if (balanced && balanced_) summary_.balance = sum;
  if (!a.loading()) return;
  seconds_before_ = seconds;
  go_on();
  iterations_reported_ = iterations_;
  steps_reported_ = summary_.steps;
}

}  // namespace wavesim
