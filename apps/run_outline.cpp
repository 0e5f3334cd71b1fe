#include "apps/run_outline.hpp"

#include "sim/model/coefficients.hpp"
#include "sim/model/sampled_model.hpp"
#include "sim/prices/choose_prices.hpp"
#include "sim/run/choose_device.hpp"
#include "sim/run/choose_tolerance.hpp"
#include "sim/run/memory.hpp"
#include "sim/run/run_on_ranks.hpp"

namespace wavesim {

namespace {

void share_out(const Config& config, const DeviceFacts& device, int ranks, RunOutline& o) {
  require_shareable(config, o.model, ranks);
  o.ranks = ranks;
  const Extent e = make_unknowns(o.model, config.bytes_of_a_value()).extent;
  o.rows = rows_of_ranks(e, ranks);
  o.bytes_of_row = std::size_t(e.pitch) * std::size_t(e.word);
  if (device.kind == "cuda" && o.cost.seconds > 0 && !o.cost.gathers)
    o.efficiency = o.cost.seconds / ranks / seconds_on_gpus(o.cost, e, o.plan.steps, ranks);
  o.cost.device_bytes = device_bytes(config, o.model, ranks, device.kind == "cuda");
}

}  // namespace

RunOutline outline_run(Config& config, const DeviceFacts& device, double bandwidth, double most_nodes,
                       int ranks) {
  require_format(config.solver, device);
  choose_prices(config.solver, device);
  const Model outline = outline_of(config);
  require_countable(config, outline, ranks);
  SampledModel sampled = build_sampled_model(config, most_nodes);
  RunOutline o;
  o.model = std::move(sampled.model);
  if (sampled.stride > 1)
    o.model.notes.push_back(
        "the grid is large: the medium was looked at on every " + std::to_string(sampled.stride) +
        "th node along each axis, so that speeds, steps and what follows from them may be a little "
        "off");
  o.scheme = make_scheme(config.time, config.space.order);
  o.plan = plan_time(config, o.scheme, o.model);
  choose_tolerance(config, o.model, o.scheme, o.plan);
  o.output = output_outline(config, o.model, o.plan);
  o.disk = output_bytes(config.output, o.output, o.output.planned_pictures);
  make_writers(config.output,
               o.output);  // refuses what this build cannot write; writes nothing before begin()
  o.resolution = resolution(config, o.model, o.scheme, o.plan);
  o.cost = cost(config, o.model, o.scheme, o.plan, device, bandwidth, o.disk.most, ranks > 1);
  if (ranks > 1) share_out(config, device, ranks, o);
  o.host_bytes = host_bytes(config, outline, ranks);
  return o;
}

}  // namespace wavesim
