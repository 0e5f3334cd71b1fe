// wavesim CONFIG --dry-run: what the run would be. Writes nothing.

#include <cmath>
#include <cstdio>

#include "apps/answer.hpp"
#include "apps/commands.hpp"
#include "apps/run_outline.hpp"
#include "apps/several_runs.hpp"
#include "library/read_config.hpp"
#include "output/run/duration.hpp"
#include "output/run/one_line.hpp"
#include "output/run/result_directory.hpp"
#include "sim/config/tree.hpp"
#include "sim/model/model_parts.hpp"
#include "sim/model/pml_reflection.hpp"
#include "sim/run/advice.hpp"
#include "sim/run/choose_device.hpp"
#include "sim/run/copy_bandwidth.hpp"
#include "sim/run/simulation.hpp"

namespace wavesim {

namespace {

struct DryRun : RunOutline {
  const Config& config;
  const DeviceFacts& device;
  const std::vector<std::string>& advice;
};

/// A perfectly matched layer, and what returns from it of waves that fall on it straight and at 60 degrees.
struct Layer {
  const char* side;
  long cells;
  double straight, oblique;
};

/// Of the shortest waves of the run and of those up to four times as long what most returns of.
std::vector<Layer> layers_of(const DryRun& d) {
  std::vector<Layer> all;
  for (int side = 0; side < 4; ++side) {
    if (d.model.edges[side].pml_rate <= 0) continue;
    const int axis = side / 2;
    const double shortest =
        d.resolution.wavelength > 0 ? d.resolution.wavelength : 10 * d.model.grid.spacing[axis];
    Layer layer{side_names[std::size_t(side)], d.model.grid.layer[axis][side % 2], 0, 0};
    for (const double times : {1.0, 2.0, 4.0}) {
      layer.straight = std::max(layer.straight, reflection_of_layer(d.model, side, times * shortest, 1));
      layer.oblique = std::max(layer.oblique, reflection_of_layer(d.model, side, times * shortest, 0.5));
    }
    all.push_back(layer);
  }
  return all;
}

std::string memory_text(const DryRun& d) {
  const double device = double(d.cost.device_bytes), host = double(d.host_bytes);
  const std::string each = d.ranks > 1 ? "on each rank " : "";
  if (d.device.kind == "cpu")
    return each + "at least " + human_bytes(device + host) + " of " + human_bytes(double(d.device.free)) +
           " free" + (d.ranks > 1 ? " on this host" : "");
  return each + human_bytes(device) + " of " + human_bytes(double(d.device.free)) +
         " free on the device, at least " + human_bytes(host) + " of " +
         human_bytes(double(cpu_facts().free)) + " beside it";
}

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
  const bool layers = g.layer != std::array<std::array<long, 2>, 2>{};
  line("grid", text("%ld x %ld cells of %.4g x %.4g m%s", g.cells[0], g.cells[1], g.spacing[0], g.spacing[1],
                    layers ? ", absorbing layers included" : ""));
  if (d.ranks > 1)
    line("ranks", d.rows.fewest == d.rows.most
                      ? text("%d, of %d rows each", d.ranks, d.rows.most)
                      : text("%d, of %d to %d rows each", d.ranks, d.rows.fewest, d.rows.most));
  for (const Layer& layer : layers_of(d))
    line("layer",
         text("pml of %ld cell%s on the %s: returns %.2g of a wave that falls on it straight, %.2g at 60 "
              "degrees",
              layer.cells, layer.cells == 1 ? "" : "s", layer.side, layer.straight, layer.oblique));
  if (d.model.smallest_speed == d.model.largest_speed)
    line("speed", text("%.6g m/s", d.model.largest_speed));
  else
    line("speed", text("%.6g to %.6g m/s", d.model.smallest_speed, d.model.largest_speed));
  line("time", text("%ld steps of %.6g s to %.6g s, %s, Courant number %.4g%s", d.plan.steps, d.plan.dt,
                    d.plan.end, d.scheme.name.c_str(), d.plan.courant,
                    d.plan.reduced ? " (reduced, so that the end is a whole number of steps)" : ""));
  if (d.scheme.solves)
    line("system", text("condition number at most %.4g; %s on %s needs at most about %ld iterations a step",
                        d.plan.condition, d.config.solver.method.c_str(), d.config.solver.format.c_str(),
                        d.cost.iterations));
  if (const auto selector = foreseen(d.config, d.model, d.scheme, d.plan, d.device, d.ranks > 1))
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
  line("memory", memory_text(d));
  line("disk",
       text("about %s, at most %s: %ld frames of %ld x %ld nodes, %ld pictures, %ld samples of %zu receivers",
            human_bytes(double(d.disk.expected)).c_str(), human_bytes(double(d.disk.most)).c_str(),
            d.output.planned_frames, d.output.nx, d.output.ny, d.output.planned_pictures,
            d.output.planned_samples, d.output.receivers.size()));
  if (d.config.checkpoint)
    line("checkpoint",
         text("about %s each, the latest %ld of them kept",
              human_bytes(double(checkpoint_bytes(d.config, d.model))).c_str(), d.config.checkpoint->keep));
  if (d.efficiency > 0)
    line("links",
         text("%s to each neighbour in a step, in %.3g exchange%s; %.3g sum%s that all GPUs wait for",
              human_bytes(d.bytes_to_neighbour()).c_str(), d.cost.traffic.exchanges,
              d.cost.traffic.exchanges == 1 ? "" : "s", d.cost.traffic.sums,
              d.cost.traffic.sums == 1 ? "" : "s")),
        line("efficiency",
             text("about %.0f %% of the speed of %d GPUs, where they are of one host and have NVLink",
                  100 * d.efficiency, d.ranks));
  if (d.cost.seconds > 0 && d.ranks == 1)  // of ranks it has not been compared with measurements
    line("run time",
         text("about %s without output: %s a step at %.3g GB/s, the speed of a plain copy measured now%s",
              human_duration(d.cost.seconds).c_str(), human_bytes(d.cost.bytes_per_step).c_str(),
              d.cost.bandwidth * 1e-9, d.device.kind == "cuda" ? ", and 4 us for each kernel" : ""));
  for (const std::string& note : d.model.notes) std::printf("  note: %s\n", one_line(note).c_str());
  for (const std::string& sentence : d.advice) std::printf("  advice: %s\n", one_line(sentence).c_str());
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
  Tree layers = Tree::list();
  for (const Layer& layer : layers_of(d)) {
    Tree one = Tree::map();
    one.add("side", Tree::string(layer.side));
    one.add("cells", Tree::bare(std::to_string(layer.cells)));
    one.add("returns", Tree::bare(shortest(layer.straight)));
    one.add("returns-at-60-degrees", Tree::bare(shortest(layer.oblique)));
    layers.items.push_back(std::move(one));
  }
  t.add("layers", std::move(layers));
  number("ranks", d.ranks);
  if (d.ranks > 1) number("fewest-rows", d.rows.fewest), number("most-rows", d.rows.most);
  number("device-bytes", double(d.cost.device_bytes));
  number("device-bytes-free", double(d.device.free));
  number("disk-bytes-expected", double(d.disk.expected));
  number("disk-bytes", double(d.disk.most));
  if (d.config.checkpoint) number("checkpoint-bytes", double(checkpoint_bytes(d.config, d.model)));
  number("frames", double(d.output.planned_frames));
  number("pictures", double(d.output.planned_pictures));
  number("bytes-per-step", d.cost.bytes_per_step);
  number("copy-bandwidth", d.cost.bandwidth);
  if (d.ranks == 1) number("seconds", d.cost.seconds);
  if (d.efficiency > 0)
    number("bytes-to-neighbour", d.bytes_to_neighbour()), number("efficiency", d.efficiency);
  if (const auto selector = foreseen(d.config, d.model, d.scheme, d.plan, d.device, d.ranks > 1))
    t.add("choice", Tree::string(selector->decisions().front()));
  sentences("notes", d.model.notes);
  sentences("advice", d.advice);
  print_answer(t);
}

}  // namespace

int dry_run(const RunCommand& options) {
  Config config = read_config(options.config, options);
  if (is_survey(options, config)) return dry_runs(plan_survey(options, config), options);
  const DeviceFacts device = choose_device(config.device);
  const int ranks = std::max(1, options.processes);
  RunOutline o = outline_run(config, device, copy_bandwidth(device), 1e6, ranks);
  std::vector<std::string> sentences =
      advice(config, o.model, o.scheme, o.plan, o.resolution, o.cost, device, o.output);
  if (const int few = device.kind == "cuda" ? 1000 : 200; ranks > 1 && o.rows.fewest < few)
    sentences.push_back("A rank has " + std::to_string(o.rows.fewest) + " rows, and with fewer than about " +
                        std::to_string(few) + " messages take a good part of a step: take fewer ranks.");
  const DryRun d{std::move(o), config, device, sentences};
  options.json ? print_json(d) : print_text(d);
  return 0;
}

}  // namespace wavesim
