#include "sim/model/layers_frame.hpp"

#include <algorithm>

namespace wavesim {

LayersFrame layers_frame(const Model& m, const Unknowns& unknowns, int steps, bool on_gpu) {
  constexpr int whole = 16;  // columns that a line of memory has
  const Extent& e = unknowns.extent;
  int from[2] = {0, 0}, to[2] = {e.nx, e.ny};
  for (int axis = 0; axis < 2; ++axis)
    for (int end = 0; end < 2; ++end) {
      if (m.edges[2 * axis + end].pml_rate <= 0) continue;
      const int reach = int(m.grid.layer[axis][end]) + 1 + steps;  // from the outer edge
      if (end == 0)
        from[axis] = reach - int(unknowns.first[axis]);
      else
        to[axis] = int(m.grid.nodes(axis)) - reach - int(unknowns.first[axis]);
    }
  if (from[0] > 0) from[0] = (from[0] + whole - 1) / whole * whole;
  if (to[0] < e.nx) to[0] = to[0] / whole * whole;
  return {unknowns.topology, steps, {from[1], to[1], from[0], to[0]}, most_of_tile(on_gpu)};
}

bool has_driven_edge(const Model& model) {
  return std::any_of(model.edges.begin(), model.edges.end(),
                     [](const EdgeCondition& edge) { return edge.kind == EdgeCondition::driven; });
}

}  // namespace wavesim
