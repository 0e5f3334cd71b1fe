#pragma once
// The system of five or nine points on a rectangle with a constant medium, as two axes: the system itself, or the one
// of the mean medium.

#include "kernels/transform/trigonometric.hpp"
#include "solvers/core/operator.hpp"

namespace wavesim {

/// A = mass Bx By + face_x Kx By + face_y Bx Ky + R Bx, B = W - blend K: W the shares of cells (half ones at free ends),
/// K the second differences of each axis, R damping on the lowest and the highest row. `blend` is 1/12 with nine points
/// (docs/math.md, section 2) and 0 with five.
struct RectangleSystem {
  Axis x, y;
  double mass = 1, face_x = 0, face_y = 0;
  double lowest = 0, highest = 0;  // R
  double blend = 0;

  /// The matrix along y for fields V_k(x) y, Kx V_k = lambda Wx V_k: shift Wy + off Ky + added R.
  struct Line {
    double shift, off, added;
  };
  Line line(double lambda) const {
    const double Bx = 1 - blend * lambda, By = mass * Bx + face_x * lambda;
    return {By, face_y * Bx - blend * By, Bx};
  }
};

template <class T>
RectangleSystem rectangle_of(const UniformCoefficients<T>& c, double a, double b) {
  RectangleSystem s;
  s.x = {c.topology.nx, c.topology.wrap_x != 0, c.edge[0] < 0, c.edge[1] < 0};
  s.y = {c.topology.ny, c.topology.wrap_y != 0, c.edge[2] < 0, c.edge[3] < 0};
  s.mass = double(c.mass) + a * double(c.damping);
  s.face_x = b * double(c.face_x);
  s.face_y = b * double(c.face_y);
  s.lowest = a * double(c.radiation[2]);
  s.highest = a * double(c.radiation[3]);
  return s;
}

/// The means of a varying medium over all points. Faces that are zero are left out, so that a region
/// cut out of the rectangle keeps its tension. An end is fixed if most of its faces are.
template <class B, class T>
struct MeanMedium {
  B& be;
  Extent e;
  VariableCoefficients<T> c;

  RectangleSystem system(double a, double b) const {
    Buffer<B, Sum<4>> held(be, 1);
    count_held(held.data());
    const Sum<4> n = held.download()[0];
    RectangleSystem s;
    s.x = {e.nx, c.topology.wrap_x != 0, 2 * n.v[0] > e.ny, 2 * n.v[1] > e.ny};
    s.y = {e.ny, c.topology.wrap_y != 0, 2 * n.v[2] > e.nx, 2 * n.v[3] > e.nx};
    Buffer<B, Sum<6>> sums(be, 1);
    add_up(a, s, sums.data());
    const Sum<6> m = sums.download()[0];
    s.mass = m.v[0] / m.v[1];
    s.face_x = m.v[3] > 0 ? b * m.v[2] / m.v[3] : 0;
    s.face_y = m.v[5] > 0 ? b * m.v[4] / m.v[5] : 0;
    return s;
  }

  /// Faces of each edge that couple their point to a fixed one.
  void count_held(Sum<4>* to) const {
    const VariableCoefficients<T> c = this->c;
    const int nx = e.nx, ny = e.ny;
    be.rows_sum(
        "faces held at the edges", e, 4 * sizeof(T), to,
        [=] KERNEL(Row r) {
          const Point<T> p = c.at(r);
          return Sum<4>{{double(r.col == 0 && p.west < 0), double(r.col == nx - 1 && p.east < 0),
                         double(r.row == 0 && p.south < 0), double(r.row == ny - 1 && p.north < 0)}};
        },
        NoEpilogue{});
  }
  /// Masses, faces across x, faces across y, and after each the share of cells that it stands for: a constant
  /// medium is its own mean, half cells or not.
  void add_up(double a, const RectangleSystem& s, Sum<6>* to) const {
    const VariableCoefficients<T> c = this->c;
    const int nx = e.nx, ny = e.ny;
    const Axis x = s.x, y = s.y;
    be.rows_sum(
        "mean medium", e, 5 * sizeof(T), to,
        [=] KERNEL(Row r) {
          const Point<T> p = c.at(r);
          const double wx = share(x, r.col, nx), wy = share(y, r.row, ny);
          const double across_x = double(p.west != 0) + double(p.east != 0),
                       across_y = double(p.south != 0) + double(p.north != 0);
          return Sum<6>{{double(p.mass) + a * double(p.damping), wx * wy,
                         double(Point<T>::magnitude(p.west)) + Point<T>::magnitude(p.east), wy * across_x,
                         double(Point<T>::magnitude(p.south)) + Point<T>::magnitude(p.north), wx * across_y}};
        },
        NoEpilogue{});
  }
  /// Of point k: 1, or a half of that at each free end.
  HD static double share(const Axis& axis, int k, int n) {
    const double low = !axis.periodic && !axis.fixed_low && k == 0 ? 0.5 : 1,
                 high = !axis.periodic && !axis.fixed_high && k == n - 1 ? 0.5 : 1;
    return low * high;
  }
};

template <class B, class T>
RectangleSystem rectangle_of(B& be, const Operator<B, T>& A) {
  const WaveSystemFacts<T>& five = *A.five_point_system();
  RectangleSystem s = five.uniform ? rectangle_of(five.constant, five.a, five.b)
                                   : MeanMedium<B, T>{be, A.extent(), five.varying}.system(five.a, five.b);
  if (A.nine_point_system()) s.blend = 1.0 / 12;
  return s;
}

}  // namespace wavesim
