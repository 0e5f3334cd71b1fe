#pragma once
// A wall that takes a part of the waves that fall on it: the keys that edges and rims of shapes share.

#include "sim/edges/edge.hpp"

namespace wavesim {

/// {impedance: 400} or {reflection: 0.5}.
struct Wall {
  std::optional<double> impedance, reflection;

  void keys(Section& s);
  int ways() const { return impedance.has_value() + reflection.has_value(); }
  /// T u_n = -beta u_t with beta = Z, or sqrt(m T) (1 - R)/(1 + R).
  void damp(EdgeCondition& edge) const;
};

}  // namespace wavesim
