#pragma once
// A constant medium on a rectangle, with fixed, free and periodic edges.

#include "kernels/grid/coefficients.hpp"

namespace wavesim::test {

/// Along an axis that is not periodic, one edge is fixed and one is free.
template <class T>
UniformCoefficients<T> uniform_membrane(Extent e, bool wrap_x, bool wrap_y) {
  UniformCoefficients<T> c;
  c.topology = {e.nx, e.ny, wrap_x ? e.nx : 0, wrap_y ? e.ny * e.pitch : 0};
  c.mass = T(1.25);
  c.face_x = 3;
  c.face_y = 2;
  c.edge[0] = T(wrap_x ? 3 : -3);
  c.edge[1] = T(wrap_x ? 3 : 0);
  c.edge[2] = T(wrap_y ? 2 : 0);
  c.edge[3] = T(wrap_y ? 2 : -2);
  if (!wrap_x) c.half[1] = T(0.5);
  if (!wrap_y) c.half[2] = T(0.5);
  return c;
}

}  // namespace wavesim::test
