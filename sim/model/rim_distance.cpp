#include <algorithm>
#include <cmath>

#include "sim/model/model_parts.hpp"

namespace wavesim {

std::vector<float> rim_distance(const Model& model) {
  const Rim& rim = model.rim;
  if (rim.crossings.empty() && rim.cell_share.uniform()) return {};
  const Grid& g = model.grid;
  std::vector<float> distance(g.node_count());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < distance.size(); ++i) {
    const bool unknown = is_inside(model.region[i]);
    distance[i] = unknown ? 1 : -1;
    // of a cell that a straight free rim cuts, the part inside tells how far its node is from it
    if (unknown && rim.cell_share[i] < 1) distance[i] = float(rim.cell_share[i] - 0.5);
  }
  // beside free rims: nodes next to a cut cell that are no unknowns
  const auto nearer = [&](std::size_t i, float d) {
    if (std::abs(d) < std::abs(distance[i])) distance[i] = d;
  };
  if (!rim.cell_share.uniform()) {
    const long nx = g.nodes(0), ny = g.nodes(1);
    for (long iy = 0; iy < ny; ++iy)
      for (long ix = 0; ix < nx; ++ix) {
        const std::size_t i = g.index(ix, iy);
        const bool cut_x = ix + 1 < nx && (rim.cell_share[i] < 1) != (rim.cell_share[i + 1] < 1),
                   cut_y =
                       iy + 1 < ny && (rim.cell_share[i] < 1) != (rim.cell_share[i + std::size_t(nx)] < 1);
        for (const auto& [is, j] : {std::pair(cut_x, i + 1), std::pair(cut_y, i + std::size_t(nx))}) {
          if (!is) continue;
          if (!is_inside(model.region[i])) nearer(i, -0.5f);
          if (!is_inside(model.region[j])) nearer(j, -0.5f);
        }
      }
  }
  for (const Rim::Crossing& c : rim.crossings) {
    const std::size_t next = c.node + (c.axis == 0 ? 1 : std::size_t(g.nodes(0)));
    const bool first = is_inside(model.region[c.node]);
    nearer(first ? c.node : next, float(c.share));
    nearer(first ? next : c.node, float(c.share - 1));
  }
  return distance;
}

}  // namespace wavesim
