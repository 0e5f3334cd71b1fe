#pragma once
// The system that everything is measured on.

#include <random>
#include <vector>

#include "kernels/backend/backend.hpp"
#include "kernels/grid/coefficients.hpp"

namespace wavesim {

template <class T>
Field<Backend, T> random_field(Backend& be, Extent e, unsigned seed) {
  Field<Backend, T> f(be, e);
  std::vector<T> v(f.memory().size(), T(0));
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int row = 0; row < e.ny; ++row)
    for (int col = 0; col < e.nx; ++col) v[std::size_t(row + 1) * e.pitch + col] = T(uniform(random));
  f.memory().upload(v);
  return f;
}

/// The membrane with fixed edges: A = I + K with faces a, so that the matrix is 1 + 4a and -a (limits of the
/// field: a = 0.5, 50).
template <class T>
UniformCoefficients<T> membrane(Extent e, double a) {
  UniformCoefficients<T> c;
  c.topology = {e.nx, e.ny, 0, 0};
  c.face_x = c.face_y = T(a);
  for (T& edge : c.edge) edge = T(-a);
  return c;
}

}  // namespace wavesim
