#include "sim/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "kernels/errors.hpp"
#include "sim/schedule.hpp"
#include "sim/stepper/stepper.hpp"

namespace wavesim {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

Quantity quantity_of(const std::string& name) {
  if (name == "displacement") return Quantity::displacement;
  if (name == "velocity") return Quantity::velocity;
  if (name == "energy-density") return Quantity::energy_density;
  if (name == "max-displacement") return Quantity::max_displacement;
  return Quantity::arrival_time;
}

bool has(const std::vector<std::string>& names, const char* name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::unique_ptr<Stepper> make_stepper_on(const std::string& kind, bool single, const StepperSetup& setup) {
#ifdef WAVESIM_HAVE_CUDA
  if (kind == "cuda") return make_cuda_stepper(single, setup);
#endif
  return make_host_stepper(single, setup);
}

SolverOptions solver_options(const SolverConfig& c) {
  SolverOptions o;
  o.method = c.method;
  o.preconditioner = c.preconditioner.type;
  o.tolerance = c.tolerance;
  o.norm = c.norm;
  o.max_iterations = int(c.max_iterations);
  o.relaxation = c.relaxation;
  return o;
}

/// |u| that counts as arrived: what the user says, or 1 % of the largest initial displacement.
double arrival_threshold(const FieldsOutput& output, const Model& model) {
  if (output.arrival_threshold) return *output.arrival_threshold;
  double largest = std::abs(model.displacement.constant);
  for (double v : model.displacement.values) largest = std::max(largest, std::abs(v));
  if (largest == 0)
    output.where.fail(
        "arrival-time needs arrival-threshold, the |u| in metres that counts as arrived, because the initial "
        "displacement is "
        "zero; add it to output.fields");
  return 0.01 * largest;
}

std::string sentence(long step, double time, const SolverConfig& solver, const Report& r) {
  char text[200];
  std::snprintf(text, sizeof text,
                "step %ld (t = %.6g s): %s ended with %s after %d iterations, true residual %.3g of the %s "
                "norm's reference; ",
                step, time, solver.method.c_str(), std::string(word(r.status)).c_str(), r.iterations,
                r.relative_residual(), solver.norm.c_str());
  return text + std::string(advice(r.status));
}

/// About a hundred frames where the config says nothing.
long default_every(const TimePlan& plan) { return std::max(1L, plan.steps / 100); }

}  // namespace

DeviceFacts choose_device(const std::string& wanted) {
  if (wanted == "cpu") return cpu_facts();
  const std::vector<DeviceFacts> gpus = cuda_facts();
  if (!gpus.empty()) return gpus.front();
  if (wanted == "cuda")
    throw DeviceError("device cuda was asked for, but " + why_no_cuda() + "; or run with --device cpu");
  return cpu_facts();
}

struct Simulation::Parts {
  Config config;
  DeviceFacts device;
  Model model;
  Scheme scheme;
  TimePlan plan;
  Window window;
  Schedule frames, pictures, samples, history, energy;
  std::unique_ptr<Stepper> stepper;

  Parts(const Config& c, const std::string& wanted)
      : config(c),
        device(choose_device(wanted)),
        model(build_model(config)),
        scheme(make_scheme(config.time)),
        plan(plan_time(config, scheme, model)),
        window(output_window(*config.output.frames, model.grid)),
        frames(config.output.frames->schedule, plan, default_every(plan)),
        pictures(config.output.pictures ? config.output.pictures->schedule : ScheduleConfig{}, plan,
                 default_every(plan)),
        samples(config.output.receivers.schedule, plan, 1),
        history(config.output.history.schedule, plan, 1),
        energy(config.output.energy.schedule.given() ? config.output.energy.schedule
                                                     : config.output.frames->schedule,
               plan, default_every(plan)) {
    const auto& quantities = config.output.frames->quantities;
    const bool arrival = has(quantities, "arrival-time");
    StepperSetup setup{model, scheme, plan, solver_options(config.solver)};
    setup.format = config.solver.format;
    setup.extrapolate = config.solver.guess == "extrapolate";
    setup.assemble_each_step = config.solver.assembly == "each-step";
    setup.track_maximum = has(quantities, "max-displacement");
    setup.track_arrival = arrival;
    if (arrival) setup.arrival_threshold = arrival_threshold(*config.output.frames, model);
    stepper = make_stepper_on(device.kind, config.precision == "single", setup);
  }

  bool single_output() const { return config.output.frames->precision == "single"; }
  Plane plane(const std::string& quantity, const Window& w, double time, bool single) const {
    Plane p;
    p.quantity = quantity;
    if (single)
      stepper->read(quantity_of(quantity), w, time, p.values.emplace<std::vector<float>>());
    else
      stepper->read(quantity_of(quantity), w, time, p.values.emplace<std::vector<double>>());
    return p;
  }
};

Window output_window(const FieldsOutput& output, const Grid& grid) {
  Window w;
  w.stride = output.stride;
  for (int axis = 0; axis < 2; ++axis) {
    long first = output.layers ? 0 : grid.layer[axis][0];
    long last = output.layers ? grid.cells[axis] : grid.cells[axis] - grid.layer[axis][1];
    if (output.region) {
      const double low = (*output.region)[axis], high = (*output.region)[axis + 2];
      const double h = grid.spacing[axis];
      const long inner = std::lround(std::ceil((low - grid.origin[axis]) / h - 1e-9));
      const long outer = std::lround(std::floor((high - grid.origin[axis]) / h + 1e-9));
      if (!(low < high) || outer < first || inner > last)
        output.where.fail("region [x0, y0, x1, y1] holds no node of the grid; it must overlap " +
                          std::to_string(grid.low(axis)) + " to " + std::to_string(grid.high(axis)) +
                          " m in " + (axis == 0 ? "x" : "y"));
      first = std::max(first, inner);
      last = std::min(last, outer);
    }
    w.first[axis] = first;
    w.count[axis] = (last - first) / w.stride + 1;
    if (w.count[axis] < 2)
      output.where.fail("region and stride leave " + std::to_string(w.count[axis]) + " node in " +
                        (axis == 0 ? "x" : "y") +
                        "; at least 2 are needed, so use a larger region or a smaller stride");
  }
  return w;
}

Simulation::Simulation(const Config& config, const std::string& device)
    : parts_(std::make_unique<Parts>(config, device)) {}
Simulation::~Simulation() = default;

const Model& Simulation::model() const { return parts_->model; }
const Scheme& Simulation::scheme() const { return parts_->scheme; }
const TimePlan& Simulation::plan() const { return parts_->plan; }
const DeviceFacts& Simulation::device() const { return parts_->device; }

RunInfo plan_output(const Config& config, const Model& model, const TimePlan& plan) {
  const FieldsOutput& out = *config.output.frames;
  const Window window = output_window(out, model.grid);
  const long usual = default_every(plan);
  if (has(out.quantities, "arrival-time")) arrival_threshold(out, model);  // throws if there is none
  RunInfo info;
  info.name = config.name;
  info.nx = window.count[0];
  info.ny = window.count[1];
  for (int axis = 0; axis < 2; ++axis) {
    info.origin[axis] = model.grid.at(axis, window.first[axis]);
    info.spacing[axis] = model.grid.spacing[axis] * double(window.stride);
  }
  info.single = out.precision == "single";
  info.compression = int(out.compression);
  for (const std::string& q : out.quantities) {
    if (q != "speed") {
      info.quantities.push_back(q);
      continue;
    }
    std::vector<double> speed;
    for (long row = 0; row < window.count[1]; ++row)
      for (long col = 0; col < window.count[0]; ++col)
        speed.push_back(model.speed[model.grid.index(window.first[0] + col * window.stride,
                                                         window.first[1] + row * window.stride)]);
    Plane plane{"speed", {}};
    if (info.single)
      plane.values = std::vector<float>(speed.begin(), speed.end());
    else
      plane.values = std::move(speed);
    info.once.push_back(std::move(plane));
  }
  info.planned_steps = plan.steps;
  info.planned_frames = Schedule(out.schedule, plan, usual).count();
  if (config.output.pictures)
    info.planned_pictures = Schedule(config.output.pictures->schedule, plan, usual).count();
  if (!model.receivers.empty())
    info.planned_samples = Schedule(config.output.receivers.schedule, plan, 1).count();
  for (const Receiver& r : model.receivers) info.receivers.push_back({r.name, r.x, r.y});
  return info;
}

RunInfo Simulation::info() const {
  const Parts& p = *parts_;
  RunInfo info = plan_output(p.config, p.model, p.plan);
  char number[32];
  const auto fact = [&](const char* key, double v) {
    std::snprintf(number, sizeof number, "%.17g", v);
    info.facts[key] = number;
  };
  info.facts["device"] = p.device.name;
  info.facts["device-kind"] = p.device.kind;
  info.facts["device-detail"] = p.device.detail;
  info.facts["precision"] = p.config.precision;
  info.facts["scheme"] = p.scheme.name;
  fact("time-step", p.plan.dt);
  fact("courant-number", p.plan.courant);
  fact("steps", double(p.plan.steps));
  return info;
}

RunSummary Simulation::run(const std::vector<Writer*>& writers,
                           const std::function<void(const Progress&)>& progress,
                           const std::atomic<bool>& stop) {
  using clock = std::chrono::steady_clock;
  Parts& p = *parts_;
  const auto seconds_since = [](clock::time_point t) {
    return std::chrono::duration<double>(clock::now() - t).count();
  };
  const auto started = clock::now();
  auto reported = started;

  RunSummary summary;
  summary.iterations_min = std::numeric_limits<long>::max();
  summary.energy_first = summary.energy_last = summary.energy_drift = unknown;
  double energy = unknown;
  long iterations = 0, iterations_reported = 0, step_reported = 0;
  std::vector<std::pair<long, double>> sampled;

  const auto output = [&](auto&& write) {
    const auto before = clock::now();
    for (Writer* w : writers) write(*w);
    summary.output_seconds += seconds_since(before);
  };
  const auto take_samples = [&] {
    const std::vector<std::vector<double>> rows = p.stepper->samples();
    output([&](Writer& w) {
      for (std::size_t k = 0; k < rows.size(); ++k) w.sample({sampled[k].first, sampled[k].second, rows[k]});
    });
    sampled.clear();
  };
  /// Everything that is due once the state of step n is there.
  const auto record = [&](long n, const StepResult* result) {
    const double t = p.plan.dt * double(n);
    bool measured = false;
    if (p.energy.due(n)) {
      energy = p.stepper->energy();
      measured = true;
      if (std::isnan(summary.energy_first)) {
        summary.energy_first = energy;
        summary.energy_drift = 0;
      }
      summary.energy_last = energy;
      if (summary.energy_first != 0)
        summary.energy_drift = std::max(
            summary.energy_drift, std::abs(energy - summary.energy_first) / std::abs(summary.energy_first));
      if (!std::isfinite(energy) || !std::isfinite(p.stepper->largest_displacement()))
        throw SolveError("step " + std::to_string(n) +
                         ": the displacement is no longer finite; take a smaller time step, or "
                         "check initial values, sources and medium for overflow");
    }
    if (result && p.history.due(n)) {
      StepRecord r;
      r.step = n;
      r.time = t;
      r.iterations = result->report.iterations;
      r.residual_2 = result->report.relative_residual();
      r.residual_max = result->report.final.largest;
      r.status = word(result->report.status);
      r.energy = measured ? energy : unknown;
      r.assembly_seconds = result->assembly_seconds;
      r.solve_seconds = result->solve_seconds;
      output([&](Writer& w) { w.step(r); });
    }
    if (!p.model.receivers.empty() && p.samples.due(n)) {
      if (!p.stepper->sample(t)) {
        take_samples();
        p.stepper->sample(t);
      }
      sampled.emplace_back(n, t);
    }
    const bool frame_due = p.frames.due(n), picture_due = p.config.output.pictures && p.pictures.due(n);
    if (frame_due || picture_due) {
      const auto before = clock::now();
      Frame frame;
      frame.step = n;
      frame.time = t;
      frame.energy = measured ? energy : unknown;
      frame.iterations = result ? result->report.iterations : 0;
      frame.residual = result ? result->report.relative_residual() : unknown;
      Frame picture = frame;
      if (frame_due)
        for (const std::string& q : p.config.output.frames->quantities)
          if (q != "speed") frame.planes.push_back(p.plane(q, p.window, t, p.single_output()));
      if (picture_due) picture.planes.push_back(p.plane("displacement", p.window, t, true));
      if (frame_due && !sampled.empty()) take_samples();
      for (Writer* w : writers) {
        if (frame_due) w->frame(frame);
        if (picture_due) w->picture(picture);
      }
      summary.output_seconds += seconds_since(before);
    }
  };
  const auto finish = [&](const std::string& ending, bool complete) {
    summary.complete = complete;
    summary.ending = ending;
    summary.seconds = seconds_since(started);
    if (summary.steps == 0) summary.iterations_min = 0;
    summary.iterations_mean = summary.steps ? double(iterations) / double(summary.steps) : 0;
    for (Writer* w : writers) w->finish(summary);
  };

  try {
    record(0, nullptr);
    for (long n = 0; n < p.plan.steps && !stop; ++n) {
      const StepResult result = p.stepper->step(n);
      summary.steps = n + 1;
      summary.assembly_seconds += result.assembly_seconds;
      summary.solve_seconds += result.solve_seconds;
      iterations += result.report.iterations;
      summary.iterations_min = std::min<long>(summary.iterations_min, result.report.iterations);
      summary.iterations_max = std::max<long>(summary.iterations_max, result.report.iterations);
      const bool failed = !result.report.converged();
      if (failed && (p.config.solver.on_failure == "stop" || result.report.status == Status::not_finite)) {
        StepRecord r;
        r.step = n + 1;
        r.time = p.plan.dt * double(n + 1);
        r.iterations = result.report.iterations;
        r.residual_2 = result.report.relative_residual();
        r.residual_max = result.report.final.largest;
        r.status = word(result.report.status);
        r.energy = unknown;
        for (Writer* w : writers) w->step(r);
        throw SolveError(sentence(n + 1, r.time, p.config.solver, result.report));
      }
      record(n + 1, &result);
      if (progress && (seconds_since(reported) > 0.1 || n + 1 == p.plan.steps)) {
        Progress now;
        now.step = n + 1;
        now.steps = p.plan.steps;
        now.time = p.plan.dt * double(n + 1);
        now.seconds = seconds_since(started);
        now.iterations = double(iterations - iterations_reported) / double(n + 1 - step_reported);
        now.energy = energy;
        progress(now);
        reported = clock::now();
        iterations_reported = iterations;
        step_reported = n + 1;
      }
    }
    if (!sampled.empty()) take_samples();
  } catch (const OutputError&) {
    throw;  // nothing more can be written
  } catch (const std::exception& e) {
    finish(e.what(), false);
    throw;
  }
  finish(stop ? "stopped by a signal" : "done", !stop);
  return summary;
}

std::size_t device_bytes(const Config& config, const Model& model) {
  const Unknowns u = make_unknowns(model);
  const double points = double(u.extent.pitch) * (u.extent.ny + 2);
  const double T = config.precision == "single" ? 4 : 8;
  const bool uniform =
      model.mass.uniform() && model.tension.uniform() && model.damping.uniform() && model.region.empty();
  const bool periodic = u.topology.wrap_x || u.topology.wrap_y;
  const SolverConfig& s = config.solver;
  double fields = 4 + (uniform ? 0 : 4);  // u, p, b, d; mass, damping, east, north
  double matrix = 0;
  if (config.time.scheme != "explicit") {
    const bool preconditioned = s.preconditioner.type != "none";
    if (s.method == "cg")
      fields += 3 + (s.format != "stencil") + preconditioned;
    else if (s.method == "bicgstab")
      fields += 6 + 2 * preconditioned;
    else
      fields += 1;
    fields += preconditioned;
    if (s.format == "dia") matrix = (periodic ? 9 : 5) * T;
    if (s.format == "ellpack-r" || s.format == "csr") matrix = 5 * (T + 4) + 4;
  }
  const auto& quantities = config.output.frames->quantities;
  fields += has(quantities, "max-displacement") + has(quantities, "arrival-time");
  const Window w = output_window(*config.output.frames, model.grid);
  const double staging =
      double(w.count[0]) * double(w.count[1]) * (config.output.frames->precision == "single" ? 4 : 8);
  return std::size_t(points * (fields * T + matrix) + staging);
}

}  // namespace wavesim
