#pragma once
// The coefficients of a finite-volume operator on the faces of cells, free of any time step:
//   (M u)_i = mass_i u_i,   (D u)_i = damping_i u_i,
//   (K u)_i = sum over faces of |t_f| u_i  -  sum over t_f > 0 of t_f u_j.
// A positive face couples two points. A negative one holds its point to a neighbour that is no unknown (a
// fixed edge or rim): it adds to the diagonal and couples nothing. Zero is a free edge. One number serves
// both sides of a face: K is symmetric to the bit.

#include <cmath>

#include "kernels/backend/access.hpp"
#include "kernels/grid/stencil.hpp"

namespace wavesim {

/// The coefficients at one point.
template <class T>
struct Point {
  T mass, damping;
  T south, west, east, north;  // faces, signed
  HD T held() const { return magnitude(south) + magnitude(west) + magnitude(east) + magnitude(north); }
  HD static T magnitude(T face) { return std::fabs(face); }
  HD static T coupling(T face) { return face > 0 ? face : T(0); }
};

/// Constant medium on a rectangle: nothing is stored. Free edges halve the cells along them and may carry
/// damping.
template <class T>
struct UniformCoefficients {
  using Stencil = FivePoint;
  static constexpr bool uniform = true;
  static constexpr int words = 0;  // read for each point
  Topology topology;
  T mass = 1, damping = 0;
  T face_x = 0, face_y = 0;
  /// Face across the left, right, bottom, top edge: face_x or face_y if periodic, minus that if fixed, 0 if
  /// free.
  T edge[4] = {0, 0, 0, 0};
  T half[4] = {1, 1, 1, 1};  // share of a cell along that edge that is inside: 1/2 at a free edge, else 1
  T radiation[4] = {0, 0, 0, 0};  // damping of a whole cell's length of that edge

  /// Whether rows of points on the edges are others than those of inner points (Rows): not if all edges are
  /// fixed.
  bool edges() const {
    bool care = topology.wrap_x != 0 || topology.wrap_y != 0;
    for (int side = 0; side < 4; ++side)
      care = care || edge[side] != -(side < 2 ? face_x : face_y) || half[side] != 1 || radiation[side] != 0;
    return care;
  }
  HD Point<T> inside() const { return {mass, damping, face_y, face_x, face_x, face_y}; }
  HD Point<T> at(Row r) const {
    if (!r.edge) return inside();
    return along(r.col == 0, r.col == topology.nx - 1, r.row == 0, r.row == topology.ny - 1);
  }
  /// At points on these sides.
  HD Point<T> along(bool left, bool right, bool bottom, bool top) const {
    const T share_x = (left ? half[0] : T(1)) * (right ? half[1] : T(1));  // of a cell's width
    const T share_y = (bottom ? half[2] : T(1)) * (top ? half[3] : T(1));  // of its height
    Point<T> n;
    n.mass = mass * (share_x * share_y);
    n.damping = damping * (share_x * share_y) +
                ((left ? radiation[0] : T(0)) + (right ? radiation[1] : T(0))) * share_y +
                ((bottom ? radiation[2] : T(0)) + (top ? radiation[3] : T(0))) * share_x;
    n.west = (left ? edge[0] : face_x) * share_y;
    n.east = (right ? edge[1] : face_x) * share_y;
    n.south = (bottom ? edge[2] : face_y) * share_x;
    n.north = (top ? edge[3] : face_y) * share_x;
    return n;
  }
};

/// Any medium and region. Arrays are fields with ghost rows: east[i] is the face between i and its right
/// neighbour, north[i] the one above; the face left of column 0 lies in the padding before it, the one below
/// row 0 in the ghost row.
template <class T>
struct VariableCoefficients {
  using Stencil = FivePoint;
  static constexpr bool uniform = false;
  static constexpr int words = 4;
  Topology topology;
  const T *mass = nullptr, *damping = nullptr, *east = nullptr, *north = nullptr;

  VariableCoefficients() = default;
  /// `damping` may be null: none. The member is then `mass`: a CPU's loop reads under a mask what it does not
  /// use, and a masked read of what is no memory takes a hundred times as long as another.
  VariableCoefficients(const Topology& t, const T* mass, const T* damping, const T* east, const T* north)
      : topology(t), mass(mass), damping(damping ? damping : mass), east(east), north(north) {}
  HD bool damped() const { return damping != mass; }

  /// Whether points on the edges need care (Rows): they have coefficients of their own like all others.
  bool edges() const { return topology.wrap_x != 0 || topology.wrap_y != 0; }
  HD Point<T> at(Row r) const {
    return {mass[r.i], damped() ? damping[r.i] : T(0), north[r.i - r.pitch], east[r.i - 1], east[r.i],
            north[r.i]};
  }
};

}  // namespace wavesim
