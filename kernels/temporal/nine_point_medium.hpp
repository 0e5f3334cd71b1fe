#pragma once
// A varying medium of nine points in blocked sweeps (blocked_sweeps.hpp). The sweeps are those of
// nine_point_rows.hpp with a row's own entries: x_s = keep x + momentum x_before + weight (g - D^-1 (A - D) x).

#include "kernels/grid/nine_point_coefficients.hpp"
#include "kernels/temporal/scaled_medium.hpp"

namespace wavesim {

/// Fields: A and the inverse of its diagonal, zero outside of the domain; for steps in time also K, what damps, and the
/// diagonal of A over the sum of a row of M, the weight of steps by mass (scaled_medium.hpp): of smooth fields M makes
/// those sums.
template <class T>
struct NinePointMedium {
  Topology topology_;
  NinePointMatrix<T> A, K, damping;
  const T *inverse = nullptr, *weight = nullptr;
  bool by_mass = false;
  bool damps() const { return damping.centre; }
  HD const Topology& topology() const { return topology_; }
};

template <class Fields, class T>
struct InMedium<Fields, NinePointMedium<T>> {
  using Result = typename Fields::Result;
  static constexpr bool is_step = Fields::is_step;
  NinePointMedium<T> medium;
  Fields fields;
  bool from_zero() const { return fields.from_zero(); }
  int vectors() const { return fields.vectors() + 6 + is_step * (6 + 5 * medium.damps()); }
};

}  // namespace wavesim
