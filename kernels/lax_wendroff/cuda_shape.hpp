#pragma once
// How passes of steps of eighth order are cut up on a GPU, and what a block of threads has in shared memory
// (lax_wendroff_cuda.hpp).

#include <algorithm>

#include "kernels/lax_wendroff/lax_wendroff.hpp"
#include "kernels/temporal/cuda_shared_memory.hpp"

namespace wavesim::cuda {

template <int K_, class Pass_>
struct LaxWendroffShape {
  using Pass = Pass_;
  using T = typename Pass::value;
  static constexpr int K = K_, V = temporal::columns_per_lane<T>, lanes = 128, columns = lanes * V;
  static constexpr int blocks_of_a_multiprocessor = 2;  // as many as registers hold
  static constexpr int reach = eighth_order_reach, lag = lax_wendroff_reach, halo = lag * K;
  static constexpr bool varies = Pass::varies;
  static constexpr int stages = 2 * K;  // w and u' of each step

  /// With row f of u(n) arrive row f - 8 of p and of the inertia, row f - 4 of 1/M: where step 1 wants them. Others want
  /// them turns later.
  static constexpr int late_p = lag, late_inertia = lag, late_over_mass = reach;
  static constexpr int ahead =
      varies && sizeof(T) == 4 ? 2 : 3;  // rows on their way, as many as there is room for
  static constexpr int rows_of_state = ahead + 1;
  static constexpr int rows_of_over_mass = varies ? ahead + 1 + reach * (stages - 1) : 0;
  static constexpr int rows_of_inertia = varies ? ahead + 1 + lag * (K - 1) : 0;
  static constexpr int rows_of_p =
      lag * (K - 1);  // of each step but the last: what it leaves waits for the next one

  static constexpr int at_u = 0, at_p = at_u + rows_of_state, at_over_mass = at_p + rows_of_state,
                       at_inertia = at_over_mass + rows_of_over_mass,
                       at_left_p = at_inertia + rows_of_inertia, rows = at_left_p + rows_of_p;
  /// Lanes show a row of each stage's input, in two turns; two lanes more at either side, which nobody reads right.
  static constexpr int shown_row = columns + 2 * reach, shown = 2 * stages * shown_row;
  static constexpr int bytes =
      (rows * columns + shown) * int(sizeof(T)) + stages * columns * int(sizeof(double));
  static_assert(bytes <= most_of_two_blocks);
  /// Turns at a time, so that rows of registers are moved less often. Found by measurement.
  static constexpr int turns = varies || sizeof(T) == 4 ? 1 : 3;
};

/// A block is a chunk of rows of a strip of columns; all are at work at once.
template <class Shape>
BlockPlan plan_blocks_of(const Extent& e) {
  constexpr int V = Shape::V, blocks_at_once = Shape::blocks_of_a_multiprocessor * 132;
  BlockPlan p;
  p.margin = Shape::halo;
  static_assert(Shape::halo % V == 0);
  const int most = Shape::columns - 2 * p.margin;
  p.strips = (e.nx + most - 1) / most;
  p.inner = ((e.nx + p.strips - 1) / p.strips + V - 1) / V * V;
  const int chunks = std::clamp(blocks_at_once / p.strips, 1, std::max(1, e.ny / Shape::lag));
  p.rows = (e.ny + chunks - 1) / chunks;
  p.chunks = (e.ny + p.rows - 1) / p.rows;
  return p;
}

/// The columns of a thread, and the rows of its block.
template <class Shape>
struct LaxWendroffLane {
  static constexpr int V = Shape::V;
  using T = typename Shape::T;
  int thread, col, row0, rows;
  bool mine;   // its columns are the block's own, not a neighbour's
  bool whole;  // all of them lie on the grid
  int at[V];   // where they are in memory, beyond edges their images
  T sign[V];

  __device__ LaxWendroffLane(const BlockPlan& plan, const Extent& e, const MirroredAxis& x)
      : thread(threadIdx.x) {
    const int strip = blockIdx.x % plan.strips, chunk = blockIdx.x / plan.strips;
    col = strip * plan.inner - plan.margin + thread * V;
    row0 = chunk * plan.rows, rows = min(e.ny - row0, plan.rows);
    mine = thread * V >= plan.margin && thread * V < plan.margin + plan.inner && col < e.nx;
    whole = col >= 0 && col + V <= e.nx;
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      const bool reached = col + v >= -Shape::halo && col + v < e.nx + Shape::halo;
      const MirroredAxis::Place place = reached ? x.place(col + v) : MirroredAxis::Place{0, 0};
      at[v] = place.at, sign[v] = T(place.sign);
    }
  }
  __device__ bool has(int row) const { return unsigned(row - row0) < unsigned(rows); }
};

}  // namespace wavesim::cuda
