#include "sim/error/measured_error.hpp"

#include <atomic>
#include <cmath>

#include "kernels/backend/errors.hpp"
#include "sim/input/text.hpp"
#include "sim/model/model_parts.hpp"
#include "sim/run/simulation.hpp"

namespace wavesim {

namespace {

/// How many times as many steps, and cells along each axis, as the config has.
struct Refinement {
  long steps = 1, cells = 1;
};

/// What runs are compared by: at the same times and the same nodes.
struct Recorded {
  std::vector<double> displacement, traces;
};

class Recorder final : public Writer {
 public:
  explicit Recorder(long last) : last_(last) {}
  void begin(const RunInfo&) override {}
  void frame(const Frame& f) override {
    if (f.step != last_) return;
    const auto values = f.planes.front().values.as<double>();
    recorded.displacement.assign(values.begin(), values.end());
  }
  void sample(const ReceiverSample& s) override {
    recorded.traces.insert(recorded.traces.end(), s.values.begin(), s.values.end());
  }
  Recorded recorded;

 private:
  long last_;
};

/// The config of one of the runs: nothing is due but its last frame and the samples that all have.
Config refined(const Config& config, double dt, long steps, Refinement times) {
  Config c = config;
  c.time.courant.reset(), c.time.step.reset(), c.time.end.reset(), c.time.wall_limit.clear();
  c.time.steps = steps * times.steps;
  c.time.decided_step = dt / double(times.steps);
  for (long& n : c.grid.cells) n *= times.cells;
  c.grid.refinement = times.cells;
  c.output = {};
  FieldsOutput& frames = *c.output.frames;
  frames.schedule.times = {dt * double(steps)};
  frames.precision = "double";
  frames.stride = times.cells;
  c.output.energy.schedule = frames.schedule;
  c.output.receivers.schedule.every = times.steps;
  c.checkpoint = nullptr, c.study = nullptr;
  return c;
}

int order_in_time(const Scheme& scheme, const Model& m) {
  bool lossless = m.damping.uniform() && m.damping.constant == 0;
  for (const EdgeCondition& e : m.edges) lossless = lossless && !e.radiation;
  if (scheme.order == 4 && lossless) return 4;
  return scheme.weights[0] == scheme.weights[2] ? 2 : 1;
}

int order_in_space(const Model& m) {
  if (is_constant(m)) return int(m.space_order);
  return m.region.empty() || !m.rim.cell_share.uniform() || !m.rim.crossings.empty() ? 2 : 1;
}

/// 1 / (1 - 2^-order): from what half the step or spacing changes to the error of the whole.
double to_error(int order) { return 1 / (1 - std::ldexp(1.0, -order)); }

std::optional<ErrorParts> parts_of(const std::vector<double>& own, const std::vector<double>& half_step,
                                   const std::vector<double>& half_both, double step, double grid) {
  ErrorParts e;
  double reference = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const double of_step = step * (own[i] - half_step[i]), of_grid = grid * (half_step[i] - half_both[i]);
    const double exact = own[i] - of_step - of_grid;
    e.step += of_step * of_step, e.grid += of_grid * of_grid;
    e.both += (of_step + of_grid) * (of_step + of_grid);
    reference += exact * exact;
  }
  if (!(reference > 0)) return {};
  for (double* sum : {&e.step, &e.grid, &e.both}) *sum = std::sqrt(*sum / reference);
  return e;
}

}  // namespace

MeasuredError measure_error(const Config& config, const std::string& device, std::optional<double> until,
                            const std::function<void(int, const std::array<long, 2>&, long)>& begins) {
  MeasuredError error;
  double dt = 0;
  {
    const Model model = build_model(config);
    const Scheme scheme = make_scheme(config.time, config.space.order);
    const TimePlan plan = plan_time(config, scheme, model);
    if (until && (!(*until > 0) || *until > plan.end * (1 + 1e-9)))
      throw InputError("the error until " + text(*until) + " s: the run of this config is from 0 to " +
                       text(plan.end) + " s; name a time in between");
    dt = plan.dt;
    error.end = plan.end;
    error.steps =
        until ? std::clamp(std::lround(std::ceil(*until / dt * (1 - 1e-12))), 1L, plan.steps) : plan.steps;
    error.until = dt * double(error.steps);
    error.order_in_time = order_in_time(scheme, model);
    error.order_in_space = order_in_space(model);
  }
  std::vector<Recorded> runs;
  for (const Refinement& times : {Refinement{1, 1}, Refinement{2, 1}, Refinement{2, 2}}) {
    const Config c = refined(config, dt, error.steps, times);
    if (begins) begins(int(runs.size()) + 1, c.grid.cells, *c.time.steps);
    Recorder recorder(*c.time.steps);
    const std::atomic<bool> stop{false};
    error.seconds += Simulation(c, device).run({&recorder}, {}, stop).seconds;
    runs.push_back(std::move(recorder.recorded));
  }
  const double step = to_error(error.order_in_time), grid = to_error(error.order_in_space);
  error.displacement = parts_of(runs[0].displacement, runs[1].displacement, runs[2].displacement, step, grid);
  error.traces = parts_of(runs[0].traces, runs[1].traces, runs[2].traces, step, grid);
  return error;
}

}  // namespace wavesim
