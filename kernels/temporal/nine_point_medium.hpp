#pragma once
// A varying medium of nine points in blocked sweeps (blocked_sweeps.hpp). The sweeps are those of
// nine_point_rows.hpp with a row's own entries: x_s = keep x + momentum x_before + weight (g - D^-1 (A - D) x).

#include "kernels/temporal/constant_stiffness.hpp"
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
  /// Where K is constant: a field of mass_over_288(), by row of the grid the columns, b of A = M + b K, and the part of all
  /// points. Null: nowhere.
  const T* mass = nullptr;
  const ConstantStiffness<T>* constant = nullptr;
  T b = 0;
  double constant_part = 0;
  bool by_mass = false;
  bool damps() const { return damping.centre; }
  HD const Topology& topology() const { return topology_; }
  /// Words that a row reads where K varies and where it does not.
  double words(int varying, int constant) const { return varying + constant_part * (constant - varying); }
};

template <class Fields, class T>
struct InMedium<Fields, NinePointMedium<T>> {
  using Result = typename Fields::Result;
  static constexpr bool is_step = Fields::is_step;
  NinePointMedium<T> medium;
  Fields fields;
  bool from_zero() const { return fields.from_zero(); }
  double vectors() const {
    return fields.vectors() + medium.words(6 + is_step * (6 + 5 * medium.damps()), 2 + is_step);
  }
};

}  // namespace wavesim
