#pragma once
// What a block of threads has in shared memory in passes of steps of eighth order on a GPU (lax_wendroff_cuda.hpp), and
// the columns of its threads.

#include "kernels/lax_wendroff/lax_wendroff.hpp"
#include "kernels/temporal/cuda_lane.hpp"
#include "kernels/temporal/cuda_shared_memory.hpp"

namespace wavesim::cuda {

template <int K_, class Pass_>
struct LaxWendroffShape {
  using Pass = Pass_;
  using T = typename Pass::value;
  static constexpr int K = K_, V = temporal::columns_per_lane<T>, columns = temporal::columns<T>;
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
  /// A row of each stage's input that lanes show one another, in this turn and the next, with room for the columns beside
  /// it: what lanes at the ends of a block compute from those is not used.
  static constexpr int shown_row = columns + 2 * reach, shown = 2 * stages * shown_row;
  static constexpr int bytes =
      (rows * columns + shown) * int(sizeof(T)) + stages * columns * int(sizeof(double));
  static_assert(bytes <= most_of_two_blocks);
  /// Turns at a time, so that rows of registers are moved less often. Found by measurement.
  static constexpr int turns = varies || sizeof(T) == 4 ? 1 : 3;
};

/// The columns of a thread, beyond edges too.
template <class Shape>
struct LaxWendroffLane : Lane {
  static constexpr int V = Shape::V;
  using T = typename Shape::T;
  bool whole;  // all its columns lie on the grid
  int at[V];   // where they are in memory, beyond edges their images
  T sign[V];

  __device__ LaxWendroffLane(const BlockPlan& plan, const Extent& e, const MirroredAxis& x)
      : Lane(Lane::of<T>(plan, Topology{e.nx, e.ny})), whole(col >= 0 && col + V <= e.nx) {
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      const bool reached = col + v >= -Shape::halo && col + v < e.nx + Shape::halo;
      const MirroredAxis::Place place = reached ? x.place(col + v) : MirroredAxis::Place{0, 0};
      at[v] = place.at, sign[v] = T(place.sign);
    }
  }
};

}  // namespace wavesim::cuda
