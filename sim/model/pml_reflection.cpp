#include "sim/model/pml_reflection.hpp"

#include <cmath>
#include <complex>
#include <numbers>

namespace wavesim {

namespace {

using Complex = std::complex<double>;

/// K - omega^2 M of a cell between two nodes along the normal, over T / h: [diagonal, off; off, diagonal].
struct Cell {
  Complex diagonal, off;
};

/// With `s` the stretch 1 + zeta / (i omega), and h^2 zeta' / c of the matching to the grid (pml.cpp).
Cell cell_of(const Model& m, Complex s, double slope, double kx_h) {
  const bool wide = m.space_order == 4;
  const double own = wide ? 5.0 / 12 : 0.5, other = wide ? 1.0 / 12 : 0;
  const Complex face = 1.0 / (s * (1 + slope / (wide ? 6 : 4))), mass = kx_h * kx_h * s;
  return {face - own * mass, -face - other * mass};
}

}  // namespace

double reflection_of_layer(const Model& m, int side, double wavelength, double cosine) {
  const int axis = side / 2;
  const long layer = m.grid.layer[axis][side % 2];
  const double h = m.grid.spacing[axis], k = 2 * std::numbers::pi / wavelength, rate = m.edges[side].pml_rate;
  const auto cell = [&](long n) {  // counted outwards, from 0 at the rectangle
    const double depth = (double(n) + 0.5) / double(layer);
    const Complex s(1, -rate * depth * depth / (k * m.largest_speed));
    const double slope = h * 2 * rate * depth / double(layer) / m.largest_speed;
    return cell_of(m, n < 0 ? Complex(1) : s, n < 0 ? 0 : slope, k * cosine * h);
  };
  // The recurrence of the nodes' equations, inwards from the edge: T u_n = -i omega T / c u.
  Cell outer = cell(layer - 1);
  Complex here = 1, inner = -(outer.diagonal + Complex(0, k * h)) / outer.off;
  for (long n = layer - 2; n >= -2; --n) {
    const Cell next = cell(n);
    const Complex before = -((next.diagonal + outer.diagonal) * inner + outer.off * here) / next.off;
    here = inner;
    inner = before;
    outer = next;
  }
  // Two nodes of the rectangle: u_j = out e^(-i q j) + back e^(i q j), with j = 1 in `here` and 0 in `inner`.
  const Complex q = std::acos(-outer.diagonal / outer.off), step = std::exp(Complex(0, 1) * q);
  const Complex back = (here - inner / step) / (step - 1.0 / step), out = inner - back;
  return std::abs(back / out);
}

}  // namespace wavesim
