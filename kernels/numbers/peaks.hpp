#pragma once
// What is kept of a wave that passes a point: its largest size so far, and when it arrived.

#include "kernels/numbers/finite.hpp"

namespace wavesim {

/// The larger of a maximum and |u|.
template <class T>
HD T larger(T maximum, T u) {
  const T size = u < 0 ? -u : u;
  return size > maximum ? size : maximum;
}
/// The first time at which |u| is above the threshold; NaN: not yet.
template <class T>
HD T arrived(T arrival, T u, T threshold, T time) {
  const T size = u < 0 ? -u : u;
  return is_nan(arrival) && size > threshold ? time : arrival;
}

}  // namespace wavesim
