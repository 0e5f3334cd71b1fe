#include "sim/run/output_plan.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/backend/errors.hpp"
#include "sim/model/coefficients.hpp"
#include "sim/model/model_parts.hpp"
#include "sim/time/schedule.hpp"
#include "solvers/catalogue/catalogue.hpp"

namespace wavesim {

long usual_interval(const TimePlan& plan) { return std::max(1L, plan.steps / 100); }

long usual_history(const Config& config, const TimePlan& plan) {
  return solves(config.time) ? 1 : std::max(1L, plan.steps / 1000);
}

bool has(const std::vector<std::string>& names, const char* name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

double arrival_threshold(const FieldsOutput& output, const Model& model) {
  if (output.arrival_threshold) return *output.arrival_threshold;
  const double largest = model.largest_displacement;
  if (largest == 0)
    output.where.fail(
        "arrival-time needs arrival-threshold, the |u| in metres that counts as arrived, because the initial "
        "displacement is zero; add it to output.fields");
  return 0.01 * largest;
}

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

std::vector<std::string> chain_of(const Config& config) {
  const SolverOptions own = config.solver_options();
  if (own.fallback.empty() || config.time.scheme == "explicit") return {};
  std::vector<std::string> names;
  const auto add = [&](const SolverOptions& o) {
    names.push_back(o.method + (o.preconditioned() ? "+" + short_name(o.preconditioner) : ""));
  };
  add(own);
  for (const SolverOptions& other : own.fallback) add(other);
  return names;
}

RunInfo output_outline(const Config& config, const Model& model, const TimePlan& plan) {
  const FieldsOutput& out = *config.output.frames;
  const Window window = output_window(out, model.grid);
  const long usual = usual_interval(plan);
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
  info.balance = config.output.energy.balance;
  info.solvers = chain_of(config);
  info.durable = config.output.durability == "frame";
  for (const std::string& q : out.quantities) {
    if (q == "speed")
      info.once.push_back({q, {}});
    else
      info.quantities.push_back(q);
  }
  // For those who draw the waves over their medium.
  if (info.once.empty() && has(out.formats, "vtkhdf") && model.smallest_speed < model.largest_speed)
    info.once.push_back({"speed", {}});
  info.planned_steps = plan.steps;
  info.planned_history = Schedule(config.output.history.schedule, plan, usual_history(config, plan)).count();
  info.planned_frames = Schedule(out.schedule, plan, usual).count();
  if (config.output.pictures)
    info.planned_pictures = Schedule(config.output.pictures->schedule, plan, usual).count();
  if (!model.receivers.empty())
    info.planned_samples = Schedule(config.output.receivers.schedule, plan, 1).count();
  for (const Receiver& r : model.receivers) info.receivers.push_back({r.name, r.x, r.y});
  return info;
}

RunInfo plan_output(const Config& config, const Model& model, const TimePlan& plan) {
  return plan_output(config, model, plan, planes_of_model(config, model, plan));
}
RunInfo plan_output(const Config& config, const Model& model, const TimePlan& plan,
                    const PlanesOfModel& planes) {
  RunInfo info = output_outline(config, model, plan);
  for (Plane& plane : info.once) plane.values = planes.speed;
  info.inside = planes.inside;
  info.rim = planes.rim;
  return info;
}

std::uintmax_t checkpoint_bytes(const Config& config, const Model& model) {
  const Unknowns u = make_unknowns(model);
  const auto& quantities = config.output.frames->quantities;
  double fields = 2.0 + has(quantities, "max-displacement") + has(quantities, "arrival-time");
  if (config.time.scheme != "explicit") {
    const GuessOptions guess = config.solver.guess_options();
    fields += guess.kind == "extrapolate"  ? guess.degree + 1
              : guess.kind == "projection" ? guess.solutions
                                           : 0;
  }
  const double word = config.bytes_of_a_value();
  return std::uintmax_t(fields * word * double(u.extent.nx) * double(u.extent.ny) + (64 << 10));
}

}  // namespace wavesim
