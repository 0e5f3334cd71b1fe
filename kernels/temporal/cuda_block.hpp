#pragma once
// What one block of threads does in blocked sweeps on a GPU (blocked_sweeps_cuda.hpp), but for the sums over lanes.

#include "kernels/temporal/cuda_front.hpp"
#include "kernels/temporal/cuda_slices.hpp"

namespace wavesim::cuda {

/// Goes through a chunk of rows of a strip of columns from below. leave(part, norms): at the end of each slice the norms of
/// the lane's own points in it, in all lanes together. `shared` has Shape::bytes, on a line of memory.
template <class Shape, bool centred, class Leave>
__device__ __forceinline__ void blocked_norms(const Leave& leave, const SweepPlan& plan, RowStarts starts,
                                              const typename Shape::Medium& medium,
                                              const typename Shape::Fields& fields,
                                              const SweepCoefficients<typename Shape::Value, Shape::K>& steps,
                                              const typename LaneRows<Shape>::Inside& inside,
                                              unsigned char* shared) {
  using T = typename Shape::Value;
  const Topology& t = medium.topology();
  const Lane lane = Lane::of<T>(plan, t);
  const SharedMemory<Shape> memory(shared);
  memory.clear(lane.thread);
  LaneRows<Shape>::make_table(memory.table, lane.thread, inside);
  // in time, u is a row ahead of g; slices end with a whole number of two turns
  const int first = lane.row0 - Shape::H - 2 * (Shape::is_step && Shape::late == 0),
            last = lane.row0 + lane.rows + Shape::H;
  const Arrivals<Shape> arrivals(memory.arriving, lane, first, starts, medium, fields);
  __syncthreads();
  for (int k = 0; k < Shape::ahead - 1; ++k) arrivals.fetch(first + k);
  LaneRows<Shape> rows(memory.table, lane, block_columns<T>(plan), medium, inside);
  Front<Shape, centred> front(memory, lane, arrivals, rows, medium, fields, steps, starts);

  int f = first;
  const SlicesByRow slices(plan);
  static_assert(SweepPlan::step % 2 == 0);
  // From row `f` to `end`, two turns at a time, so that rows change places without being moved; the row after.
  const auto turns = [&](int f, int end, auto which) {
    for (; f < end; f += 2) {
      front.template turn<decltype(which)::value, 0>(f);
      front.template turn<decltype(which)::value, 1>(f + 1);
    }
    return f;
  };
  constexpr std::integral_constant<BlockedRows, BlockedRows::inner> inner;
  // Every row at work is an inner one from `from` to `to`. In a varying medium edges are faces like others.
  int from = first, to = last + 2;
  if constexpr (!Shape::varies) {
    if (t.wrap_y == 0) from = max(first, Shape::H + 1), to = min(last, t.ny - 1);
    from += (from - first) & 1;
    if (!rows.constant) from = to = last;
  }
  // Few lines of code, which a small grid fetches once for few rows: each kind of row is there once, and the end of a slice.
  while (f < last) {
    const int next = slices.end(f - Shape::H) + Shape::H;
    if (f >= from && f + 1 < to)
      f = turns(f, min(next, to - 1), inner);
    else if constexpr (!Shape::varies) {
      const int end = min(next, f < from ? from : last);
      if (rows.held)
        f = turns(f, end, std::integral_constant<BlockedRows, BlockedRows::some_beyond>{});
      else
        f = turns(f, end, std::integral_constant<BlockedRows, BlockedRows::any>{});
    }
    if (f < next) continue;
    const int part = slices.part(next - Shape::H - 1);  // f may be a row further
    if (!lane.mine) front.residual = front.reference = {};
    if constexpr (Shape::is_step)
      leave(part, StepNorms{front.residual.norms(), front.reference.norms()});
    else
      leave(part, front.residual.norms());
    front.residual = front.reference = {};
  }
}

}  // namespace wavesim::cuda
