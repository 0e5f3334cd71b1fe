#pragma once
// The front that goes up a strip of columns in passes of steps of eighth order on a GPU (lax_wendroff_cuda.hpp). A lane
// has V neighbouring columns: nine rows of the input of each stage are in its registers. It reads the columns of its
// neighbours from shared memory. They are of a row that came four turns before, so that one barrier a row is enough.

#include "kernels/lax_wendroff/cuda_rows.hpp"

namespace wavesim::cuda {

template <class Shape>
class LaxWendroffFront {
  using Pass = typename Shape::Pass;
  using T = typename Shape::T;
  using Lane = LaxWendroffLane<Shape>;
  static constexpr int K = Shape::K, V = Shape::V, reach = Shape::reach, lag = Shape::lag;
  static constexpr int window = 2 * reach + 1;
  /// Stage 2 s - 2 makes w of step s from u, stage 2 s - 1 makes u' from w.
  static constexpr int stages = Shape::stages;

 public:
  __device__ LaxWendroffFront(const LaxWendroffRows<Shape>& rows, const Lane& lane, const Pass& pass)
      : rows_(rows), lane_(lane), pass_(pass) {
    points_ = meets(lane.row0 - Shape::halo, lane.row0 + lane.rows + Shape::halo);
  }
  /// Whether forces push rows at work in these turns, or receivers tap them.
  __device__ bool points(int from, int to) const { return points_ && meets(from - Shape::halo, to); }

  /// Row f arrives, row f - 8 K leaves.
  template <bool points>
  __device__ __forceinline__ void turn(int f) {
    const int parity = f & 1;
    rows_.wait();
    if constexpr (points) gather_pushes(f);
    enter(0, rows_.u(f).v);
    Pack<T> p_before = rows_.p(f);
    UNROLL_REGISTERS for (int s = 1; s <= K; ++s) {
      T w[V], u[V], p[V];
      accelerate<points>(s, f, parity, w);
      enter(2 * s - 1, w);
      step<points>(s, f, parity, p_before, u, p);
      if (s == K) {
        leave(f - Shape::halo, u, p);
      } else {
        enter(2 * s, u);
        p_before = pack(rows_.left_p(s, f));
        store_columns(rows_.left_p(s, f), p);
      }
    }
    if constexpr (points) tap(f);
    UNROLL_REGISTERS for (int stage = 0; stage < stages; ++stage)  // what the next turn sees
        store_columns(rows_.shown(1 - parity, stage), window_[stage][reach + 1]);
    rows_.fetch(f + Shape::ahead);
    __syncthreads();
  }

 private:
  __device__ __forceinline__ void enter(int stage, const T (&values)[V]) {
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      UNROLL_REGISTERS for (int k = 0; k + 1 < window; ++k) window_[stage][k][v] = window_[stage][k + 1][v];
      window_[stage][window - 1][v] = values[v];
    }
  }
  /// The Laplacian of a stage's input, four rows below the newest one.
  __device__ __forceinline__ void laplacian(int stage, int parity, T (&to)[V]) const {
    const T* const shown = rows_.shown(parity, stage);
    T row[V + 2 * reach];
    UNROLL_REGISTERS for (int k = 0; k < reach; k += V) {
      const Pack<T> west = pack(shown - reach + k), east = pack(shown + V + k);
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) row[k + v] = west.v[v], row[reach + V + k + v] = east.v[v];
    }
    const auto& rows = window_[stage];
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) row[reach + v] = rows[reach][v];
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) to[v] = pass_.medium.laplacian(
        rows[reach][v], [&](int x) { return row[reach + v + x]; }, [&](int y) { return rows[reach + y][v]; });
  }
  /// w of step s in row f - 8 s + 4
  template <bool points>
  __device__ __forceinline__ void accelerate(int s, int f, int parity, T (&w)[V]) const {
    const int stage = 2 * s - 2;
    laplacian(stage, parity, w);
    const Pack<T> over_mass = over_mass_of(stage, f);
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      w[v] = over_mass.v[v] * w[v];
      if constexpr (points) Pushes::push(pushed(stage)[v], w[v]);
    }
  }
  /// u' and p' of step s in row f - 8 s
  template <bool points>
  __device__ __forceinline__ void step(int s, int f, int parity, const Pack<T>& p_before, T (&u)[V],
                                       T (&p)[V]) const {
    const int stage = 2 * s - 1;
    T laplacian_of_w[V];
    laplacian(stage, parity, laplacian_of_w);
    const Pack<T> over_mass = over_mass_of(stage, f), inertia = inertia_of(s, f);
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      p[v] = LaxWendroffPoint<T>{over_mass.v[v], inertia.v[v]}.step(
          pass_.beta, pass_.delta, p_before.v[v], window_[stage][reach][v], laplacian_of_w[v]);
      u[v] = window_[stage - 1][0][v] + p[v];
      if constexpr (points) {
        Pushes::push(pushed(stage)[v], p[v], u[v]);
        pushed(stage)[v] = double(u[v]);
      }
    }
  }
  __device__ __forceinline__ static Pack<T> all(T value) {
    Pack<T> p;
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) p.v[v] = value;
    return p;
  }
  /// In the row of a stage, which arrived four turns a stage before.
  __device__ __forceinline__ Pack<T> over_mass_of(int stage, int f) const {
    if constexpr (Shape::varies) return rows_.over_mass(f - reach * stage);
    return all(pass_.medium.same_over_mass);
  }
  __device__ __forceinline__ Pack<T> inertia_of(int s, int f) const {
    if constexpr (Shape::varies)
      if (pass_.medium.inertia) return rows_.inertia(f - lag * (s - 1));
    return all(T(1));
  }
  /// Padding beyond the last column stays zero.
  __device__ void leave(int row, T (&u)[V], T (&p)[V]) const {
    if (!lane_.mine || !lane_.has(row)) return;
    if (!lane_.whole)
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) if (lane_.col + v >= pass_.extent.nx) u[v] = p[v] = 0;
    const int at = pass_.extent.index(row, lane_.col);
    store_columns(pass_.u_to + at, u);
    store_columns(pass_.p_to + at, p);
  }

  /// Whether there are points in rows from .. to or in those that show beyond edges.
  __device__ bool meets(int from, int to) const {
    const int ny = pass_.extent.ny;
    if (pass_.y.periodic) {
      from = 0, to = ny - 1;
    } else {
      const int below = from, above = to;
      if (below < 0) to = max(to, -below);
      if (above >= ny) from = min(from, 2 * ny - 2 - above);
      from = max(from, 0), to = min(to, ny - 1);
    }
    if (from > to) return false;
    return pass_.sources.points.any(from, to + 1) || pass_.pushes.points.any(from, to + 1) ||
           pass_.taps.points.any(from, to + 1);
  }
  __device__ double* pushed(int stage) const {
    return rows_.pushed + stage * Shape::columns + lane_.thread * V;
  }
  __device__ __forceinline__ void gather_pushes(int f) const {
    ROLLED for (int stage = 0; stage < stages; ++stage) {
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) pushed(stage)[v] = 0;
      const int row = f - reach * (stage + 1);
      if (row < lane_.row0 - Shape::halo || row >= lane_.row0 + lane_.rows + Shape::halo) continue;
      const MirroredAxis::Place y = pass_.y.place(row);
      if (y.sign == 0) continue;
      const Pushes& pushes = stage % 2 == 0 ? pass_.sources : pass_.pushes;
      UNROLL_REGISTERS for (int v = 0; v < V; ++v)
          pushes.each(stage / 2 + 1, y.at, lane_.at[v], lane_.at[v] + 1,
                      [&](int, double x) { pushed(stage)[v] = y.sign * double(lane_.sign[v]) * x; });
    }
  }
  /// From where the steps have left u in place of what was pushed.
  __device__ __forceinline__ void tap(int f) const {
    if (!lane_.mine) return;
    ROLLED for (int s = 1; s <= K; ++s) if (lane_.has(f - lag * s)) pass_.taps.points.each(
        f - lag * s, lane_.col, lane_.col + V,
        [&](int point, int col) { pass_.taps.tap(point, s, T(pushed(2 * s - 1)[col - lane_.col])); });
  }

  const LaxWendroffRows<Shape>& rows_;
  const Lane& lane_;
  const Pass& pass_;
  bool points_;  // whether the block meets any
  T window_[stages][window][V] = {};
};

/// Goes through the block's rows from below. `shared` has Shape::bytes.
template <class Shape>
__device__ __forceinline__ void go_up_in_eighth_order(const BlockPlan& plan, const typename Shape::Pass& pass,
                                                      unsigned char* shared) {
  const LaxWendroffLane<Shape> lane(plan, pass.extent, pass.x);
  const LaxWendroffRows<Shape> rows(shared, pass, lane);
  rows.begin();
  __syncthreads();
  const int first = lane.row0 - Shape::halo, last = lane.row0 + lane.rows + Shape::halo;
  for (int k = 0; k < Shape::ahead; ++k) rows.fetch(first + k);
  LaxWendroffFront<Shape> front(rows, lane, pass);
  constexpr int turns = Shape::turns;
  for (int f = first; f < last; f += turns)
    if (front.points(f, f + turns - 1)) {
      ROLLED for (int k = 0; k < turns; ++k) front.template turn<true>(f + k);
    } else {
      UNROLL_REGISTERS for (int k = 0; k < turns; ++k) front.template turn<false>(f + k);
    }
}

}  // namespace wavesim::cuda
