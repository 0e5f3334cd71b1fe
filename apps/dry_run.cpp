// wavesim CONFIG --dry-run: what the run would be. Writes nothing.

#include <cmath>
#include <cstdio>

#include "apps/answer.hpp"
#include "apps/commands.hpp"
#include "apps/read_config.hpp"
#include "output/run/duration.hpp"
#include "output/run/make_writers.hpp"
#include "output/run/result_directory.hpp"
#include "sim/config/tree.hpp"
#include "sim/model/model_parts.hpp"
#include "sim/prices/choose_prices.hpp"
#include "sim/run/advice.hpp"
#include "sim/run/choose_tolerance.hpp"
#include "sim/run/copy_bandwidth.hpp"
#include "sim/run/simulation.hpp"

namespace wavesim {

namespace {

struct DryRun {
  const Config& config;
  const Model& model;
  const Scheme& scheme;
  const TimePlan& plan;
  const DeviceFacts& device;
  const RunInfo& output;
  const Resolution& resolution;
  const Cost& cost;
  const std::vector<std::string>& advice;
};

void print_text(const DryRun& d) {
  const Grid& g = d.model.grid;
  const auto line = [](const char* what, const std::string& value) {
    std::printf("  %-12s %s\n", what, value.c_str());
  };
  const auto text = [](const char* format, auto... values) {
    char buffer[400];
    std::snprintf(buffer, sizeof buffer, format, values...);
    return std::string(buffer);
  };
  std::printf("%s (dry run: nothing is written)\n", d.config.name.c_str());
  line("device", d.device.name + ", " + d.device.detail);
  line("grid", text("%ld x %ld cells of %.4g x %.4g m, absorbing layers included", g.cells[0], g.cells[1],
                    g.spacing[0], g.spacing[1]));
  for (int side = 0; side < 4; ++side)
    if (const double R = d.model.edges[side].pml_reflection; R > 0)
      line("layer", text("pml of %ld cells on the %s: returns %.2g of a wave that falls on it straight, %.2g "
                         "at 60 degrees",
                         g.layer[side / 2][side % 2], side_names[std::size_t(side)], R, std::sqrt(R) / 3));
  line("speed", text("%.6g to %.6g m/s", d.model.smallest_speed, d.model.largest_speed));
  line("time", text("%ld steps of %.6g s to %.6g s, %s, Courant number %.4g%s", d.plan.steps, d.plan.dt,
                    d.plan.end, d.scheme.name.c_str(), d.plan.courant,
                    d.plan.reduced ? " (reduced, so that the end is a whole number of steps)" : ""));
  if (d.scheme.solves)
    line("system", text("condition number at most %.4g; %s on %s needs at most about %ld iterations a step",
                        d.plan.condition, d.config.solver.method.c_str(), d.config.solver.format.c_str(),
                        d.cost.iterations));
  if (const auto selector = foreseen(d.config, d.model, d.scheme, d.plan, d.device))
    line("method", "auto, " + selector->decisions().front());
  if (d.resolution.wavelength > 0) {
    line("waves",
         text("shortest %.4g m = %.1f cells; shortest period %.4g s = %.1f steps", d.resolution.wavelength,
              d.resolution.points_per_wavelength, d.resolution.period, d.resolution.steps_per_period));
    line("errors", text("of the wave speed there: %.2g %% by the grid, %.2g %% by the time step%s",
                        100 * d.resolution.space_error, 100 * d.resolution.time_error,
                        d.resolution.time_error < 0 ? " (of opposite sign)" : ""));
    const double periods = d.resolution.periods;
    line("at the end",
         text("after %.3g periods it is off by %.2g of one by the grid, %.2g by the time step", periods,
              periods * d.resolution.space_error, periods * std::abs(d.resolution.time_error)));
  }
  line("memory", human_bytes(double(d.cost.device_bytes)) + " of " + human_bytes(double(d.device.free)) +
                     " free on the device");
  line("disk",
       text("at most %s: %ld frames of %ld x %ld nodes, %ld pictures, %ld samples of %zu receivers",
            human_bytes(double(d.cost.disk_bytes)).c_str(), d.output.planned_frames, d.output.nx, d.output.ny,
            d.output.planned_pictures, d.output.planned_samples, d.output.receivers.size()));
  if (d.config.checkpoint)
    line("checkpoint",
         text("about %s each, the latest %ld of them kept",
              human_bytes(double(checkpoint_bytes(d.config, d.model))).c_str(), d.config.checkpoint->keep));
  if (d.cost.seconds > 0)
    line("run time",
         text("about %s without output: %s a step at %.3g GB/s, the speed of a plain copy measured now%s",
              human_duration(d.cost.seconds).c_str(), human_bytes(d.cost.bytes_per_step).c_str(),
              d.cost.bandwidth * 1e-9, d.device.kind == "cuda" ? ", and 4 us for each kernel" : ""));
  for (const std::string& note : d.model.notes) std::printf("  note: %s\n", note.c_str());
  for (const std::string& sentence : d.advice) std::printf("  advice: %s\n", sentence.c_str());
}

void print_json(const DryRun& d) {
  Tree t = Tree::map();
  const auto number = [&](const char* key, double v) {
    t.add(key, std::isfinite(v) ? Tree::bare(shortest(v)) : Tree());
  };
  const auto sentences = [&](const char* key, const std::vector<std::string>& list) {
    Tree all = Tree::list();
    for (const std::string& s : list) all.items.push_back(Tree::string(s));
    t.add(key, std::move(all));
  };
  t.add("name", Tree::string(d.config.name));
  t.add("device", Tree::string(d.device.name));
  number("cells-x", double(d.model.grid.cells[0]));
  number("cells-y", double(d.model.grid.cells[1]));
  number("smallest-speed", d.model.smallest_speed);
  number("largest-speed", d.model.largest_speed);
  number("steps", double(d.plan.steps));
  number("time-step", d.plan.dt);
  number("end", d.plan.end);
  number("courant", d.plan.courant);
  number("condition", d.plan.condition);
  number("iterations", double(d.cost.iterations));
  number("shortest-wavelength", d.resolution.wavelength);
  number("points-per-wavelength", d.resolution.points_per_wavelength);
  number("shortest-period", d.resolution.period);
  number("steps-per-period", d.resolution.steps_per_period);
  number("periods", d.resolution.periods);
  number("space-error", d.resolution.space_error);
  number("time-error", d.resolution.time_error);
  number("loss-per-period", d.resolution.loss_per_period);
  number("device-bytes", double(d.cost.device_bytes));
  number("device-bytes-free", double(d.device.free));
  number("disk-bytes", double(d.cost.disk_bytes));
  if (d.config.checkpoint) number("checkpoint-bytes", double(checkpoint_bytes(d.config, d.model)));
  number("frames", double(d.output.planned_frames));
  number("pictures", double(d.output.planned_pictures));
  number("bytes-per-step", d.cost.bytes_per_step);
  number("copy-bandwidth", d.cost.bandwidth);
  number("seconds", d.cost.seconds);
  if (const auto selector = foreseen(d.config, d.model, d.scheme, d.plan, d.device))
    t.add("choice", Tree::string(selector->decisions().front()));
  sentences("notes", d.model.notes);
  sentences("advice", d.advice);
  print_answer(t);
}

}  // namespace

int dry_run(const RunOptions& options) {
  Config config = read_config(options);
  const DeviceFacts device = choose_device(config.device);
  choose_prices(config.solver, device);
  Model model = build_model(config);
  const Scheme scheme = make_scheme(config.time);
  const TimePlan plan = plan_time(config, scheme, model);
  choose_tolerance(config, model, scheme, plan);
  const RunInfo output = plan_output(config, model, plan);
  const std::uintmax_t disk = output_bytes(config.output, output, output.planned_pictures);
  make_writers(config.output, output);  // refuses what this build cannot write; writes nothing before begin()
  const Resolution waves = resolution(config, model, scheme, plan);
  const Cost estimate = cost(config, model, scheme, plan, device, copy_bandwidth(device), disk);
  const std::vector<std::string> sentences =
      advice(config, model, scheme, plan, waves, estimate, device, output);
  const DryRun d{config, model, scheme, plan, device, output, waves, estimate, sentences};
  options.json ? print_json(d) : print_text(d);
  return 0;
}

}  // namespace wavesim
