#pragma once
// How a field goes on beyond the ends of an axis, so that wide stencils need no rows of their own there: round where it
// is periodic, as its mirror image beyond a free edge, as that with the other sign beyond a fixed one.

#include "kernels/temporal/block_plan.hpp"

namespace wavesim {

struct MirroredAxis {
  int points = 0;
  bool periodic = false;
  bool low_fixed = false, high_fixed = false;  // a fixed edge lies one spacing beyond the first or last point

  /// A point of the axis, and what its values count at place i: -1 in a mirror image of the other sign, 0 on a fixed
  /// edge. Beyond one mirror there is no other: -points < i < 2 points.
  struct Place {
    int at, sign;
  };
  HD Place place(int i) const {
    if (periodic) return {ring(i, points), 1};
    if (i < 0) return reflected(low_image(i), low_fixed);
    if (i >= points) return reflected(high_image(i), high_fixed);
    return {i, 1};
  }
  /// f(place) for all places from .. to - 1 where point `at` of a periodic axis shows.
  template <class F>
  void each_time_round(int at, int from, int to, const F& f) const {
    for (int i = from + ring(at - from, points); i < to; i += points) f(i);
  }
  /// Whether places from .. to - 1 are all points of the axis.
  HD bool within(int from, int to) const { return from >= 0 && to <= points; }

 private:
  HD int low_image(int i) const { return low_fixed ? -2 - i : -i; }
  HD int high_image(int i) const { return high_fixed ? 2 * points - i : 2 * (points - 1) - i; }
  HD Place reflected(int at, bool fixed) const {
    if (!fixed) return {at, 1};
    return at < 0 || at >= points ? Place{at < 0 ? 0 : points - 1, 0} : Place{at, -1};
  }
};

}  // namespace wavesim
