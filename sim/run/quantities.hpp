#pragma once
#include "sim/time/stepper.hpp"

namespace wavesim {

/// The quantity of a name in `output.fields.quantities`, of those that change in time.
inline Quantity quantity_of(const std::string& name) {
  if (name == "displacement") return Quantity::displacement;
  if (name == "velocity") return Quantity::velocity;
  if (name == "energy-density") return Quantity::energy_density;
  if (name == "max-displacement") return Quantity::max_displacement;
  return Quantity::arrival_time;
}

}  // namespace wavesim
