#pragma once
// The Gaussian bell and what it contains.

#include <cmath>
#include <numbers>

namespace wavesim {

/// exp(-s^2 / 2) at a distance of s standard deviations.
inline double bell(double s) { return std::exp(-0.5 * s * s); }

/// Wavenumber in 1/m beyond which the spectrum exp(-(k width)^2 / 2) is below 3 % of its peak.
inline double band_of_bell(double width) { return 2.65 / width; }

inline double shortest_wavelength_of_bell(double width) { return 2 * std::numbers::pi / band_of_bell(width); }

}  // namespace wavesim
