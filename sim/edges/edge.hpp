#pragma once
// The family of edges of the rectangle: fixed, free, periodic, driven, absorbing.

#include "sim/config/section.hpp"
#include "sim/model/grid.hpp"
#include "sim/signals/signal.hpp"

namespace wavesim {

/// What an edge means to the scheme.
struct EdgeCondition {
  enum Kind { fixed, free, periodic, driven } kind = fixed;  // an absorbing edge is a free one with damping
  bool radiation = false;               // T u_n = -beta u_t: damping beta on the edge's nodes
  double matched = 1;                   // beta over sqrt(m T): at 1, u_t + c u_n = 0
  std::optional<double> damping{};      // or beta itself, in the units of sqrt(m T)
  std::shared_ptr<Signal> driven_by{};  // kind == driven: u on the edge, metres
  std::shared_ptr<Signal> incoming{};   // with radiation: the incoming wave's u at the edge
  double sponge_damping = 0;  // 1/s at the outer end, growing as (depth / thickness)^2 through the layer
  double pml_rate = 0;        // zeta at the outer end, 1/s, growing alike
  double pml_reflection = 0;  // what it was made for
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
