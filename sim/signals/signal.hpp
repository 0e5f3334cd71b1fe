#pragma once
// The family of signals s(t): sources, driven edges, incoming waves.
// A new kind is one file in sim/signals/ and one line in sim/signals/registry.cpp.

#include "sim/config/section.hpp"

namespace wavesim {

struct Signal : Configured {
  virtual double at(double t) const = 0;  // t in seconds
  /// Highest frequency (Hz) with noticeable content, for advice on cells and time step; 0 if unknown.
  virtual double highest_frequency() const { return 0; }
  /// Called once after reading and before the first at(): loads files, compiles expressions. Throws
  /// InputError.
  virtual void prepare() {}
};

template <>
const std::vector<Kind<Signal>>& kinds<Signal>();
template <>
std::string_view family<Signal>();

}  // namespace wavesim
