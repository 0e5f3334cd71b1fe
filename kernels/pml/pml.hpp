#pragma once
// Perfectly matched layers: the auxiliary fluxes of Grote and Sim (docs/math.md, section 2) along the faces between points, one
// for each face. They are kept as psi = phi / (1 + a) along x and phi / (1 + b) along y, as the divergence takes them.

#include <cmath>

#include "kernels/backend/hd.hpp"

namespace wavesim {

/// psi of a face after a step: it decays to `keep` of itself and takes in the flux, of which a step has `share`.
template <class T>
HD T pml_flux(T psi, T keep, T share, T flux) {
  return std::fma(share, flux, keep * psi);
}

/// The divergence of psi at a point.
template <class T>
HD T pml_divergence(T east, T west, T north, T south) {
  return (east - west) + (north - south);
}

/// The force of the layers at a point: delta (div psi - Z (u - beta p)), Z the reaction.
template <class T>
HD T pml_force(T divergence, T reaction, T u, T p, T beta, T delta) {
  return delta * (divergence - reaction * (u - beta * p));
}

}  // namespace wavesim
