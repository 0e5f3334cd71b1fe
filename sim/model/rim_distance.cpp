#include <algorithm>
#include <cmath>

#include "sim/model/model_parts.hpp"

namespace wavesim {

Array<float> rim_distance(const Model& model) {
  const Rim& rim = model.rim;
  const Grid& g = model.grid;
  const bool crossed = std::any_of(rim.crossings.begin(), rim.crossings.end(),
                                   [&](const Rim::Crossing& c) { return g.is_sure(g.place(c.node)[1]); });
  if (!g.own.any(crossed) && rim.cell_share.uniform()) return {};
  Array<float> distance(g.node_count());
  const std::size_t begin = g.first_node(), end = g.end_node();
#pragma omp parallel for schedule(static)
  for (std::size_t i = begin; i < end; ++i) {
    const bool unknown = is_inside(model.region[i]);
    distance[i] = unknown ? 1 : -1;
    // of a cell that a straight free rim cuts, the part inside tells how far its node is from it
    if (unknown && rim.cell_share[i] < 1) distance[i] = float(rim.cell_share[i] - 0.5);
  }
  const auto nearer = [&](std::size_t i, float d) {
    if (std::abs(d) < std::abs(distance[i])) distance[i] = d;
  };
  // beside a free rim: a node next to a cut cell that is no unknown
  if (!rim.cell_share.uniform())
    for (long iy = g.first_row(); iy < g.end_row(); ++iy)
      for (long ix = 0; ix < g.nodes(0); ++ix)
        for (int axis = 0; axis < 2; ++axis) {
          if (!g.has_next(axis, ix, iy)) continue;
          const std::size_t i = g.index(ix, iy), j = g.next(axis, i);
          if ((rim.cell_share[i] < 1) == (rim.cell_share[j] < 1)) continue;
          for (const std::size_t k : {i, j})
            if (!is_inside(model.region[k])) nearer(k, -0.5f);
        }
  for (const Rim::Crossing& c : rim.crossings) {
    const std::size_t next = g.next(c.axis, c.node);
    const bool first = is_inside(model.region[c.node]);
    nearer(first ? c.node : next, float(c.share));
    nearer(first ? next : c.node, float(c.share - 1));
  }
  return distance;
}

}  // namespace wavesim
