#pragma once
// The terms of the semi-discrete equation M u_tt + D u_t + K u = f at one point.

#include <cmath>

#include "kernels/grid/stiffness.hpp"

namespace wavesim {

/// (min(D, 3 M) v)_i, as much of the damping as the first of two solves may take, and ((D - min(D, 3 M)) v)_i, which the
/// second one takes (docs/math.md, (6b)).
template <class T>
HD T first_damping(T damping, T mass) {
  return damping < 3 * mass ? damping : 3 * mass;
}
template <class T>
HD T damping_of_first(const Point<T>& c, const Topology&, Row r, const T* v) {
  return first_damping(c.damping, c.mass) * v[r.i];
}
template <class T>
HD T damping_of_second(const Point<T>& c, const Topology&, Row r, const T* v) {
  return (c.damping - first_damping(c.damping, c.mass)) * v[r.i];
}
template <class T>
HD T damping_of_first(const NinePointRows<T>& c, const Topology& t, Row r, const T* v) {
  StencilRow<T, NinePoint> row;
  UNROLL for (int k = 0; k < NinePoint::points; ++k) row.at[k] = first_damping(c.damping[k], c.mass[k]);
  return row.times([&](int j) { return v[j]; }, neighbours<NinePoint>(t, r));
}
template <class T>
HD T damping_of_second(const NinePointRows<T>& c, const Topology& t, Row r, const T* v) {
  StencilRow<T, NinePoint> row;
  UNROLL for (int k = 0; k < NinePoint::points; ++k) row.at[k] =
      c.damping[k] - first_damping(c.damping[k], c.mass[k]);
  return row.times([&](int j) { return v[j]; }, neighbours<NinePoint>(t, r));
}

/// M p - beta D p + gamma K p - delta K u at a point; `corrected`: without the damping that a second solve takes.
template <class T, class Coefficients>
struct RightHandSide {
  Coefficients c;
  const T *u, *p;
  T beta, gamma, delta;
  bool corrected = false;
  HD T operator()(Row r) const {
    const auto at = c.at(r);
    T sum;
    if (corrected) {
      const T half = T(0.5);
      sum = std::fma(-(beta + half), damping_of_first(at, c.topology, r, p),
                     inertia(at, c.topology, r, half, p));
    } else {
      sum = inertia(at, c.topology, r, -beta, p);
    }
    if (gamma != 0) sum = std::fma(gamma, stiffness(at, c.topology, r, p), sum);
    return std::fma(-delta, stiffness(at, c.topology, r, u), sum);
  }
};

/// correction K (d - p) - share (D - min(D, 3 M)) p at a point
template <class T, class Coefficients>
struct CorrectionRightHandSide {
  Coefficients c;
  const T *p, *d;
  T correction, share;
  struct Difference {
    const T *d, *p;
    HD T operator[](int i) const { return d[i] - p[i]; }
  };
  HD T operator()(Row r) const {
    const auto at = c.at(r);
    return std::fma(correction, stiffness(at, c.topology, r, Difference{d, p}),
                    -share * damping_of_second(at, c.topology, r, p));
  }
};

/// The share of p'M p that belongs to point i.
template <class T>
HD double kinetic(const Point<T>& c, const Topology&, Row r, const T* p) {
  return double(c.mass) * p[r.i] * p[r.i];
}
template <class T>
HD double kinetic(const NinePointRows<T>& c, const Topology& t, Row r, const T* p) {
  const Neighbours<NinePoint> j = neighbours<NinePoint>(t, r);
  double sum = 0;
  UNROLL for (int k = 0; k < NinePoint::points; ++k) sum += double(c.mass[k]) * double(p[j.at[k]]);
  return sum * double(p[r.i]);
}

/// The share of u'K v that belongs to point i: half of each coupling, all of what holds it to a fixed
/// neighbour. Written in differences, which do not cancel as u'(K v) would.
template <class T, class U, class V>
HD double strain(const Point<T>& c, const Topology& t, Row r, const U& u, const V& v) {
  double sum = 0;
  const T faces[4] = {c.south, c.west, c.east, c.north};
  const int neighbours[4] = {t.south(r), t.west(r), t.east(r), t.north(r)};
  for (int k = 0; k < 4; ++k) {
    const double ui = u[r.i], vi = v[r.i];
    if (faces[k] > 0)
      sum += 0.5 * double(faces[k]) * (ui - double(u[neighbours[k]])) * (vi - double(v[neighbours[k]]));
    else
      sum -= double(faces[k]) * ui * vi;
  }
  return sum;
}

/// What is left of a row when couplings are differences holds the point to neighbours that are fixed.
template <class T, class U, class V>
HD double strain(const NinePointRows<T>& c, const Topology& t, Row r, const U& u, const V& v) {
  const Neighbours<NinePoint> j = neighbours<NinePoint>(t, r);
  const double ui = u[r.i], vi = v[r.i];
  double sum = 0, held = c.stiffness[NinePoint::centre];
  UNROLL for (int k = 0; k < NinePoint::points; ++k) {
    if (k == NinePoint::centre) continue;
    const double entry = c.stiffness[k];
    sum -= 0.5 * entry * (ui - double(u[j.at[k]])) * (vi - double(v[j.at[k]]));
    held += entry;
  }
  return sum + held * ui * vi;
}

/// (M v)_i, (D v)_i and (K v)_i in double, the last in differences.
template <class T, class V>
HD double massive(const Point<T>& c, const Topology&, Row r, const V& v) {
  return double(c.mass) * v[r.i];
}
template <class T, class V>
HD double damped(const Point<T>& c, const Topology&, Row r, const V& v) {
  return double(c.damping) * v[r.i];
}
template <class T, class V>
HD double stiff(const Point<T>& c, const Topology& t, Row r, const V& v) {
  const T faces[4] = {c.south, c.west, c.east, c.north};
  const int neighbours[4] = {t.south(r), t.west(r), t.east(r), t.north(r)};
  double sum = 0;
  for (int k = 0; k < 4; ++k)
    sum += faces[k] > 0 ? double(faces[k]) * (v[r.i] - v[neighbours[k]]) : -double(faces[k]) * v[r.i];
  return sum;
}
template <class T, class V>
HD double entries_times(const StencilRow<T, NinePoint>& a, const Topology& t, Row r, const V& v) {
  const Neighbours<NinePoint> j = neighbours<NinePoint>(t, r);
  double sum = 0;
  UNROLL for (int k = 0; k < NinePoint::points; ++k) sum += double(a[k]) * v[j.at[k]];
  return sum;
}
template <class T, class V>
HD double massive(const NinePointRows<T>& c, const Topology& t, Row r, const V& v) {
  return entries_times(c.mass, t, r, v);
}
template <class T, class V>
HD double damped(const NinePointRows<T>& c, const Topology& t, Row r, const V& v) {
  return entries_times(c.damping, t, r, v);
}
template <class T, class V>
HD double stiff(const NinePointRows<T>& c, const Topology& t, Row r, const V& v) {
  const Neighbours<NinePoint> j = neighbours<NinePoint>(t, r);
  double sum = 0, held = c.stiffness[NinePoint::centre];
  UNROLL for (int k = 0; k < NinePoint::points; ++k) {
    if (k == NinePoint::centre) continue;
    const double entry = c.stiffness[k];
    sum -= entry * (v[r.i] - v[j.at[k]]);
    held += entry;
  }
  return sum + held * v[r.i];
}

}  // namespace wavesim
