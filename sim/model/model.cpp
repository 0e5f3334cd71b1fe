#include "sim/model/model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/comm/row_share.hpp"
#include "sim/fields/on_nodes.hpp"
#include "sim/fourth_order/nine_points.hpp"
#include "sim/input/text.hpp"
#include "sim/medium/medium.hpp"
#include "sim/model/coefficients.hpp"
#include "sim/model/model_parts.hpp"

namespace wavesim {

namespace {

/// Across cells as the user counts them.
double users_spacing(const GridConfig& c, int axis) {
  return c.size[axis] / double(c.cells[axis]) * double(c.refinement);
}

}  // namespace

void build_grid(const Config& config, Model& model) {
  const GridConfig& c = config.grid;
  Grid& g = model.grid;
  for (int axis = 0; axis < 2; ++axis) {
    if (!(c.size[axis] > 0) || !std::isfinite(c.size[axis]))
      c.where.fail("grid.size is " + text(c.size) + "; both sides must be longer than 0");
    if (c.cells[axis] < 1)
      c.where.fail("grid.cells is [" + std::to_string(c.cells[0]) + ", " + std::to_string(c.cells[1]) +
                   "]; each axis needs at least 1 cell");
    g.spacing[axis] = c.size[axis] / double(c.cells[axis]);
    for (int end = 0; end < 2; ++end) {
      const auto& edge = config.edges[2 * axis + end];
      g.layer[axis][end] = edge ? edge->layer_cells(users_spacing(c, axis)) * c.refinement : 0;
    }
    g.cells[axis] = c.cells[axis] + g.layer[axis][0] + g.layer[axis][1];
    g.origin[axis] = c.origin[axis] - double(g.layer[axis][0]) * g.spacing[axis];
  }

  // The kinds of the edges do not depend on the medium; what does is filled in by build_edges.
  for (int side = 0; side < 4; ++side) {
    const auto& edge = config.edges[side];
    model.edges[side] = edge ? edge->condition(1, users_spacing(c, side / 2)) : EdgeCondition{};
  }
  for (int axis = 0; axis < 2; ++axis) {
    const bool low = model.edges[2 * axis].kind == EdgeCondition::periodic;
    const bool high = model.edges[2 * axis + 1].kind == EdgeCondition::periodic;
    if (low != high) {
      const int one = 2 * axis + (low ? 0 : 1), other = 2 * axis + (low ? 1 : 0);
      config.edges[one]->where.fail(std::string("the ") + side_names[one] + " edge is periodic but the " +
                                    side_names[other] + " edge is not; make both periodic or neither");
    }
    g.periodic[axis] = low;
    if (low && g.cells[axis] < 3)
      c.where.fail("a periodic axis needs at least 3 cells, but grid.cells is [" +
                   std::to_string(c.cells[0]) + ", " + std::to_string(c.cells[1]) + "]");
  }
}

namespace {

/// eta / m = the medium's own + strength (depth / thickness)^2 of every sponge the node lies in.
void add_sponges(Model& model) {
  const Grid& g = model.grid;
  std::array<std::vector<double>, 2> rate;
  for (int axis = 0; axis < 2; ++axis) {
    rate[axis].assign(std::size_t(g.nodes(axis)), 0);
    for (int end = 0; end < 2; ++end)
      for (long depth = 1; depth <= g.layer[axis][end]; ++depth) {
        const double part = double(depth) / double(g.layer[axis][end]);
        const long i = end == 0 ? g.layer[axis][0] - depth : g.cells[axis] - g.layer[axis][1] + depth;
        rate[axis][std::size_t(i)] += model.edges[2 * axis + end].sponge_damping * part * part;
      }
  }
  NodeField damping;
  damping.values.resize(g.node_count());
  const long nx = g.nodes(0);
#pragma omp parallel for schedule(static)
  for (long iy = g.first_row(); iy < g.end_row(); ++iy)
    for (long ix = 0; ix < nx; ++ix) {
      const std::size_t i = g.index(ix, iy);
      damping.values[i] =
          model.damping[i] + (rate[0][std::size_t(ix)] + rate[1][std::size_t(iy)]) * model.mass[i];
    }
  model.damping = std::move(damping);
}

}  // namespace

bool is_countable(const Config& config, const Model& model, int ranks) {
  constexpr double most = 0.9 * std::numeric_limits<int>::max();
  const Grid& g = model.grid;
  if (double(g.nodes(0)) * double(g.nodes(1)) <= most) return true;
  if (g.periodic[1]) return false;
  const Extent e = make_unknowns(model, config.bytes_of_a_value()).extent;
  return double(rows_of_ranks(e, ranks).most + 4 * most_ghosts) * e.pitch <= most;
}

void require_countable(const Config& config, const Model& model, int ranks) {
  if (is_countable(config, model, ranks)) return;
  const Grid& g = model.grid;
  config.grid.where.fail("the grid has " + std::to_string(g.nodes(0)) + " x " + std::to_string(g.nodes(1)) +
                         " nodes; more than about 1.9e9 " +
                         (g.periodic[1] ? "where y is periodic cannot be counted, so take fewer cells"
                                        : "of one process or GPU cannot be counted, so take fewer cells, or "
                                          "more processes (mpirun -n N) or "
                                          "GPUs (--gpus N)"));
}

void take_impedance(const Config& config, const Where& where, EdgeCondition& edge) {
  if (!edge.damping) return;
  if (config.medium.model == "shallow-water")
    where.fail(
        "an impedance is not defined for the height of water; write reflection: R, what is given back of a "
        "wave that falls on it straight");
  if (config.medium.model == "acoustic") edge.damping = 1 / *edge.damping;
}

void build_edges(const Config& config, Model& model) {
  bool sponge = false, pml = false;
  for (int side = 0; side < 4; ++side) {
    if (!config.edges[side]) continue;
    EdgeCondition& edge = model.edges[side];
    edge = config.edges[side]->condition(model.largest_speed, users_spacing(config.grid, side / 2));
    take_impedance(config, config.edges[side]->where, edge);
    sponge = sponge || edge.sponge_damping > 0;
    pml = pml || edge.pml_rate > 0;
  }
  if (sponge) add_sponges(model);
  if (pml) add_pml(model);
}

namespace {

void take_own_rows(const Config& config, Ranks& ranks, Model& model) {
  const Unknowns u = make_unknowns(model, config.bytes_of_a_value());
  if (!can_share_out(model) || bands_of(u.extent).count < ranks.count()) return;
  const Extent own = share_of(u.extent, ranks.rank(), ranks.count());
  model.grid.own = {std::max(0L, u.first[1] + own.first_own - OwnRows::beside),
                    std::min(model.grid.nodes(1), u.first[1] + own.end_own() + OwnRows::beside), &ranks};
  std::vector<long> partition{0};
  for (const long end : ranks.all_of(model.grid.end_sure_row())) partition.push_back(end);
  model.grid.own.partition = std::move(partition);
}

}  // namespace

Model build_model(const Config& config, Ranks* ranks) {
  Model model;
  model.space_order = config.space.order;
  build_grid(config, model);
  require_countable(config, model, ranks ? ranks->count() : 1);
  if (ranks && ranks->count() > 1) take_own_rows(config, *ranks, model);
  build_region(config, model);
  build_faces(build_medium(config, model), model);
  build_edges(config, model);
  build_absorbing_rims(config, model);
  build_driven_rims(config, model);
  if (model.space_order == 4) correct_faces_at_edges(model);
  build_initial(config, model);
  build_sources(config, model);
  build_receivers(config, model);
  note_separate_parts(model);
  if (!config.time.note.empty()) model.notes.push_back(config.time.note);
  return model;
}

}  // namespace wavesim
