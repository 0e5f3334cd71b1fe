#pragma once
// What one block of threads does in blocked sweeps on a GPU (blocked_sweeps_cuda.hpp), but for the sums over lanes.

#include "kernels/temporal/cuda_front.hpp"

namespace wavesim::cuda {

/// Goes through a chunk of rows of a strip of columns from below; the norms of the lane's own points. `shared`
/// has Shape::bytes, on a line of memory.
template <class Shape, bool centred>
__device__ __forceinline__ typename Shape::Fields::Result blocked_norms(
    const BlockPlan& plan, int pitch, const typename Shape::Medium& medium,
    const typename Shape::Fields& fields, const SweepCoefficients<typename Shape::Value, Shape::K>& steps,
    const typename LaneRows<Shape>::Inside& inside, unsigned char* shared) {
  using T = typename Shape::Value;
  const Topology& t = medium.topology();
  const Lane lane = Lane::of<T>(plan, t);
  const SharedMemory<Shape> memory(shared);
  memory.clear(lane.thread);
  LaneRows<Shape>::make_table(memory, lane.thread, medium);
  // in time, u is a row ahead of g
  const int first = lane.row0 - Shape::H - (Shape::is_step && Shape::late == 0),
            last = lane.row0 + lane.rows + Shape::H;
  const Arrivals<Shape> arrivals(memory.arriving, lane, first, pitch, medium, fields);
  __syncthreads();
  for (int k = 0; k < Shape::ahead - 1; ++k) arrivals.fetch(first + k);
  LaneRows<Shape> rows(memory, lane, medium, inside);
  Front<Shape, centred> front(memory, lane, arrivals, rows, medium, fields, steps, pitch);

  int f = first;
  // Two turns at a time, so that rows change places without being moved.
  const auto two = [&](auto which) {
    front.template turn<decltype(which)::value, 0>(f);
    front.template turn<decltype(which)::value, 1>(f + 1);
  };
  constexpr std::integral_constant<BlockedRows, BlockedRows::inner> inner;
  if constexpr (Shape::varies) {  // edges are faces like others
    for (; f < last; f += 2) two(inner);
  } else {
    // Every row at work is an inner one from `from` to `to`.
    int from = t.wrap_y != 0 ? first : max(first, Shape::H + 1),
        to = t.wrap_y != 0 ? last : min(last, t.ny - 1);
    from += (from - first) & 1;
    if (!rows.constant) from = to = last;
    const auto edge_rows = [&](int end) {
      for (; f < end; f += 2)
        if (rows.held)
          two(std::integral_constant<BlockedRows, BlockedRows::some_beyond>{});
        else
          two(std::integral_constant<BlockedRows, BlockedRows::any>{});
    };
    edge_rows(min(from, last));
    for (; f + 1 < to; f += 2) two(inner);
    edge_rows(last);
  }

  if (!lane.mine) front.residual = front.reference = {};
  if constexpr (Shape::is_step)
    return StepNorms{front.residual.norms(), front.reference.norms()};
  else
    return front.residual.norms();
}

}  // namespace wavesim::cuda
