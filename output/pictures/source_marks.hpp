#pragma once
// Where the point sources of a run are, from its effective config.

#include <array>
#include <vector>

#include "sim/config/tree.hpp"
#include "sim/input/expression.hpp"

namespace wavesim {

/// A source at (x, y) metres, formulas in t.
struct MovingPlace {
  Expression x, y;
  std::array<double, 2> at(double time) const;
};

struct SourcePlaces {
  std::vector<std::array<double, 2>> resting;  // metres; of recorded sources the places of the receivers
  std::vector<MovingPlace> moving;
};

/// Those with `at`, and those whose recording can be read; others have no place.
SourcePlaces source_places(const Tree& config);

}  // namespace wavesim
