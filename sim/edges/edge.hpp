#pragma once
// The family of edges of the rectangle: fixed, free, periodic, driven, absorbing.

#include "sim/config/section.hpp"
#include "sim/model/grid.hpp"
#include "sim/signals/signal.hpp"

namespace wavesim {

/// What an edge means to the scheme.
struct EdgeCondition {
  enum Kind { fixed, free, periodic, driven } kind = fixed;  // an absorbing edge is a free one with damping
  bool radiation = false;               // u_t + c u_n = 0: damping sqrt(m T) on the edge's nodes
  std::shared_ptr<Signal> driven_by{};  // kind == driven: u on the edge, metres
  std::shared_ptr<Signal> incoming{};   // with radiation: the incoming wave's u at the edge
  double sponge_damping = 0;  // 1/s at the outer end, growing as (depth / thickness)^2 through the layer
};

struct Edge : Configured {
  /// `speed` (m/s) is the largest wave speed in the medium, `spacing` (m) the one across the edge: they scale
  /// a sponge.
  virtual EdgeCondition condition(double speed, double spacing) const = 0;
  /// Cells of layer outside `grid.size`, given the spacing across the edge (metres); 0 for most edges.
  virtual long layer_cells(double spacing) const {
    (void)spacing;
    return 0;
  }
};

template <>
const std::vector<Kind<Edge>>& kinds<Edge>();
template <>
std::string_view family<Edge>();

}  // namespace wavesim
