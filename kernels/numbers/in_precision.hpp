#pragma once
// The coefficients of a uniform medium in another precision.

#include "kernels/grid/coefficients.hpp"
#include "kernels/grid/nine_point_coefficients.hpp"

namespace wavesim {

template <class To, class From>
UniformCoefficients<To> in_precision(const UniformCoefficients<From>& c) {
  UniformCoefficients<To> to;
  to.topology = c.topology;
  to.mass = To(c.mass);
  to.damping = To(c.damping);
  to.face_x = To(c.face_x);
  to.face_y = To(c.face_y);
  for (int side = 0; side < 4; ++side) {
    to.edge[side] = To(c.edge[side]);
    to.half[side] = To(c.half[side]);
    to.radiation[side] = To(c.radiation[side]);
  }
  return to;
}

template <class To, class From>
CornerEntries<To> in_precision(const CornerEntries<From>& c) {
  return {To(c.own), To(c.along_x), To(c.along_y), To(c.opposite)};
}
template <class To, class From>
UniformNinePointCoefficients<To> in_precision(const UniformNinePointCoefficients<From>& c) {
  UniformNinePointCoefficients<To> to;
  to.topology = c.topology;
  to.mass = in_precision<To>(c.mass);
  to.damping = in_precision<To>(c.damping);
  to.stiffness = in_precision<To>(c.stiffness);
  for (int side = 0; side < 4; ++side) {
    to.cells_beyond[side] = c.cells_beyond[side];
    to.radiation[side] = To(c.radiation[side]);
  }
  return to;
}

}  // namespace wavesim
