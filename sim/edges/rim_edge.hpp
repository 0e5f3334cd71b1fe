#pragma once
// The family of what holds at the rims of shapes: fixed, free, absorbing.

#include "sim/edges/edge.hpp"

namespace wavesim {

struct RimEdge : Configured {
  virtual EdgeCondition condition() const = 0;
};

/// u = 0 at the rim: what holds where nothing is said.
std::shared_ptr<RimEdge> fixed_rim();

template <>
const std::vector<Kind<RimEdge>>& kinds<RimEdge>();
template <>
std::string_view family<RimEdge>();

}  // namespace wavesim
