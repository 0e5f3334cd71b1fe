#pragma once
// The arithmetic of blocked sweeps at a point (blocked_sweeps.hpp), term by term in the order that both backends
// keep. N = D^-1 (D - A) in a constant medium, I - D^-1/2 A D^-1/2 in a varying one (scaled_medium.hpp). A sweep is
//   x_s = keep x + momentum x_before + weight (g + N x)
// and takes the northern neighbour last: on a GPU that is what the sweep before has just left.

#include <cmath>

#include "kernels/backend/hd.hpp"
#include "kernels/numbers/reciprocal.hpp"

namespace wavesim {

/// g + N x but for the northern neighbour.
template <class T>
HD T coupled(T g, T to_south, T south, T to_west, T west, T to_east, T east) {
  T y = std::fma(to_south, south, g);
  y = std::fma(to_west, west, y);
  return std::fma(to_east, east, y);
}
/// The same where the neighbour in the west is another lane's, which has shown to_west * west, rounded.
template <class T>
HD T coupled_to_lane(T g, T to_south, T south, T from_west, T to_east, T east) {
  return std::fma(to_east, east, std::fma(to_south, south, g) + from_west);
}
/// One of the two: the second where `first`, of the columns of a lane. Both are computed, so that a loop over
/// columns has no branch.
template <class T>
HD T coupled_in_lane(T g, T to_south, T south, T to_west, T west, bool first, T to_east, T east) {
  const T y = std::fma(to_south, south, g), product = to_west * west;
  const T apart = y + product, joined = std::fma(to_west, west, y);
  return std::fma(to_east, east, first ? apart : joined);
}
/// g + N x from all but the northern neighbour; and likewise a sweep, with weight * to_north.
template <class T>
HD T with_north(T y, T to_north, T north) {
  return std::fma(to_north, north, y);
}

/// keep x + momentum x_before
template <class T>
HD T kept(T keep, T x, T momentum, T x_before) {
  return std::fma(momentum, x_before, keep * x);
}
/// A sweep but for the northern neighbour, from g + N x but for that one.
template <class T>
HD T swept(T kept, T weight, T y) {
  return std::fma(weight, y, kept);
}

/// D^-1 b of a step in time; y = D^-1 (D - A) u.
template <class T>
HD T scaled_right_hand_side(T scaled_mass, T p, T ratio, T stiff, T u, T y) {
  return std::fma(ratio, std::fma(-stiff, u, y), scaled_mass * p);
}
/// What the residual of a step is relative to, D^-1 (b + A u) or, with `whole` 0 instead of 1, D^-1 b.
template <class T>
HD T scaled_reference(T whole, T g, T u, T y) {
  return std::fma(whole, u - y, g);
}
/// The weight of a step by mass where the pass has `most` for smooth fields.
template <class T>
HD T weight_at_most(T weight, T most) {
  return weight < most ? weight : most;
}
/// D (M + a D)^-1, the weight of steps by mass (scaled_medium.hpp), from D^1/2 and D^-1/2 (M + a D). It is at most
/// that of smooth fields, 1 / lambda_least: a rim that cuts the grid line near a point makes D large there, and
/// a heavier weight would throw the point beyond its value.
template <class T>
HD T weight_by_mass(T sqrt_diagonal, T scaled_damped_mass, T most) {
  return weight_at_most(sqrt_diagonal * inverse_or_zero(scaled_damped_mass), most);
}

}  // namespace wavesim
