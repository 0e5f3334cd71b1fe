#pragma once
// What one block of threads does in blocked sweeps on a GPU where it has all rows of its chunk at once, but for the sums over
// lanes.

#include "kernels/temporal/cuda_resident_rows.hpp"

namespace wavesim::cuda {

/// Adds up the norms of the block's slices in the order of a front: a lane its columns, row by row. Warps share slices, lanes
/// and halves out: the residual, and what it is relative to. leave.lane(k, part, lane, norms, half) in whole warps for slice k
/// of the block, then, after a barrier, leave.slice(k, part, warps, half) in one thread for each slice and half.
template <class Plan, class Leave>
__device__ __forceinline__ void add_slices(const Leave& leave, const SweepPlan& plan, ResidentThreads threads,
                                           const ResidentMemory<Plan>& memory, const ReferenceRows& counted,
                                           int row0, int ny) {
  constexpr int V = Plan::V, halves = 1 + Plan::Shape::is_step;
  constexpr int lead = Plan::Shape::H - Plan::Shape::late;
  const int strip = blockIdx.x % plan.strips, chunk = blockIdx.x / plan.strips;
  const int first = plan.first_slice(chunk), slices = plan.first_slice(chunk + 1) - first;
  const int warps = threads.lanes / 32, thread = threadIdx.x;
  __syncthreads();
  ROLLED for (int k = thread / 32; k < halves * slices * warps; k += threads.count() / 32) {
    const int half = k / (slices * warps), of_half = k - half * slices * warps;
    const int slice = of_half / warps, lane = of_half % warps * 32 + thread % 32;
    const int from = plan.first_row_of(first + slice), count = plan.first_row_of(first + slice + 1) - from;
    const ReferenceRows rows = half == 0 ? ReferenceRows{from, count} : reference_rows<lead>(from, count, ny);
    const bool mine = Lane::owns<typename Plan::T>(plan, lane);
    LaneNorms norms;
    const auto* at = (half == 0 ? memory.residual + (rows.from - row0) * Plan::columns
                                : memory.reference + (rows.from - counted.from) * Plan::columns) +
                     lane * V;
    ROLLED for (int row = 0; row < (mine ? rows.count : 0); ++row, at += Plan::columns) {
      const auto p = pack(at);
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) norms.add(double(p.v[v]));
    }
    leave.lane(slice, plan.part(strip, first + slice), lane, norms.norms(), half);
  }
  __syncthreads();
  const int half = thread / slices, slice = thread - half * slices;
  if (half < halves) leave.slice(slice, plan.part(strip, first + slice), warps, half);
}

template <class Plan, bool centred, class Leave>
__device__ __forceinline__ void resident_norms(
    const Leave& leave, const SweepPlan& plan, ResidentThreads threads, RowStarts starts,
    const typename Plan::Shape::Medium& medium, const typename Plan::Shape::Fields& fields,
    const SweepCoefficients<typename Plan::T, Plan::Shape::K>& steps,
    const typename LaneRows<typename Plan::Shape>::Inside& inside, unsigned char* shared) {
  using Shape = typename Plan::Shape;
  constexpr int lead = Shape::H - Shape::late;
  const Topology& t = medium.topology();
  const int group = threadIdx.x / threads.lanes;
  const Lane lane = Lane::of<typename Plan::T>(plan, t, threadIdx.x - group * threads.lanes);
  const ResidentMemory<Plan> memory(shared, threads, plan.rows);
  const LaneRows<Shape> rows(memory.table, lane, block_columns<typename Plan::T>(plan), medium, inside);
  // the chunk and what its sweeps take beside it, moved so that it lies on the grid
  const int tile = threads.groups * Plan::N,
            first = t.wrap_y != 0 ? lane.row0 - Shape::H : min(max(lane.row0 - Shape::H, 0), t.ny - tile);
  ResidentRows<Plan, centred> all(memory, threads, lane, first, group, rows, t, fields, steps, starts);
  const ReferenceRows counted = reference_rows<lead>(lane.row0, lane.rows, t.ny);
  const auto work = [&](auto which) {
    constexpr BlockedRows kind = decltype(which)::value;
    all.template begin<kind>(counted);
    all.template sweeps<kind>();
    all.template residual<kind>();
    all.store();
    add_slices<Plan>(leave, plan, threads, memory, counted, lane.row0, t.ny);
  };
  const bool inner = t.wrap_y != 0 || (first > 0 && first + tile < t.ny);
  if (inner ? rows.constant : rows.held)
    return work(std::integral_constant<BlockedRows, BlockedRows::inner>{});
  LaneRows<Shape>::make_table(memory.table, threadIdx.x, inside);
  __syncthreads();
  work(std::integral_constant<BlockedRows, BlockedRows::any>{});
}

}  // namespace wavesim::cuda
