#pragma once
// What leaves a lane in blocked sweeps on a GPU (blocked_sweeps_cuda.hpp): a row of what the pass is for.

#include "kernels/temporal/cuda_arrivals.hpp"
#include "kernels/temporal/recurrence.hpp"

namespace wavesim::cuda {

template <class Shape, class T>
__device__ __forceinline__ void store(T* to, const Pack<T>& p) {
  if constexpr (Shape::forgets)
    __stcs(reinterpret_cast<uint4*>(to), *reinterpret_cast<const uint4*>(&p));
  else
    *reinterpret_cast<Pack<T>*>(to) = p;
}

/// Stores the lane's columns of row `row` if they are the block's own. `last`, `last_but_one`: that row of the
/// last two iterates; `arrived`: the row of the ring (Arrivals::place) that holds the fields to be changed.
template <class Shape, class T, int V>
__device__ __forceinline__ void leave(const Arrivals<Shape>& arrivals, const T* arrived, int row,
                                      const Lane& lane, RowStarts starts,
                                      const typename Shape::Fields& fields, const T (&last)[V],
                                      const T (&last_but_one)[V]) {
  constexpr bool varies = Shape::varies;
  Pack<T> left[Shape::leaving + 1];
  const auto load = [&] {
    for (int n = 0; n < Shape::leaving; ++n) left[n] = arrivals.source(arrived, Shape::at_leaving + n);
  };
  if constexpr (varies) load();
  if (!(lane.mine && lane.has(row))) return;
  if constexpr (!varies) load();
  const int to = starts(row) + lane.col;
  T inverse[V];
  if constexpr (varies)
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) inverse[v] = inverse_or_zero(left[Shape::leaving - 1].v[v]);
  Pack<T> d;
  UNROLL_REGISTERS for (int v = 0; v < V; ++v) d.v[v] = varies ? last[v] * inverse[v] : last[v];
  if constexpr (Shape::is_step) {
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) fields.advance(d.v[v], left[0].v[v], left[1].v[v]);
    store<Shape>(fields.u_to + to, left[0]);
    store<Shape>(fields.p_to + to, left[1]);
  } else {
    store<Shape>(fields.x_to + to, d);
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      d.v[v] = varies ? last_but_one[v] * inverse[v] : last_but_one[v];
    }
    if (fields.before_to) store<Shape>(fields.before_to + to, d);
  }
}

}  // namespace wavesim::cuda
