#pragma once
// The colours of pictures.

#include <array>
#include <cstdint>

namespace wavesim {

using Colour = std::array<std::uint8_t, 3>;  // red, green, blue

/// Blue below zero, near white at zero, red above, for s in [-1, 1] (clipped). Both arms lose lightness
/// evenly and alike, so that equal steps of the value look equal, also in grey and to most colour-blind
/// people.
Colour diverging_colour(double s);

/// a where t is 0, b where it is 1.
Colour mix(const Colour& a, const Colour& b, double t);

}  // namespace wavesim
