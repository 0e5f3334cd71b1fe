#include "sim/model/source_points.hpp"

#include <algorithm>
#include <cmath>

#include "sim/fields/on_nodes.hpp"
#include "sim/input/text.hpp"
#include "sim/model/model_parts.hpp"
#include "sim/model/smooth_pole.hpp"

namespace wavesim {

namespace {

/// What the half cells along free edges have of the slope of g across them: h^2 g_n / 24 of what S'F leaves out of
/// h^2 g_n / 12 (docs/math.md, section 2).
double slope_over_half_cells(const Model& model, const NodeField& field, long ix, long iy) {
  const Grid& g = model.grid;
  const std::array<long, 2> at{ix, iy};
  double sum = 0;
  for (int axis = 0; axis < 2; ++axis)
    for (const int end : {0, 1}) {
      if (at[axis] != (end == 0 ? 0 : g.cells[axis]) || g.cells[axis] < 2 ||
          model.edges[2 * axis + end].kind != EdgeCondition::free)
        continue;
      const auto inwards = [&](long k) {
        std::array<long, 2> to = at;
        to[axis] += end == 0 ? k : -k;
        return field[g.index(to[0], to[1])];
      };
      const bool corner = !g.periodic[1 - axis] && (at[1 - axis] == 0 || at[1 - axis] == g.cells[1 - axis]);
      sum += (-3 * inwards(0) + 4 * inwards(1) - inwards(2)) / 48 * (corner ? 0.5 : 1);
    }
  return sum * g.spacing[0] * g.spacing[1];
}

/// Whether this rank has the rows of all nodes that a pole that moves is spread over.
bool has_rows_of(const Pole& pole, const Grid& g) {
  const long row = g.row_below(pole.y);
  return g.own.has(std::max(0L, row - 3)) && g.own.has(std::min(g.cells[1], row + 4));
}

}  // namespace

std::vector<Pole> poles_of(const SourceConfig& source, std::array<double, 2> at, const Model& model) {
  if (!source.dipole) return {{at[0], at[1], 1}};
  const auto [dx, dy] = *source.dipole;
  const double length = std::hypot(dx, dy), ex = dx / length, ey = dy / length;
  const double cell = 1 / std::hypot(ex / model.grid.spacing[0], ey / model.grid.spacing[1]);
  const auto pole = [&](double cells, double weight) {
    return Pole{at[0] + cells * cell * ex, at[1] + cells * cell * ey, weight * length / cell};
  };
  if (model.space_order == 2) return {pole(0.5, 1), pole(-0.5, -1)};
  return {pole(0.5, 27.0 / 24), pole(-0.5, -27.0 / 24), pole(1.5, -1.0 / 24), pole(-1.5, 1.0 / 24)};
}

void add_pole(const Pole& pole, const Model& model, const Interpolation& interpolation, SourcePoints& to) {
  if (!in_rectangle(model.grid, pole.x, pole.y)) return;
  for (const auto& [node, weight] : interpolation.weights(pole.x, pole.y)) {
    if (weight == 0) continue;
    const auto [ix, iy] = model.grid.place(node);
    if (!is_unknown(model, ix, iy)) {
      to.lost += weight * pole.weight;
      continue;
    }
    to.node.push_back(node);
    to.weight.push_back(weight * pole.weight);
  }
}

SourcePoints area_points(const NodeField& density, const Model& model) {
  const Grid& g = model.grid;
  const auto share = [&](int axis, long i) {
    const bool end = !g.periodic[axis] && (i == 0 || i == g.cells[axis]);
    return g.spacing[axis] * (end ? 0.5 : 1);
  };
  const long nx = g.nodes(0) - g.periodic[0], end = std::min(g.end_row(), g.nodes(1) - g.periodic[1]);
  const bool wide = model.space_order == 4;
  SourcePoints points;
  for (long iy = g.first_row(); iy < end; ++iy)
    for (long ix = 0; ix < nx; ++ix) {
      const std::size_t i = g.index(ix, iy);
      // with nine points a force on a fixed edge acts on the nodes beside it (Filter::load)
      if (!is_inside(model, i) || !(wide || is_unknown(model, ix, iy))) continue;
      const double weight = density[i] * share(0, ix) * share(1, iy) * model.rim.cell_share[i] +
                            (wide ? slope_over_half_cells(model, density, ix, iy) : 0);
      if (weight == 0) continue;
      points.node.push_back(i);
      points.weight.push_back(weight);
    }
  return points;
}

MovingSource::MovingSource(const SourceConfig& source, const Grid& grid) : source_(source) {
  if (source.at)
    for (const std::string& formula : source.at->formula)
      path_.emplace_back(Expression(formula, {"t"}, source.where));
  for (const auto& term : source.area) area_.push_back(term->values_in_time(grid));
}

std::array<double, 2> MovingSource::place(double t) {
  std::array<double, 2> at;
  for (int axis = 0; axis < 2; ++axis) {
    at[axis] = path_[std::size_t(axis)]({t});
    if (!std::isfinite(at[axis]))
      source_.where.fail("the place \"" + source_.at->formula[axis] + "\" of the source is " +
                         text(at[axis]) + " at t = " + text(t) +
                         " s; write it so that it is finite during the whole run");
  }
  return at;
}

SourcePoints MovingSource::at(double t, const Model& model, const Interpolation& interpolation) {
  SourcePoints points;
  if (!path_.empty()) {
    for (const Pole& pole : poles_of(source_, place(t), model))
      if (has_rows_of(pole, model.grid) && !add_smooth_pole(pole, model, points))
        add_pole(pole, model, interpolation, points);
    return points;
  }
  NodeField sum;
  for (std::size_t k = 0; k < area_.size(); ++k) {
    area_[k]->set_time(t);
    const NodeField term = source_.area[k]->at_nodes(model.grid, *area_[k]);
    sum = combine(model.grid, sum, term, [](double a, double b) { return a + b; });
  }
  return area_points(sum, model);
}

bool moves(const SourceConfig& source) {
  if (source.at) return source.at->moves();
  return std::any_of(source.area.begin(), source.area.end(),
                     [](const auto& term) { return term->uses_time(); });
}

}  // namespace wavesim
