#pragma once
// Schemes that are stable up to a Courant number, in media and regions whose rows are stiffer than the
// Courant number says.

#include "sim/model/coefficients.hpp"

namespace wavesim {

/// Raises masses until no eigenvalue of M^-1 K, in 1/dt^2, is above `largest`: by Gershgorin's theorem for
/// W^-1 M^-1 K W with w = m, so that a harmonic mean between two masses needs nothing. A node at a share s of
/// the spacing from a fixed rim gets up to 1/(8 s) of its mass, but moves by s only: an error of third order
/// in the spacing. At free rims, where cells are smaller, it is of first order; with nine points see
/// sim/fourth_order/cut_cells.hpp.
void raise_masses(const Model& model, const Unknowns& unknowns, double largest, HostCoefficients& five);

}  // namespace wavesim
