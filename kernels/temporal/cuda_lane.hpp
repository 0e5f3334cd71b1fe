#pragma once
// The columns of a lane in blocked sweeps on a GPU (blocked_sweeps_cuda.hpp), and the rows of its block.

#include "kernels/temporal/block_plan.hpp"

namespace wavesim::cuda {

/// The columns of the block, its neighbours' included.
template <class T>
__device__ inline ColumnRange block_columns(const BlockPlan& plan) {
  const int from = plan.first_col + int(blockIdx.x) % plan.strips * plan.inner - plan.margin;
  return {from, from + plan.inner + 2 * plan.margin};
}

struct Lane {
  int thread;
  int col;       // its first column
  int from_col;  // where that is in memory
  bool mine;     // its columns are the block's own, not a neighbour's
  bool in_domain;
  int row0, rows;  // of its block

  template <class T, class Plan>
  __device__ static Lane of(const Plan& plan, const Topology& t) {
    return of<T>(plan, t, threadIdx.x);
  }
  /// The lane of that number in its row.
  template <class T, class Plan>
  __device__ static Lane of(const Plan& plan, const Topology& t, int thread) {
    constexpr int V = temporal::columns_per_lane<T>;
    const int strip = blockIdx.x % plan.strips, chunk = blockIdx.x / plan.strips;
    const int col = plan.first_col + strip * plan.inner - plan.margin + thread * V;
    const int row0 = plan.first_row(chunk), rows = plan.first_row(chunk + 1) - row0;
    const int from_col = t.wrap_x != 0 ? ring(col, t.nx) : col;
    return {thread, col, from_col, owns<T>(plan, thread), from_col >= 0 && from_col < t.nx, row0, rows};
  }
  /// Whether the columns of the lane of that number are the block's own.
  template <class T, class Plan>
  __device__ static bool owns(const Plan& plan, int thread) {
    const int col = thread * temporal::columns_per_lane<T> - plan.margin;  // of the block's own
    const int strip = blockIdx.x % plan.strips;
    return col >= 0 && col < plan.inner && plan.first_col + strip * plan.inner + col < plan.end_col;
  }
  /// Whether a row is the block's own.
  __device__ bool has(int row) const { return unsigned(row - row0) < unsigned(rows); }
};

}  // namespace wavesim::cuda
