#include "sim/run/cost.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/lax_wendroff/lax_wendroff.hpp"
#include "kernels/transform/trigonometric.hpp"
#include "sim/model/coefficients.hpp"
#include "sim/model/layers_frame.hpp"
#include "sim/model/model_parts.hpp"
#include "sim/run/blocked_passes.hpp"
#include "sim/run/memory.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "solvers/krylov/cg_onchip.hpp"

namespace wavesim {

namespace {

/// Bytes of a row that are read for a product: of the matrix, or of the media for `stencil`.
double bytes_of_row(const Config& c, const Model& m, double word) {
  const bool wide = m.space_order == 4;
  const double media = is_constant(m) ? 0 : (wide ? 5 : 3 + is_damped(m)) * word;  // of nine points half of A
  return row_bytes(c.solver.format, word, m.grid.periodic[0] || m.grid.periodic[1], media, wide ? 9 : 5);
}

/// What one iteration moves and launches.
Work work_of_iteration(const Config& c) {
  const SolverOptions o = c.solver_options();
  Work work = work_of(o);
  work += entry_of(o.preconditioner).work;
  if (stores_rows(c.solver.format)) work += find_method(o.method)->stored;
  return work;
}

bool reads(const Config& c, const char* quantity) {
  if (!c.output.frames) return false;
  const auto& list = c.output.frames->quantities;
  return std::find(list.begin(), list.end(), quantity) != list.end();
}

}  // namespace

long iteration_bound(const SolverConfig& s, double condition) {
  if (condition <= 1 + 1e-12) return 1;
  const double n = iterations_by(find_method(s.method)->bound, condition, s.tolerance);
  return std::clamp(long(std::ceil(n)), 1L, s.max_iterations);
}

std::optional<Selector> foreseen(const Config& config, const Model& m, const Scheme& scheme,
                                 const TimePlan& plan, const DeviceFacts& device, bool on_ranks) {
  if (!scheme.solves || !find_method(config.solver.method)->automatic) return {};
  const Unknowns unknowns = make_unknowns(m);
  const Extent e = unknowns.extent;
  const bool single = config.precision == "single";
  bool plain = is_constant(m);
  for (const EdgeCondition& edge : m.edges) plain = plain && !edge.radiation;
  SystemFacts f;
  f.gpu = device.kind == "cuda";
  f.on_ranks = on_ranks;
  f.matrix = {m.space_order == 4 ? Structure::nine_points
              : plain            ? Structure::rectangle
                                 : Structure::wave_system,
              true, single, plain};
  f.points = double(e.points());
  f.nx = e.nx;
  f.ny = e.ny;
  f.word = single ? 4 : 8;
  f.row_bytes = bytes_of_row(config, m, f.word);
  f.stored = stores_rows(config.solver.format);
  f.blocked_sweeps = f.stored ? 0 : sweeps_of_a_pass_of(m);
  f.fused_steps = f.blocked_sweeps > 0 && fuses_steps(config, m, scheme);
  f.on_chip = single ? Slabs(e).fit<float>(e) : Slabs(e).fit<double>(e);
  const AxisModes along_x(
      Axis{e.nx, m.grid.periodic[0], holds_value(m.edges[left].kind), holds_value(m.edges[right].kind)});
  for (const auto& piece : along_x.pieces()) f.transformed = std::max(f.transformed, double(piece.length));
  f.bounds = {1, plan.condition};
  return Selector(candidates_for(config.solver_options(), f), plan.steps);
}

Cost cost(const Config& config, const Model& m, const Scheme& scheme, const TimePlan& plan,
          const DeviceFacts& device, double bandwidth, std::uintmax_t disk_bytes, bool on_ranks) {
  if (const std::optional<Selector> selector = foreseen(config, m, scheme, plan, device, on_ranks)) {
    const SolverOptions& chosen = selector->candidates()[std::size_t(selector->now())].options;
    Config fixed = config;
    fixed.solver.method = chosen.method;
    fixed.solver.preconditioner.type = chosen.preconditioner.type;
    return cost(fixed, m, scheme, plan, device, bandwidth, disk_bytes);
  }
  Cost c;
  c.device_bytes = device_bytes(config, m);
  c.disk_bytes = disk_bytes;
  c.bandwidth = bandwidth;
  c.iterations = scheme.solves ? iteration_bound(config.solver, plan.condition) : 0;
  const double word = config.bytes_of_a_value(), points = double(m.grid.node_count());
  const double row = bytes_of_row(config, m, word);
  constexpr double launch = 4e-6;  // seconds from one kernel to the next
  double per_point, kernels = 0, operations = 0;
  if (!scheme.solves) {
    const int tracked = reads(config, "max-displacement") + reads(config, "arrival-time");
    const bool layers_alone = config.output.energy.balance || on_ranks || has_driven_edge(m);
    const bool one_by_one =
        (!m.pml.empty() && layers_alone) || (m.space_order == 8 && tracked > 0) ||
        std::any_of(m.sources.begin(), m.sources.end(), [](const Source& s) { return s.moving; });
    const int together = one_by_one ? 1 : steps_of_an_explicit_pass(m, device, tracked > 0);
    const double media = is_constant(m) ? 0 : m.space_order == 8 ? 2 : 3 + is_damped(m);
    per_point = (4 + media + 2 * tracked) * word / together;
    kernels = 1.0 / together;
    operations = points * seconds_of_an_explicit_step(device, m, word) +
                 m.pml.cells() * seconds_of_an_explicit_step_in_layers(device, word);
    const int reach = m.space_order == 8 ? lax_wendroff_reach : 1;  // of a step
    c.traffic = {1.0 / together, 2.0 * reach, 0, reach * together};
  } else if (const Passes passes = passes_of(config, m, scheme, plan.condition); passes.count > 0) {
    const bool varies = !is_constant(m);
    const Work p = passes.work(varies ? 3 + passes.whole * (1 + is_damped(m)) : 0);
    c.iterations = passes.count * sweeps_of_a_pass_of(m);
    per_point = p.moved * word + (passes.whole ? 0 : 10 * word + 2 * row);
    kernels = (passes.whole ? 4 : 8) + p.kernels;
    operations = points * double(c.iterations) * seconds_of_a_sweep(device, m, word);
    const int reach = sweeps_of_a_pass_of(m) + 1;
    c.traffic = {double(passes.count), 2.0 * (reach + 1) * double(passes.count), double(passes.count), reach};
  } else {
    // Right-hand side (u, p, media, b), the first residual, and the update of u and p; the matrix where it is
    // stored.
    const Work p = work_of_iteration(config);
    per_point = 10 * word + 2 * row + double(c.iterations) * (p.moved * word + p.products * row);
    const bool solves_twice = scheme.step.correction != 0;
    if (solves_twice) {  // with a right-hand side of its own
      per_point += 8 * word + row + double(c.iterations) * (p.moved * word + p.products * row);
      kernels = 6 + p.kernels * double(c.iterations);
    }
    if (stores_rows(config.solver.format) && config.solver.assembly == "each-step") per_point += row;
    kernels += 8 + p.kernels * double(c.iterations);
    c.gathers = find_method(config.solver.method)->gathers ||
                entry_of(config.solver_options().preconditioner).gathers;
    const double products = 2 + p.products * double(c.iterations);
    const double solves = solves_twice ? 2 : 1;
    c.traffic = {solves * products, solves * products, solves * (2 + p.kernels * double(c.iterations)), 0};
    if (config.solver.energy == "exact") {  // A e, its products with b, d and e, and d += beta e
      per_point += row + (2 + 4 + 3) * word;
      kernels += 3;
    }
  }
  c.bytes_per_step = per_point * points;
  if (bandwidth <= 0) return c;
  const double launches = device.kind == "cuda" ? launch * kernels : 0;
  c.launches = double(plan.steps) * launches;
  c.seconds = std::max(double(plan.steps) * std::max(c.bytes_per_step / bandwidth, operations), c.launches);
  return c;
}

double seconds_on_gpus(const Cost& on_one, const Extent& e, long steps, int ranks) {
  if (ranks == 1) return on_one.seconds;
  // Of two and four H200: of an exchange, of each of its bytes, and of a sum (bench/results/h200/exchange.txt). The others are
  // fitted to scaling.txt: how much longer the work of the slowest GPU takes, how long GPUs wait for each other after a pass,
  // and after a sum for each GPU beyond two, which cg on four shows; for eight that is extrapolated.
  constexpr double exchange = 5.5e-6, byte = 1 / 315e9, sum = 4e-6, uneven = 0.015, wait = 3e-6,
                   sum_of_another = 1.5e-6;
  const Traffic& t = on_one.traffic;
  const double bytes = t.rows * double(e.pitch) * e.word;
  // Chunks of a pass have fewer rows on each of them, and as many that are computed twice.
  const double rows = double(e.ny) / chunks_of_pass(e), twice = 2.0 * t.reach;
  const double work = on_one.seconds * (rows / ranks + twice) / (rows + twice) * (1 + uneven);
  return std::max(work, on_one.launches) +
         double(steps) * (t.exchanges * (exchange + (t.reach > 0 ? wait : 0)) + bytes * byte +
                          t.sums * (sum + sum_of_another * (ranks - 2)));
}

}  // namespace wavesim
