#include "sim/model/force_points.hpp"

#include <algorithm>

#include "sim/model/model_parts.hpp"
#include "sim/model/source_points.hpp"

namespace wavesim {

void merge(ForcePoints& f) {
  if (std::adjacent_find(f.index.begin(), f.index.end(), std::greater_equal<>()) == f.index.end()) return;
  std::map<long, double> sum;
  for (std::size_t k = 0; k < f.index.size(); ++k) sum[f.index[k]] += f.weight[k];
  f.index.clear();
  f.weight.clear();
  for (const auto& [index, weight] : sum) {
    f.index.push_back(index);
    f.weight.push_back(weight);
  }
}

void spread(const Model& model, const Unknowns& unknowns, const Filter& filter, std::size_t node,
            double weight, ForcePoints& f) {
  for (const Weighted& w : filter.load(node)) {
    const auto [ix, iy] = model.grid.place(w.node);
    const long i = unknowns.index(ix, iy);
    if (i < 0 || (model.grid.own.has(iy) && !is_inside(model, w.node))) continue;
    f.index.push_back(i);
    f.weight.push_back(w.weight * weight);
  }
}

std::function<ForcePoints(double)> moving_points(const Model& model, const Unknowns& unknowns,
                                                 const Source& source, double scale) {
  struct Context {
    const Model& model;
    Unknowns unknowns;
    Filter filter;
    Interpolation interpolation;
    std::shared_ptr<MovingSource> source;
    double scale;
  };
  const auto c = std::make_shared<Context>(
      Context{model, unknowns, Filter(model), Interpolation(model), source.moving, scale});
  return [c](double t) {
    const SourcePoints points = c->source->at(t, c->model, c->interpolation);
    ForcePoints f;
    for (std::size_t k = 0; k < points.node.size(); ++k)
      spread(c->model, c->unknowns, c->filter, points.node[k], c->scale * points.weight[k], f);
    merge(f);
    return f;
  };
}

}  // namespace wavesim
