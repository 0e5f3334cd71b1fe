#include "sim/study/study.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "kernels/backend/errors.hpp"
#include "sim/config/tree.hpp"
#include "sim/run/choose_tolerance.hpp"
#include "sim/run/stepper_setup.hpp"
#include "sim/study/bench.hpp"
#include "sim/sweep/product.hpp"

namespace wavesim {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// What methods may ask of the systems of a run: as operators say it (solvers/formats/row_operator.hpp).
MatrixFacts facts_of(const Model& model, const TimePlan& plan) {
  const HostCoefficients c = make_coefficients(model, make_unknowns(model), plan.dt, 0);
  const bool nine = model.space_order == 4;
  bool plain = nine ? c.uniform_nine_points.has_value() : !c.varying;
  for (const EdgeCondition& edge : model.edges) plain = plain && !edge.radiation;
  const Structure known = nine ? Structure::nine_points : Structure::wave_system;
  return {plain && !nine ? Structure::rectangle : known, true, false, plain};
}

/// The tolerance of the solves that carry the run on: as tight as they can be judged.
double reference_tolerance(const Config& config, const TimePlan& plan) {
  const double roundoff = std::ldexp(1.0, config.precision == "single" ? -24 : -53);
  const double reachable = 32 * roundoff * plan.condition;
  return std::min(config.solver.tolerance, std::max(1e-12, reachable));
}

std::vector<long> steps_of(const StudyConfig& study, long steps) {
  std::vector<long> all = study.at;
  if (study.every)
    for (long n = *study.every; n <= steps; n += *study.every) all.push_back(n);
  if (all.empty()) all.push_back(steps);  // a run that ends before the first of `every`
  std::sort(all.begin(), all.end());
  return all;
}

StudyPoint make_point(const Config& run, long number, std::optional<long> cells,
                      std::optional<double> courant) {
  StudyPoint p;
  p.number = number;
  p.config = run;
  Config& c = p.config;
  const StudyConfig& study = *run.study;
  if (cells) {
    const double slope = double(run.grid.cells[1]) / double(run.grid.cells[0]);
    c.grid.cells = {*cells, std::max(1L, std::lround(double(*cells) * slope))};
  }
  if (courant) {
    c.time.step.reset();
    c.time.courant = courant;
  }
  const bool swept = cells || courant;
  Model model = build_model(c);
  const Scheme scheme = make_scheme(c.time, c.space.order);
  if (!scheme.solves)
    c.time.where.fail("scheme " + scheme.name +
                      " has no systems to study; write scheme: crank-nicolson or two-level");
  TimePlan plan = plan_time(c, scheme, model);
  p.steps = steps_of(study, plan.steps);
  if (p.steps.back() > plan.steps) {
    if (!swept)
      study.where.fail("'study.at' names step " + std::to_string(p.steps.back()) + ", and the run has " +
                       std::to_string(plan.steps) + "; name earlier steps, or make the run longer");
    // With another time step the run has other steps: it goes on for as long as `at` asks.
    c.time.step = plan.dt;
    c.time.courant.reset();
    c.time.end.reset();
    c.time.steps = p.steps.back();
    plan = plan_time(c, scheme, model);
  }
  choose_tolerance(c, model, scheme, plan);
  p.cells = c.grid.cells;
  p.courant = plan.courant;
  p.candidates = expand_candidates(c, facts_of(model, plan));
  if (p.candidates.empty()) study.where.fail("no candidate fits the systems of this run; name some");
  return p;
}

std::unique_ptr<StudyBench> make_bench([[maybe_unused]] const std::string& kind, bool single,
                                       const StepperSetup& setup, Stepper& stepper,
                                       const std::vector<GuessOptions>& guesses) {
#ifdef WAVESIM_HAVE_CUDA
  if (kind == "cuda") return make_cuda_bench(single, setup, stepper, guesses);
#endif
  return make_host_bench(single, setup, stepper, guesses);
}

std::vector<GuessOptions> guesses_of(const std::vector<Candidate>& candidates) {
  std::vector<GuessOptions> all;
  for (const Candidate& c : candidates) {
    const GuessOptions g = c.solver.guess_options();
    if (std::find(all.begin(), all.end(), g) == all.end()) all.push_back(g);
  }
  return all;
}

/// The row of a candidate with everything that is known without solving.
StudyRow blank_row(const StudyPoint& p, const Candidate& c, long step, double time) {
  StudyRow r;
  r.point = p.number;
  r.cells_x = p.cells[0];
  r.cells_y = p.cells[1];
  r.courant = p.courant;
  r.step = step;
  r.time = time;
  r.candidate = c.name;
  r.method = c.solver.method;
  r.preconditioner = short_name(c.options().preconditioner);
  r.format = c.solver.format;
  r.precision = c.precision;
  r.guess = c.guess();
  r.tolerance = c.solver.tolerance;
  r.norm = c.solver.norm;
  for (double* v :
       {&r.setup_seconds, &r.solve_seconds, &r.least_seconds, &r.iteration_seconds, &r.bytes, &r.bandwidth,
        &r.bandwidth_share, &r.memory_bytes, &r.residual_2, &r.residual_max, &r.error_2, &r.error_max})
    *v = unknown;
  return r;
}

void fill(StudyRow& r, Measured m, double copy) {
  r.status = word(m.report.status);
  if (!m.report.converged()) r.message = advice(m.report.status, r.method);
  r.iterations = m.report.iterations;
  r.setup_seconds = m.setup_seconds;
  r.solve_seconds = m.seconds;
  r.least_seconds = m.least_seconds;
  if (r.iterations > 0) r.iteration_seconds = m.seconds / double(r.iterations);
  r.bytes = m.report.bytes;
  if (m.seconds > 0) r.bandwidth = m.report.bytes / m.seconds;
  if (copy > 0) r.bandwidth_share = r.bandwidth / copy;
  r.memory_bytes = m.memory;
  r.residual_2 = m.residual_2;
  r.residual_max = m.residual_max;
  r.error_2 = m.error_2;
  r.error_max = m.error_max;
  r.history = std::move(m.report.history);
}

class PointRun {
 public:
  PointRun(const StudyPoint& point, const DeviceFacts& device, double copy, const StudyCalls& calls)
      : point_(point),
        copy_(copy),
        calls_(calls),
        model_(build_model(point.config)),
        scheme_(make_scheme(point.config.time, point.config.space.order)),
        plan_(plan_time(point.config, scheme_, model_)),
        setup_{model_, scheme_, plan_, point.config.solver_options()} {
    const Config& c = point.config;
    setup_.solver.tolerance = c.study->reference_tolerance.value_or(reference_tolerance(c, plan_));
    setup_.solver.max_iterations = std::max(setup_.solver.max_iterations, 10000);
    setup_.solver.few_weak_rows = has_weak_rows(model_);
    setup_.format = c.solver.format;
    setup_.guess = c.solver.guess_options();
    setup_.assemble_each_step = false;
    setup_.exact_energy = c.solver.energy == "exact";
    const std::vector<GuessOptions> guesses = guesses_of(point.candidates);
    remembers_ = std::any_of(guesses.begin(), guesses.end(), [](auto& g) { return g.kind != "previous"; });
    const bool single = c.precision == "single";
    stepper_ = make_stepper(device.kind, single, setup_);
    bench_ = make_bench(device.kind, single, setup_, *stepper_, guesses);
  }

  /// From step n - 1 to step n; `look`: at its system with the candidates.
  void step(long n, bool look, StudyProgress& progress, const std::atomic<bool>& stop) {
    if (look || remembers_) bench_->take(n - 1);
    const StepResult result = stepper_->step(n - 1);
    if (!result.report.converged()) fail(n, result.report);
    if (look || remembers_) bench_->solved(n - 1);
    if (look)
      for (const Candidate& c : point_.candidates) {
        if (stop) return;
        StudyRow row = blank_row(point_, c, n, plan_.dt * double(n));
        if (calls_.done(row)) continue;
        progress.candidate = c.name;
        calls_.progress(progress);
        solve(c, row);
        calls_.row(row);
        ++progress.rows;
        ++progress.fresh;
      }
    progress.candidate.clear();
    if (remembers_) bench_->finish();
  }

 private:
  void solve(const Candidate& c, StudyRow& row) {
    const StudyConfig& study = *point_.config.study;
    Trial trial{c.options(),        c.solver.format,       c.solver.guess_options(), c.precision == "single",
                int(study.warm_up), int(study.repetitions)};
    trial.solver.few_weak_rows = has_weak_rows(model_);
    try {
      fill(row, bench_->measure(trial), copy_);
    } catch (const InputError& e) {
      row.status = "does-not-fit";
      row.message = e.what();
    } catch (const DeviceError& e) {  // memory, most often; if the device is lost, the run will say so
      row.status = "device-failed";
      row.message = e.what();
    } catch (const std::bad_alloc&) {
      row.status = "device-failed";
      row.message = "the computer's memory does not suffice; take fewer cells";
    }
  }

  [[noreturn]] void fail(long n, const Report& r) const {
    const SolverConfig& solver = point_.config.solver;
    throw SolveError("step " + std::to_string(n) + ": the run's own solver, " + solver.method +
                     " at tolerance " + shortest(setup_.solver.tolerance) + ", ended with " +
                     std::string(word(r.status)) + " after " + std::to_string(r.iterations) +
                     " iterations; loosen study.reference-tolerance, or name another method under solver");
  }

  const StudyPoint& point_;
  double copy_;
  const StudyCalls& calls_;
  Model model_;
  Scheme scheme_;
  TimePlan plan_;
  StepperSetup setup_;
  bool remembers_ = false;  // some guess wants to see every step
  std::unique_ptr<Stepper> stepper_;
  std::unique_ptr<StudyBench> bench_;
};

}  // namespace

long StudyPlan::rows() const {
  long n = 0;
  for (const StudyPoint& p : points) n += long(p.steps.size() * p.candidates.size());
  return n;
}

StudyPlan plan_study(const Config& config) {
  StudyPlan plan;
  const SweepConfig& sweep = config.study->sweep;
  std::vector<std::optional<long>> cells(sweep.cells.begin(), sweep.cells.end());
  std::vector<std::optional<double>> courant(sweep.courant.begin(), sweep.courant.end());
  if (cells.empty()) cells.emplace_back();
  if (courant.empty()) courant.emplace_back();
  for (const std::vector<std::size_t>& choice : product_of({cells.size(), courant.size()}))
    plan.points.push_back(make_point(config, long(plan.points.size()), cells[choice[0]], courant[choice[1]]));
  return plan;
}

void run_study(const StudyPlan& plan, const DeviceFacts& device, double copy, const StudyCalls& calls,
               const std::atomic<bool>& stop) {
  using clock = std::chrono::steady_clock;
  const auto begin = clock::now();
  StudyProgress progress;
  progress.all = plan.rows();
  for (const StudyPoint& p : plan.points)
    for (long step : p.steps)
      for (const Candidate& c : p.candidates) progress.rows += calls.done(blank_row(p, c, step, 0));
  const StudyCalls timed{calls.done, calls.row, [&](const StudyProgress&) {
                           progress.seconds = std::chrono::duration<double>(clock::now() - begin).count();
                           calls.progress(progress);
                         }};
  for (const StudyPoint& point : plan.points) {
    std::vector<long> wanted;
    for (long step : point.steps)
      for (const Candidate& c : point.candidates)
        if ((wanted.empty() || wanted.back() != step) && !calls.done(blank_row(point, c, step, 0)))
          wanted.push_back(step);
    if (wanted.empty()) continue;
    if (stop) return;
    PointRun run(point, device, copy, timed);
    progress.point = &point;
    for (long n = 1; n <= wanted.back() && !stop; ++n) {
      progress.step = n;
      timed.progress(progress);
      run.step(n, std::find(wanted.begin(), wanted.end(), n) != wanted.end(), progress, stop);
    }
  }
  timed.progress(progress);
}

}  // namespace wavesim
