#pragma once
// The front that goes up a strip of columns in passes of several leapfrog steps on a GPU (leapfrog_cuda.hpp). A lane has
// V neighbouring columns: of what each step has left two rows of u and one of p in registers, in a varying medium the
// faces of as many rows. It sees the columns of its neighbours through shared memory: one barrier for each row.

#include "kernels/leapfrog/cuda_lane_medium.hpp"
#include "kernels/numbers/peaks.hpp"

namespace wavesim::cuda {

template <class Shape>
class LeapfrogFront {
  using Pass = typename Shape::Pass;
  using T = typename Shape::T;
  static constexpr int K = Shape::K, V = Shape::V;
  static constexpr bool varies = Shape::varies, tracks = Shape::tracks;

 public:
  __device__ LeapfrogFront(const LeapfrogRows<Shape>& rows, const Lane& lane, const Pass& pass,
                           const LeapfrogFields<T>& fields)
      : rows_(rows), lane_(lane), pass_(pass), fields_(fields), medium_(rows, lane, pass.medium) {
    find_points(lane.row0 - K, lane.row0 + lane.rows + K);
  }

  /// Whether in turns f and f + 1 all rows at work are inner ones, and the block's columns like those of the middle of the
  /// medium.
  __device__ bool inner(int f) const { return medium_.inner(f - K, f); }
  /// Whether forces push rows at work in these turns, or receivers tap them.
  __device__ bool points(int f) const {
    if (points_.to == 0 || pass_.medium.topology.wrap_y != 0) return points_.to != 0;
    return f - K < points_.to && f + 1 > points_.from;
  }

  /// Row f arrives, row f - K leaves. Before, u_[s][1 - k] is row f - 1 - s of what step s has left, u_[s][k] the row below
  /// it, which row f - s replaces, and p_[s] row f - 1 - s.
  template <bool inner, bool points, int k>
  __device__ __forceinline__ void turn(int f) {
    const T* const see = rows_.shown + (1 - k) * Shape::turn + lane_.thread;
    T* const show = rows_.shown + k * Shape::turn + lane_.thread + 1;
    rows_.wait();
    const Pack<T> arrived = rows_.source(f, Shape::of_u), p = rows_.source(f - 1, Shape::of_p);
    medium_.template arrive<inner>(f);
    if constexpr (tracks) arrive_tracked(f - 1);
    if constexpr (points) gather_pushes(f);
    UNROLL_REGISTERS for (int s = K; s > 1; --s) step_but_north<inner, k>(s, see, p_[s - 1], p_[s]);
    step_but_north<inner, k>(1, see, p.v, p_[1]);
    step_with_north<inner, points, k>(1, arrived.v);
    UNROLL_REGISTERS for (int s = 2; s <= K; ++s) step_with_north<inner, points, k>(s, u_[s - 1][k]);
    if constexpr (points) tap(f);
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) u_[0][k][v] = arrived.v[v];
    UNROLL_REGISTERS for (int s = 0; s < K; ++s) {
      show[s * Shape::plane] = u_[s][k][0];
      show[s * Shape::plane + Shape::side] = u_[s][k][V - 1];
    }
    rows_.fetch(f + Shape::ahead - 1);
    leave(f - K, u_[K][k]);
    __syncthreads();
  }

 private:
  template <bool inner, int k>
  __device__ __forceinline__ void step_but_north(int s, const T* see, const T (&p)[V], T (&to)[V]) {
    const T west = see[(s - 1) * Shape::plane + Shape::side], east = see[(s - 1) * Shape::plane + 2];
    const T(&u)[V] = u_[s - 1][1 - k];
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      const T u_west = v == 0 ? west : u[v == 0 ? 0 : v - 1],
              u_east = v == V - 1 ? east : u[v == V - 1 ? v : v + 1];
      to[v] = medium_.template but_north<inner>(s, v, p[v], u[v], u_[s - 1][k][v], u_west, u_east);
    }
  }
  template <bool inner, bool points, int k>
  __device__ __forceinline__ void step_with_north(int s, const T (&north)[V]) {
    const T(&u)[V] = u_[s - 1][1 - k];
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      p_[s][v] = medium_.template with_north<inner>(s, v, p_[s][v], u[v], north[v]);
      u_[s][k][v] = u[v] + p_[s][v];
      if constexpr (points) {
        Pushes::push(pushed(s)[v], p_[s][v], u_[s][k][v]);
        pushed(s)[v] = double(u_[s][k][v]);
      }
    }
    if constexpr (tracks) track(s, u_[s][k]);
  }
  /// Of rows from .. to - 1.
  __device__ void find_points(int from, int to) {
    const Topology& t = pass_.medium.topology;
    from = t.wrap_y != 0 ? 0 : min(max(from, 0), t.ny), to = t.wrap_y != 0 ? t.ny : min(max(to, 0), t.ny);
    const PointRows pushed = pass_.pushes.points.rows_with_points(from, to),
                    tapped = pass_.taps.points.rows_with_points(from, to);
    if (pushed.to == 0 || tapped.to == 0)
      points_ = pushed.to == 0 ? tapped : pushed;
    else
      points_ = {min(pushed.from, tapped.from), max(pushed.to, tapped.to)};
  }
  /// The row in the field, or -1.
  __device__ int in_field(int row) const {
    const Topology& t = pass_.medium.topology;
    if (t.wrap_y != 0) return ring(row, t.ny);
    return row < 0 || row >= t.ny ? -1 : row;
  }
  /// Of all passes, step s of this one.
  __device__ int step(int s) const { return Shape::repeats ? fields_.done + s : s; }
  __device__ double* pushed(int s) const {
    return rows_.pushed + (s - 1) * Shape::columns + lane_.thread * V;
  }
  __device__ void gather_pushes(int f) const {
    ROLLED for (int s = 1; s <= K; ++s) {
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) pushed(s)[v] = 0;
      const int row = in_field(f - s);
      if (!points_.has(row)) continue;
      pass_.pushes.each(step(s), row, lane_.from_col, lane_.from_col + V,
                        [&](int col, double x) { pushed(s)[col - lane_.from_col] = x; });
    }
  }
  /// From where the steps have left u in place of what was pushed.
  __device__ void tap(int f) const {
    if (!lane_.mine) return;
    ROLLED for (int s = 1; s <= K; ++s) if (lane_.has(f - s) && points_.has(f - s)) pass_.taps.points.each(
        f - s, lane_.col, lane_.col + V,
        [&](int point, int col) { pass_.taps.tap(point, step(s), T(pushed(s)[col - lane_.col])); });
  }
  __device__ void arrive_tracked(int row) {
    const Pack<T> maximum = rows_.source(row, Shape::of_maximum),
                  arrival = rows_.source(row, Shape::of_arrival);
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      UNROLL_REGISTERS for (int s = K; s > 1; --s) maximum_[s][v] = maximum_[s - 1][v],
                                                   arrival_[s][v] = arrival_[s - 1][v];
      maximum_[1][v] = maximum.v[v], arrival_[1][v] = arrival.v[v];
    }
  }
  __device__ void track(int s, const T (&u)[V]) {
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      maximum_[s][v] = larger(maximum_[s][v], u[v]);
      arrival_[s][v] = arrived(arrival_[s][v], u[v], pass_.threshold, pass_.time(step(s)));
    }
  }
  __device__ void leave(int row, const T (&u)[V]) const {
    if (!lane_.mine || !lane_.has(row)) return;
    const int at = pass_.extent.index(row, lane_.col);
    store_columns((Shape::repeats ? fields_.u_to : pass_.u_to) + at, u);
    store_columns((Shape::repeats ? fields_.p_to : pass_.p_to) + at, p_[K]);
    if constexpr (tracks) {
      if (pass_.maximum) store_columns(pass_.maximum + at, maximum_[K]);
      if (pass_.arrival) store_columns(pass_.arrival + at, arrival_[K]);
    }
  }

  const LeapfrogRows<Shape>& rows_;
  const Lane lane_;
  const Pass& pass_;
  const LeapfrogFields<T>& fields_;
  LaneMedium<Shape> medium_;
  PointRows points_;  // rows in the field that have those that the block meets
  T u_[K + 1][2][V] = {}, p_[K + 1][V] = {};
  T maximum_[tracks ? K + 1 : 1][V] = {}, arrival_[tracks ? K + 1 : 1][V] = {};
};

/// Goes through the block's rows from below, in pass number n. `shared` has Shape::bytes, on a line of memory.
template <class Shape>
__device__ __forceinline__ void go_up(const BlockPlan& plan, const typename Shape::Pass& pass,
                                      unsigned char* shared, int n = 0) {
  const LeapfrogFields<typename Shape::T> fields = pass.fields(n, Shape::K);
  const Lane lane = Lane::of<typename Shape::T>(plan, pass.medium.topology);
  const LeapfrogRows<Shape> rows(shared, pass, fields, lane);
  rows.begin();
  __syncthreads();
  // Row f - 1 is asked for when row f arrives.
  const int first = lane.row0 - Shape::K, last = lane.row0 + lane.rows + Shape::K;
  for (int k = 0; k < Shape::ahead - 1; ++k) rows.fetch(first + k);
  LeapfrogFront<Shape> front(rows, lane, pass, fields);
  // Two turns at a time, so that rows change places without being moved.
  const auto two = [&](auto inner, auto points, int f) {
    front.template turn<decltype(inner)::value, decltype(points)::value, 0>(f);
    front.template turn<decltype(inner)::value, decltype(points)::value, 1>(f + 1);
  };
  constexpr std::bool_constant<true> yes;
  constexpr std::bool_constant<false> no;
  for (int f = first; f < last; f += 2)
    if (front.points(f))
      two(no, yes, f);
    else if (front.inner(f))
      two(yes, no, f);
    else if constexpr (!Shape::varies)  // in a varying medium every row is treated as an inner one
      two(no, no, f);
}

}  // namespace wavesim::cuda
