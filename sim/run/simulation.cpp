#include "sim/run/simulation.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "kernels/backend/errors.hpp"
#include "sim/prices/choose_prices.hpp"
#include "sim/run/choose_device.hpp"
#include "sim/run/choose_tolerance.hpp"
#include "sim/run/failure_sentences.hpp"
#include "sim/run/memory.hpp"
#include "sim/run/quantities.hpp"
#include "sim/run/readings.hpp"
#include "sim/run/run_log.hpp"
#include "sim/run/run_on_ranks.hpp"
#include "sim/run/stepper_setup.hpp"
#include "sim/run/timed.hpp"
#include "sim/time/stepper.hpp"
#include "solvers/core/archive_on_ranks.hpp"

namespace wavesim {

struct Simulation::Parts {
  Config config;
  Ranks* ranks;
  std::unique_ptr<PartsOfRanks> parts;  // of planes that are written; may be null
  StartSeconds start;
  DeviceFacts device;
  bool memory_suffices;  // looked at before the model takes any
  Model model;
  Scheme scheme;
  TimePlan plan;
  Window window;
  PlanesOfModel planes;  // where ranks share out the model
  Readings readings;
  std::unique_ptr<Stepper> stepper;
  std::vector<std::pair<long, double>> sampled;  // step and time of the samples that the stepper keeps
  long done = 0;                                 // steps
  bool begun = false;                            // the state at the start is recorded
  RunLog log;
  Supervision supervision;

  Parts(const Config& c, const std::string& wanted, Ranks* with)
      : config(c),
        ranks(with && with->count() > 1 ? with : nullptr),
        parts(ranks ? PartsOfRanks::make(*ranks) : nullptr),
        device(timed(start.device,
                     [&] { return ranks ? choose_device_of_rank(wanted, *ranks) : choose_device(wanted); })),
        memory_suffices(
            (require_memory(config, device,
                            ranks ? RankCounts{ranks->count(), ranks->on_host().count} : RankCounts{}),
             true)),
        model(timed(start.model, [&] { return build_model(config, ranks); })),
        scheme(make_scheme(config.time, config.space.order)),
        plan(plan_time(config, scheme, model)),
        window(output_window(*config.output.frames, model.grid)),
        readings(config, model, plan),
        log(plan, chain_of(config), config.output.energy.balance) {
    require_format(config.solver, device);
    if (ranks) require_shareable(config, model, ranks->count());
    if (ranks) planes = planes_of_model(config, model, plan, parts.get());
    choose_prices(config.solver, device, ranks);
    if (ranks) device.detail += ", " + std::to_string(ranks->count()) + " ranks";
    choose_tolerance(config, model, scheme, plan);
    StepperSetup setup = setup_of(config, model, scheme, plan);
    setup.ranks = ranks, setup.parts = parts.get();
    stepper =
        timed(start.state, [&] { return make_stepper(device.kind, config.precision == "single", setup); });
  }

  Plane plane(const std::string& quantity, double time, bool single) const {
    return {quantity, stepper->read(quantity_of(quantity), window, time, single)};
  }

  /// Whether any of the ranks says so.
  std::array<bool, 3> any(std::array<bool, 3> own) const { return ranks ? ranks->any(own) : own; }

  void take_samples(const std::vector<Writer*>& writers) {
    const std::vector<std::vector<double>> rows = stepper->samples();
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (Writer* w : writers) w->sample({sampled[k].first, sampled[k].second, rows[k]});
    sampled.clear();
  }

  [[noreturn]] void fail_not_finite(long n) {
    const double t = plan.dt * double(n);
    std::string kept;
    if (supervision.keeper)
      kept = supervision.keeper->keep_aside(n, t, [&](Archive& a) {
        const auto part = a.part("run");
        archive(a, true);
      });
    throw SolveError(not_finite_sentence(*stepper, config, model, scheme, n, t, kept));
  }

  void archive(Archive& a, bool solver) {
    if (!ranks) return archive_of_all(a, solver);
    ArchiveOnRanks together(*ranks, a);
    archive_of_all(together, solver);
  }
  void archive_of_all(Archive& a, bool solver) {
    a.number("steps done", done);
    a.number("begun", begun);
    std::vector<long> steps;
    std::vector<double> times;
    for (const auto& [step, time] : sampled) steps.push_back(step), times.push_back(time);
    a.list("sampled steps", steps);
    a.list("sampled times", times);
    if (times.size() != steps.size())
      throw InputError("saved state: samples lack their times or steps; go on from another checkpoint");
    if (a.loading()) {
      sampled.clear();
      for (std::size_t k = 0; k < steps.size(); ++k) sampled.emplace_back(steps[k], times[k]);
    }
    {
      const auto part = a.part("log");
      log.archive(a, stepper->set_up());
    }
    const auto part = a.part("wave");
    stepper->archive(a, solver);
  }

  /// A step whose state is not read: what a pass of several knows of it.
  void record_within(long n, const StepResult& result, const std::vector<Writer*>& writers) {
    log.begin_record();
    if (readings.history(n))
      log.output([&] {
        for (Writer* w : writers) w->step(log.record(n, result));
      });
    if (readings.sample(n)) sampled.emplace_back(n, plan.dt * double(n));
  }

  /// Everything that is due once the state of step n is there. `result`: of the step that led to it; null at
  /// the start.
  void record(long n, const StepResult* result, const std::vector<Writer*>& writers) {
    const double t = plan.dt * double(n);
    log.begin_record();
    const bool balanced = config.output.energy.balance;
    if (readings.energy(n)) {
      const double now = stepper->energy();
      if (!std::isfinite(now)) fail_not_finite(n);
      const bool other_form = n < scheme.energy_begins;
      log.measure(now, !other_form);
    }
    if (balanced && result) log.balance(stepper->energy_change());
    if (result && (readings.history(n) || log.measured()))
      log.output([&] {
        for (Writer* w : writers) w->step(log.record(n, *result));
      });
    if (readings.sample(n)) {
      if (!stepper->sample(t)) {
        log.output([&] { take_samples(writers); });
        stepper->sample(t);
      }
      sampled.emplace_back(n, t);
    }
    const bool frame_due = readings.frame(n), picture_due = readings.picture(n);
    if (!frame_due && !picture_due) return;
    log.output([&] {
      Frame frame;
      frame.step = n;
      frame.time = t;
      frame.energy = log.energy();
      frame.iterations = result ? result->report.iterations : 0;
      frame.residual = result ? result->report.relative_residual() : 0;
      if (picture_due) {
        Frame picture = frame;
        picture.planes.push_back(plane(config.output.pictures->quantity, t, true));
        for (Writer* w : writers) w->picture(picture);
      }
      if (!frame_due) return;
      for (const std::string& q : config.output.frames->quantities)
        if (q != "speed") frame.planes.push_back(plane(q, t, config.output.frames->precision == "single"));
      take_samples(writers);  // a frame on the disk has the samples before it beside it
      for (Writer* w : writers) w->frame(frame);
    });
  }
};

Simulation::Simulation(const Config& config, const std::string& device, Ranks* ranks)
    : parts_(std::make_unique<Parts>(config, device, ranks)) {}
Simulation::~Simulation() = default;

const Model& Simulation::model() const { return parts_->model; }
const Scheme& Simulation::scheme() const { return parts_->scheme; }
const TimePlan& Simulation::plan() const { return parts_->plan; }
const DeviceFacts& Simulation::device() const { return parts_->device; }
long Simulation::done() const { return parts_->done; }
void Simulation::supervise(const Supervision& supervision) { parts_->supervision = supervision; }

void Simulation::archive(Archive& a, bool solver) { parts_->archive(a, solver); }

RunInfo Simulation::info() {
  Parts& p = *parts_;
  RunInfo info = p.ranks ? plan_output(p.config, p.model, p.plan, std::exchange(p.planes, {}))
                         : plan_output(p.config, p.model, p.plan);
  char number[32];
  const auto fact = [&](const char* key, double v) {
    std::snprintf(number, sizeof number, "%.17g", v);
    info.facts[key] = number;
  };
  info.start = p.start;
  info.facts["device"] = p.device.name;
  info.facts["device-kind"] = p.device.kind;
  info.facts["device-detail"] = p.device.detail;
  info.facts["precision"] = p.config.precision;
  info.facts["scheme"] = p.scheme.name;
  info.facts.merge(price_facts(p.config.solver, p.device));
  fact("time-step", p.plan.dt);
  fact("courant-number", p.plan.courant);
  fact("steps", double(p.plan.steps));
  return info;
}

RunSummary Simulation::run(const std::vector<Writer*>& writers,
                           const std::function<void(const Progress&)>& progress,
                           const std::atomic<bool>& stop) {
  Parts& p = *parts_;
  RunLog& log = p.log;
  log.go_on();
  if (p.done > 0 && log.wants_balance()) log.begin_balance(p.stepper->energy());
  const auto finish = [&](const std::string& ending, bool complete) {
    const RunSummary& summary = log.finish(ending, complete, p.stepper->set_up());
    for (Writer* w : writers) w->finish(summary);
    return summary;
  };
  CheckpointClock clock(p.supervision);
  const auto save = [&] {
    if (p.any({p.supervision.keeper->has(p.done)})[0]) return;
    log.output([&] {
      clock.saves([&] {
        try {
          p.supervision.keeper->save(p.done, p.plan.dt * double(p.done),
                                     [&](Archive& a) { archive_all(a, writers); });
        } catch (const SolveError&) {  // the state is not finite
          p.fail_not_finite(p.done);
        }
      });
    });
  };
  bool stopped = false, time_is_up = false;
  try {
    if (!std::exchange(p.begun, true)) p.record(0, nullptr, writers);
    stopped = p.any({stop})[0];
    while (p.done < p.plan.steps && !stopped && !time_is_up) {
      const std::vector<StepResult> results = p.stepper->steps(p.done, p.readings.next(p.done, clock),
                                                               [&](long k) { return p.readings.sample(k); });
      long n = p.done;
      for (const StepResult& each : results) {
        log.add(each);
        if (++n < p.done + long(results.size())) p.record_within(n, each, writers);
      }
      const StepResult& result = results.back();  // led to the state of step n
      const Status status = result.report.status;
      if (status != Status::converged &&
          (!p.config.solver.on_failure->goes_on() || status == Status::not_finite)) {
        log.begin_record();
        for (Writer* w : writers) w->step(log.record(n, result));
        if (status == Status::not_finite) p.fail_not_finite(n);
        throw SolveError(failed_solve_sentence(p.config, result.report, n, p.plan.dt * double(n)));
      }
      p.done = n;
      p.record(n, &result, writers);
      log.report(progress);
      if (p.done == p.plan.steps) break;
      const auto [stop_now, up_now, due] = p.any({stop, clock.time_is_up(), clock.due(p.done)});
      stopped = stop_now, time_is_up = up_now;
      if (due && !time_is_up) save(), stopped = p.any({stop})[0];
    }
    if (p.supervision.stopping) p.supervision.stopping();
    if (clock.saves_at_end()) save();
    log.output([&] { p.take_samples(writers); });
  } catch (const OutputError&) {
    throw;                         // nothing more can be written
  } catch (const InputError& e) {  // a formula without a value at this time; too late for a wrong config
    finish(e.what(), false);
    throw SolveError(e.what());
  } catch (const std::exception& e) {
    finish(e.what(), false);
    throw;
  }
  if (p.done == p.plan.steps) return finish("done", true);
  return finish(time_is_up ? "stopped at time.wall-limit" : stopped_by_a_signal, false);
}

/// The writers may be ahead of the loop or behind it, so that they save how far they are themselves.
void Simulation::archive_all(Archive& a, const std::vector<Writer*>& writers) {
  {
    const auto part = a.part("run");
    archive(a);
  }
  const auto part = a.part("writers");
  for (Writer* w : writers) w->save(a);
}

}  // namespace wavesim
