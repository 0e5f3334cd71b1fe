#pragma once
// The colours of pictures.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace wavesim {

using Colour = std::array<std::uint8_t, 3>;  // red, green, blue

/// Blue below zero, near white at zero, red above, for s in [-1, 1] (clipped). Lightness falls
/// linearly and equally on both sides, so that equal steps of the value look equal, also in grey and to most
/// colour-blind people.
Colour diverging_colour(double s);

/// A table of colours over [0, 1].
struct ColourMap {
  std::string_view name, text;
  bool diverging;               // its middle is zero
  std::vector<Colour> colours;  // an odd number, evenly spaced

  const Colour& at(float s) const {
    const float place = s * float(colours.size() - 1) + 0.5f;
    return colours[!(place > 0)                         ? 0
                   : place >= float(colours.size() - 1) ? colours.size() - 1
                                                        : std::size_t(place)];
  }
};

/// All of them, perceptually even: equal steps of the value are equal steps of lightness in Oklab.
const std::vector<ColourMap>& colour_maps();
/// Null if there is none of this name.
const ColourMap* find_colour_map(std::string_view name);

/// a where t is 0, b where it is 1.
Colour mix(const Colour& a, const Colour& b, double t);

}  // namespace wavesim
