#pragma once
// What a perfectly matched layer returns of a plane wave, the reflection of the grid itself included.

#include "sim/model/model.hpp"

namespace wavesim {

/// The share of the amplitude that comes back from the layer on a side, of a wave of this length (metres) that falls on
/// it at an angle with this cosine: the discrete equations of its cells and of the radiating edge behind them, solved for
/// one frequency. Without the error of time steps; in a medium with the largest speed.
double reflection_of_layer(const Model& model, int side, double wavelength, double cosine);

}  // namespace wavesim
