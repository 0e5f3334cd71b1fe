#include "sim/run/memory.hpp"

#include <algorithm>
#include <cstdio>

#include "kernels/comm/row_share.hpp"
#include "kernels/grid/rows_in_memory.hpp"
#include "kernels/leapfrog/leapfrog.hpp"
#include "sim/model/coefficients.hpp"
#include "sim/model/layers_frame.hpp"
#include "sim/model/model_parts.hpp"
#include "sim/model/sampled_model.hpp"
#include "sim/run/blocked_passes.hpp"
#include "sim/run/output_plan.hpp"
#include "solvers/catalogue/catalogue.hpp"

namespace wavesim {

namespace {

/// Fields of blocked sweeps: scaled faces and diagonal of a varying medium; for steps in time the next state,
/// and masses. Formats that store rows take sweeps one by one.
double blocked_fields(const SolverConfig& s, bool uniform) {
  if (stores_rows(s.format)) return 0;
  const BlockedFields of_method = find_method(s.method)->blocked,
                      of_preconditioner = find_preconditioner(s.preconditioner.type)->blocked;
  return uniform ? of_method.uniform + of_preconditioner.uniform
                 : of_method.varying + of_preconditioner.varying;
}

/// Of explicit steps beside perfectly matched layers, on a CPU or a GPU: where there are fewer.
double points_of_tiles(const Model& m, const Unknowns& u, const std::vector<std::string>& quantities) {
  const bool tracks = has(quantities, "max-displacement") || has(quantities, "arrival-time");
  const auto points = [&](bool on_gpu) {
    const LayersFrame frame = layers_frame(m, u, leapfrog_steps(on_gpu, true, tracks), on_gpu);
    return double(frame.tiles()) * frame.box_points();
  };
  return std::min(points(false), points(true));
}

/// In layers; of the rank that has most in its rows, a ring of which each has whole.
double most_cells_in_layers(const Model& m, const Unknowns& u, int ranks) {
  if (m.pml.empty() || !can_share_out(m)) return m.pml.cells();
  double most = 0;
  for (int k = 0; k < ranks; ++k) {
    const Extent own = share_of(u.extent, k, ranks);
    const long first = own.first_own == 0 ? 0 : u.first[1] + own.first_own - 1,
               end = own.end_own() == own.ny ? m.grid.cells[1] : u.first[1] + own.end_own();
    most = std::max(most, m.pml.cells(first, end));
  }
  return most;
}

/// More ranks than bands are refused.
int ranks_at_most(const Extent& e, int ranks) { return std::clamp(ranks, 1, bands_of(e).count); }

/// Rows that a rank has in memory, ghost rows included; of the one with most.
double most_rows_in_memory(const Extent& e, int ranks) {
  ranks = ranks_at_most(e, ranks);
  std::size_t most = 0;
  for (int k = 0; k < ranks; ++k) {
    std::size_t elements = 0;
    for (const ByteRange& range : whole_granules(rows_in_memory(share_of(e, k, ranks), 1), 1))
      elements += range.end - range.first;
    most = std::max(most, elements);
  }
  return double(most) / e.pitch;
}

std::string gigabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g GB", bytes * 1e-9);
  return text;
}

}  // namespace

std::size_t device_bytes(const Config& config, const Model& model, int ranks, bool on_gpus) {
  const Unknowns u = make_unknowns(model);
  const double points = double(u.extent.pitch) * most_rows_in_memory(u.extent, ranks),
               rows = double(u.extent.pitch) * most_rows_in_memory(u.extent, on_gpus ? 1 : ranks);
  const double T = config.bytes_of_a_value();
  const bool uniform = is_constant(model);
  const bool periodic = u.topology.wrap_x || u.topology.wrap_y;
  const SolverConfig& s = config.solver;
  const bool wide = model.space_order == 4;
  const bool solved = solves(config.time) || wide;  // M of nine points is solved for
  // u, p; mass, damping, east, north, or M, D and K
  double fields = 2 + (uniform ? 0 : wide ? 15 : 4);
  double matrix = 0;
  if (!solved) {  // where u and p go, and what is over the mass
    const bool read = !uniform || (model.space_order == 8 && is_damped(model));
    fields += 2 + (read ? 1 + is_damped(model) : 0);
  } else {
    fields += 2;  // b, d
    const auto kept = [](const SolverOptions& o) {
      return work_of(o).kept + entry_of(o.preconditioner).work.kept + o.preconditioned();
    };
    const SolverOptions own = config.solver_options();
    fields += kept(own);
    for (const SolverOptions& other : own.fallback) fields += kept(other);
    fields += blocked_fields(s, uniform);
    matrix = row_bytes(s.format, T, periodic, 0, wide ? 9 : 5);
    const bool summed = wide && !uniform && !stores_rows(s.format);  // half of A
    if (summed) fields += 5;
    fields += find_format(s.format)->kept;
    if (summed || stores_rows(s.format)) fields += find_method(s.method)->stored.kept;
    const GuessOptions guess = s.guess_options();
    const double guesses = guess.kind == "extrapolate"  ? guess.degree
                           : guess.kind == "projection" ? guess.solutions
                                                        : 0;
    const bool corrected = config.time.order.value_or(2) == 4;  // z, what K acted on, and guesses for z
    fields += guesses + (corrected ? 2 + guesses : 0);
  }
  const auto& quantities = config.output.frames->quantities;
  fields += has(quantities, "max-displacement") + has(quantities, "arrival-time") +
            2 * config.output.energy.balance;
  // A e and, with three levels, e = u(n+1) - u(n-1) (sim/time/exact_energy.hpp).
  if (s.energy == "exact") fields += 2;
  const Window w = output_window(*config.output.frames, model.grid);
  const double staging =  // two, which take turns (kernels/memory/read_back.hpp)
      2 * double(w.count[0]) * double(w.count[1]) / ranks *
      (config.output.frames->precision == "single" ? 4 : 8);
  // A cell of a perfectly matched layer has two faces: each has three numbers and its ends, with nine points two more and four ends.
  // Its point has two numbers and its faces. Passes of several steps have psi twice, and what the layers have at each point of a tile.
  const double mixed = model.space_order == 4,
               cells = most_cells_in_layers(model, u, ranks_at_most(u.extent, ranks));
  double layers =
      cells * (2 * ((3 + 2 * mixed) * T + (2 + 4 * mixed) * sizeof(int)) + 2 * T + 5 * sizeof(int));
  if (!model.pml.empty() && !solved)
    layers += cells * 2 * T + points_of_tiles(model, u, quantities) * (3 * T + 2 * sizeof(int));
  return std::size_t(points * fields * T + rows * matrix + layers + staging);
}

std::size_t host_bytes(const Config& config, const Model& m, int ranks) {
  double fields = m.region.empty() ? 0 : double(sizeof(Node)) / sizeof(double);
  for (const NodeField* f :
       {&m.mass, &m.damping, &m.face_x, &m.face_y, &m.speed, &m.displacement, &m.velocity})
    fields += !f->uniform();
  double rows = double(m.grid.nodes(1));
  const Extent e = make_unknowns(m, config.bytes_of_a_value()).extent;
  ranks = ranks_at_most(e, ranks);
  const bool shared = ranks > 1 && can_share_out(m);
  if (shared) rows = std::min(rows, double(rows_of_ranks(e, ranks).most + 2 * OwnRows::beside));
  // planes of bytes and floats that writers are given, before steps begin (planes_of_model.cpp)
  const Window w = output_window(*config.output.frames, m.grid);
  const bool cut = std::any_of(config.shape.begin(), config.shape.end(),
                               [](const auto& shape) { return shape->has_cut_rim(); });
  const double of_node = m.region.empty()       ? 0
                         : cut && w.stride == 1 ? sizeof(std::uint8_t) + sizeof(float)
                                                : sizeof(std::uint8_t),
               planes = of_node * double(w.count[0]) * double(w.count[1]) / (shared ? ranks : 1);
  return std::size_t(fields * sizeof(double) * double(m.grid.nodes(0)) * rows + planes);
}

void require_memory(const Config& config, const DeviceFacts& device, RankCounts ranks) {
  const Model m = outline_of(config);
  const double on_device = double(device_bytes(config, m, ranks.all, device.kind == "cuda")),
               on_host = double(host_bytes(config, m, ranks.all)) * ranks.on_host;
  const auto fail = [&](double need, double free, const std::string& where) {
    config.grid.where.fail("the run needs at least " + gigabytes(need) + " of memory, and " +
                           gigabytes(free) + " are free on " + where +
                           "; take fewer cells, precision: single, or a method that keeps fewer fields "
                           "(wavesim list methods)");
  };
  if (device.kind == "cpu") {
    if (const double need = on_device * ranks.on_host + on_host; need > double(device.free))
      fail(need, double(device.free), "this computer");
    return;
  }
  if (on_device > double(device.free)) fail(on_device, double(device.free), device.name);
  if (const double free = double(cpu_facts().free); on_host > free)
    fail(on_host, free, "the computer beside it");
}

}  // namespace wavesim
