#include <cmath>

#include "sim/fields/on_nodes.hpp"
#include "sim/input/text.hpp"
#include "sim/model/layers.hpp"
#include "sim/model/model_parts.hpp"

namespace wavesim {

namespace {

/// Zero on fixed edges and outside the region. A note names values there that are more than rounding.
void clear_where_held(NodeField& field, const char* name, const char* unit, Model& model) {
  if (field.uniform() && field.constant == 0) return;
  const Grid& g = model.grid;
  bool held = !model.region.empty();
  for (const EdgeCondition& edge : model.edges) held = held || holds_value(edge.kind);
  if (!held) return;
  if (field.uniform()) field = on_nodes(g, [v = field.constant](double, double) { return v; });
  copy_periodic(field.values, g);

  double peak = 0;
  std::array<double, 5> lost{};  // by side; the last outside the region
  const auto keep_larger = [](double& most, double v) {
    if (std::abs(v) > std::abs(most)) most = v;
  };
#pragma omp parallel
  {
    double own_peak = 0;
    std::array<double, 5> own_lost{};
#pragma omp for schedule(static) nowait
    for (long iy = g.first_row(); iy < g.end_row(); ++iy)
      for (long ix = 0; ix < g.nodes(0); ++ix) {
        double& v = field.values[g.index(ix, iy)];
        const bool sure = g.is_sure(iy);
        if (sure) own_peak = std::max(own_peak, std::abs(v));
        const bool inside = is_inside(model, g.index(ix, iy));
        const int side = holding_side(model, ix, iy);
        if (inside && side < 0) continue;
        if (sure) keep_larger(own_lost[std::size_t(inside ? side : 4)], v);
        v = 0;
      }
#pragma omp critical
    {
      peak = std::max(peak, own_peak);
      for (std::size_t k = 0; k < lost.size(); ++k) keep_larger(lost[k], own_lost[k]);
    }
  }
  peak = g.own.most(peak);
  for (double& most : lost) {
    const double low = g.own.least(most), high = g.own.most(most);
    most = -low > high ? low : high;
  }
  for (std::size_t k = 0; k < lost.size(); ++k) {
    if (!(std::abs(lost[k]) > 1e-9 * peak)) continue;
    const std::string value = std::string("the initial ") + name + " is " + text(lost[k]) + " " + unit;
    if (k == 4)
      model.notes.push_back(value + " outside the shape, where nothing moves; it is set to 0 there");
    else if (model.edges[k].kind == EdgeCondition::driven)
      model.notes.push_back(value + " on the driven " + side_names[k] +
                            " edge; the edge's own signal holds there");
    else
      model.notes.push_back(value + " on the fixed " + side_names[k] + " edge; it is set to 0 there");
  }
}

/// The largest magnitude.
double peak(const NodeField& field, const Grid& g) {
  if (field.uniform()) return std::abs(field.constant);
  const std::size_t begin = g.first_sure_node(), end = g.end_sure_node();
  double most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
  for (std::size_t i = begin; i < end; ++i) most = std::max(most, std::abs(field.values[i]));
  return g.own.most(most);
}

}  // namespace

void build_initial(const Config& config, Model& model) {
  const InitialConfig& c = config.initial;
  model.displacement = evaluate(c.displacement, model.grid);
  model.velocity = evaluate(c.velocity, model.grid);
  for (const auto& term : c.displacement)
    if (const auto rate = term->rate(model.grid, model.speed))
      model.velocity = combine(model.grid, model.velocity, *rate, [](double a, double b) { return a + b; });
  copy_periodic(model.displacement.values, model.grid);
  copy_periodic(model.velocity.values, model.grid);
  clear_where_held(model.displacement, "displacement", "m", model);
  clear_where_held(model.velocity, "velocity", "m/s", model);
  model.largest_displacement = peak(model.displacement, model.grid);
}

}  // namespace wavesim
