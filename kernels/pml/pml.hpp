#pragma once
// Perfectly matched layers: the auxiliary fluxes of Grote and Sim (docs/math.md, section 2), one along each of the four
// faces of a layer's cells. They are kept as psi = phi / (1 + a) along x and phi / (1 + b) along y, as the divergence
// takes them.

#include <cmath>

#include "kernels/backend/hd.hpp"

namespace wavesim {

/// The corners of a cell, and of the cells around a point those whose corner it is.
enum Corner { lower_left, lower_right, upper_left, upper_right };

/// The fluxes of a cell: along x on its lower and upper face, along y on its left and right one.
template <class T>
struct PmlFlux {
  T at[4];
};

/// What a layer is at a cell along an axis, where its stretching is a.
template <class T>
struct PmlStretch {
  T a = 0, keep = 1, weight = 2;

  explicit PmlStretch(double stretching)
      : a(T(stretching)),
        keep(T((1 - stretching) / (1 + stretching))),
        weight(T(2 / ((1 + stretching) * (1 + stretching)))) {}
  HD PmlStretch(T a, T keep, T weight) : a(a), keep(keep), weight(weight) {}
  /// What a flux along this axis is multiplied by: 2 (b - a) / (1 + a)^2, b that of the other axis.
  HD T gain(T b) const { return (b - a) * weight; }
};

/// What u brings to a cell's fluxes along an axis. psi decays to keep psi in a step, and takes in `first` times the difference of u
/// along its own face and `mixed` times that along the other one; `second` is that of the opposite face.
template <class T>
struct PmlCell {
  T keep, first, mixed, second;
};

/// psi = keep psi + share (flux of u), from u at the corners; without `decay` psi + share (..). `mixed`: not all of those are 0, as with
/// five points they are.
template <class T>
HD void step_pml_flux(const PmlCell<T> (&cell)[2], const bool (&mixed)[2], T share, bool decay,
                      const T (&u)[4], PmlFlux<T>& psi) {
  const T difference[2][2] = {{u[lower_right] - u[lower_left], u[upper_right] - u[upper_left]},
                              {u[upper_left] - u[lower_left], u[upper_right] - u[lower_right]}};
  UNROLL for (int axis = 0; axis < 2; ++axis) {
    const T g = difference[axis][0], h = difference[axis][1];
    const PmlCell<T>& c = cell[axis];
    T one = c.first * g, other = c.second * h;
    if (mixed[axis]) one = std::fma(c.mixed, h, one), other = std::fma(c.mixed, g, other);
    T &p = psi.at[2 * axis], &q = psi.at[2 * axis + 1];
    const T kept = decay ? c.keep : T(1);
    p = std::fma(share, one, kept * p);
    q = std::fma(share, other, kept * q);
  }
}

/// The same as lists of all cells.
template <class T>
struct PmlCells {
  const T* keep[2];
  const T* first[2];
  const T* mixed[2];  // null: there is none
  const T* second[2];

  HD void step(int n, T share, bool decay, const T (&u)[4], PmlFlux<T>& psi) const {
    const bool any_mixed[2] = {mixed[0] != nullptr, mixed[1] != nullptr};
    PmlCell<T> cell[2];
    UNROLL for (int axis = 0; axis < 2; ++axis) cell[axis] = {
        keep[axis][n], first[axis][n], any_mixed[axis] ? mixed[axis][n] : T(0), second[axis][n]};
    step_pml_flux(cell, any_mixed, share, decay, u, psi);
  }
};

/// The divergence of psi at a point, from psi of the cells around it: flux k of the one that has the point as a corner, 0 where
/// there is none.
template <class T>
struct PmlFluxesAround {
  T x_lower[2],
      x_upper
          [2];  // of the cells right and left of it: above it on their lower face, below it on their upper one
  T y_left[2],
      y_right
          [2];  // of the cells above and below it: right of it on their left face, left of it on their right one

  HD T divergence() const {
    T sum = x_lower[0] + y_left[0];
    sum += y_right[0] - x_lower[1];
    sum += x_upper[0] - y_left[1];
    return sum - (x_upper[1] + y_right[1]);
  }
};

/// The force of the layers at a point: delta (div psi - Z (u - beta p)), Z the reaction.
template <class T>
HD T pml_force(T divergence, T reaction, T u, T p, T beta, T delta) {
  return delta * (divergence - reaction * (u - beta * p));
}

}  // namespace wavesim
