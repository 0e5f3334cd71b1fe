#pragma once
// Blocked sweeps in a varying medium (blocked_sweeps.hpp). With y = D^1/2 x, g = D^-1/2 b and the diagonal D of A,
// sweep s is
//   y_s = (1 + m_s - w_s) y - m_s y_before + w_s (g + N y),   N = I - D^-1/2 A D^-1/2,
// and the residual of A x = b is D^1/2 (g + N y - y). N is symmetric and has no diagonal: two faces and one
// scale for each point are all that it takes. Faces that couple nothing, of edges, rims and what lies outside
// of the domain, are zero, so no point is of a kind of its own.

#include "kernels/temporal/blocked_sweeps.hpp"

namespace wavesim {

/// Arrays are fields: N between a point and its east and north neighbour, and D^1/2, all zero outside of the
/// domain. For steps in time also D^-1/2 M, and D^-1/2 (M + a D), which without damping (`damps`) is the
/// same. (D in brackets is damping.)
template <class T, bool damps>
struct ScaledMedium {
  Topology topology_;
  const T *east = nullptr, *north = nullptr, *sqrt_diagonal = nullptr, *scaled_mass = nullptr,
          *scaled_damped_mass = nullptr;
  /// The first two steps of a step in time from zero, which have no momentum, take (M + a D)^-1 in place of
  /// w_s and the inverse diagonal, but no more than w_s: their error is that of M^-1 K alone, however M varies.
  bool by_mass = false;
  HD const Topology& topology() const { return topology_; }
};

namespace temporal {

template <class Medium>
inline constexpr bool varies = false;
template <class T, bool damps>
inline constexpr bool varies<ScaledMedium<T, damps>> = true;
template <class Medium>
inline constexpr bool damped = false;
template <class T>
inline constexpr bool damped<ScaledMedium<T, true>> = true;

}  // namespace temporal

/// What a pass reads and writes, and the medium in which it does.
template <class Fields, class Medium>
struct InMedium {
  using Result = typename Fields::Result;
  static constexpr bool is_step = Fields::is_step;
  Medium medium;
  Fields fields;
  bool from_zero() const { return fields.from_zero(); }
  int vectors() const { return fields.vectors() + 3 + is_step + temporal::damped<Medium>; }
};

}  // namespace wavesim
