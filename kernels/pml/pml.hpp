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

/// What cells have, each a list of all cells. Along an axis psi decays to keep psi in a step, and takes in `first` times the
/// difference of u along its own face and `mixed` times that along the other one; `second` is that of the opposite face.
template <class T>
struct PmlCells {
  const T* keep[2];
  const T* first[2];
  const T* mixed[2];  // null: with five points there is none
  const T* second[2];

  /// psi = keep psi + share (flux of u), from u at the corners; without `decay` psi + share (..).
  HD void step(int cell, T share, bool decay, const T (&u)[4], PmlFlux<T>& psi) const {
    const T difference[2][2] = {{u[lower_right] - u[lower_left], u[upper_right] - u[upper_left]},
                                {u[upper_left] - u[lower_left], u[upper_right] - u[lower_right]}};
    UNROLL for (int axis = 0; axis < 2; ++axis) {
      const T g = difference[axis][0], h = difference[axis][1];
      T one = first[axis][cell] * g, other = second[axis][cell] * h;
      if (mixed[axis]) {
        const T both = mixed[axis][cell];
        one = std::fma(both, h, one), other = std::fma(both, g, other);
      }
      T &p = psi.at[2 * axis], &q = psi.at[2 * axis + 1];
      const T kept = decay ? keep[axis][cell] : T(1);
      p = std::fma(share, one, kept * p);
      q = std::fma(share, other, kept * q);
    }
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
