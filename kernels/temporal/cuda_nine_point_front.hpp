#pragma once
// The rows that a lane has at work in blocked sweeps of nine points on a GPU (blocked_sweeps_cuda.hpp): four of every
// iterate in registers, those of g in shared memory, where a lane also sees what its neighbours give to their sides.

#include "kernels/temporal/cuda_leave.hpp"
#include "kernels/temporal/cuda_nine_point_plan.hpp"
#include "kernels/temporal/cuda_slices.hpp"
#include "kernels/temporal/lane_norms.hpp"
#include "kernels/temporal/recurrence.hpp"

namespace wavesim::cuda {

/// What inner rows have in common, in constant memory.
template <class T>
struct NinePointsInside {
  NinePointAlong<T> along;
  template <int K>
  NinePointsInside(const UniformNinePoints<T>& system, const SweepCoefficients<T, K>&)
      : along(nine_points_along(system, inner_row)) {}
};

template <class Shape, bool centred>
class NinePointFront {
  using T = typename Shape::Value;
  using Fields = typename Shape::Fields;
  using Steps = SweepCoefficients<T, Shape::K>;
  static constexpr int V = Shape::V, K = Shape::K, H = Shape::H;
  static constexpr bool is_step = Shape::is_step, from_zero = Shape::from_zero;

 public:
  __device__ NinePointFront(const NinePointMemory<Shape>& memory, const Lane& lane,
                            const Arrivals<Shape>& arrivals, const Topology& topology,
                            const NinePointsInside<T>& inside, const Fields& fields, const Steps& steps,
                            RowStarts starts)
      : memory_(memory),
        lane_(lane),
        arrivals_(arrivals),
        topology_(topology),
        inside_(inside),
        fields_(fields),
        steps_(steps),
        starts_(starts) {
    if constexpr (is_step) whole_ = fields.whole ? T(1) : T(0);
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      kind_[v] = column_class(lane.col + v, topology);
      inverse_[v] = memory.table[inner_row * row_classes + kind_[v]].inverse;
      vertical_[v] = memory.table[inner_row * row_classes + kind_[v]].vertical;
    }
  }

  LaneNorms residual, reference;

  /// Row f arrives, f less the first being k more than a multiple of four. `inner`: all rows at work are inner ones.
  /// x_[s][t] is what the last turn of kind t has left of iterate s: row f - 2 s - n of t = k - n, and in the place
  /// of its next row, k, still row f - 2 s - 4.
  template <bool inner, int k>
  __device__ __forceinline__ void turn(int f) {
    const T* const see = memory_.shown + (1 - k % 2) * Shape::turn + lane_.thread;
    T* const show = memory_.shown + k % 2 * Shape::turn + lane_.thread + 1;
    slot_ = slot_ + 1 == Shape::rows_of_g ? 0 : slot_ + 1;
    arrivals_.wait();
    const T* const arrived = arrivals_.place(f);
    arrivals_.fetch(f + Shape::ahead - 1);
    T g[V];
    const Pack<T> newest = arrive<inner, k>(f, arrived, see, show, g);
    T last_but_one[V];
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) last_but_one[v] = x_[K - 1][(k + 2) % 4][v];
    add_residual<inner, k>(f, see);
    UNROLL_REGISTERS for (int s = K; s > 0; --s) {
      sweep<inner, k>(f, s, see, arrived, g);
      show_plane<inner, k>(f - 2 * s, Shape::plane_of(s), x_[s], show);
    }
    if constexpr (!from_zero) {
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) x_[0][k][v] = newest.v[v];
      show_plane<inner, k>(f, Shape::plane_of(0), x_[0], show);
    }
    leave(arrivals_, arrived, f - 2 * K, lane_, starts_, fields_, x_[K][k], last_but_one);
    __syncthreads();
  }

 private:
  static constexpr int back(int k, int rows) { return (k + 4 - rows) % 4; }

  template <bool inner>
  __device__ __forceinline__ NinePointAlong<T> along(int row) const {
    if constexpr (inner) return inside_.along;
    return memory_.along[row_class(row, topology_)];
  }
  template <bool inner>
  __device__ __forceinline__ const NinePointColumn<T>& column(int row, int v) const {
    return memory_.table[(inner ? int(inner_row) : row_class(row, topology_)) * row_classes + kind_[v]];
  }
  /// What every sweep asks for is in registers.
  template <bool inner>
  __device__ __forceinline__ T inverse(int row, int v) const {
    return inner ? inverse_[v] : column<inner>(row, v).inverse;
  }
  template <bool inner>
  __device__ __forceinline__ T vertical(int row, int v) const {
    return inner ? vertical_[v] : column<inner>(row, v).vertical;
  }
  __device__ __forceinline__ static void count(LaneNorms& norms, bool counts, T r) {
    norms.add(counts ? double(r) : 0.0);
  }

  /// What the lane's columns of a row give to their sides, and the sums of the rows beside it.
  struct Around {
    T sides[V], pair[V];
  };
  /// Of the row that came so many turns ago, in a vector whose newest row is of turn k.
  template <int k, int turns>
  __device__ __forceinline__ static Around around(const T (&x)[4][V], T side, T corner) {
    Around a;
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      a.pair[v] = x[back(k, turns + 1)][v] + x[back(k, turns - 1)][v];
      a.sides[v] = to_sides(side, x[back(k, turns)][v], corner, a.pair[v]);
    }
    return a;
  }
  /// Shows what the lane gives to others of the row below `newest`, the row of turn k.
  template <bool inner, int k, bool of_k = false>
  __device__ __forceinline__ void show_plane(int newest, int plane, const T (&x)[4][V], T* show) const {
    const NinePointAlong<T> a = along<inner>(newest - 1);
    const Around own = around<k, 1>(x, of_k ? a.k_side : a.side, of_k ? a.k_corner : a.corner);
    show[plane * Shape::plane] = own.sides[0];
    show[plane * Shape::plane + Shape::side] = own.sides[V - 1];
  }
  /// A row of (A - D) x, of the middle one of the three rows that came last before turn k.
  template <bool inner, int k, bool of_k = false>
  __device__ __forceinline__ void off(int row, int plane, const T (&x)[4][V], const T* see,
                                      T (&sum)[V]) const {
    const NinePointAlong<T> a = along<inner>(row);
    const Around own = around<k, 2>(x, of_k ? a.k_side : a.side, of_k ? a.k_corner : a.corner);
    const T from_west = see[plane * Shape::plane + Shape::side], from_east = see[plane * Shape::plane + 2];
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      const T west = v == 0 ? from_west : own.sides[v == 0 ? 0 : v - 1],
              east = v == V - 1 ? from_east : own.sides[v == V - 1 ? 0 : v + 1];
      const T up_and_down = of_k ? column<inner>(row, v).k_vertical : vertical<inner>(row, v);
      sum[v] = off_diagonal(west, east, up_and_down, own.pair[v]);
    }
  }
  __device__ __forceinline__ T* row_of_g(int s) const {
    int at = slot_ - 2 * (s - 1);
    if (at < 0) at += Shape::rows_of_g;
    return memory_.g + at * Shape::columns + lane_.thread * V;
  }

  /// Row f - 2 of g; row f of the first iterate.
  template <bool inner, int k>
  __device__ __forceinline__ Pack<T> arrive(int f, const T* arrived, const T* see, T* show, T (&g)[V]) {
    Pack<T> newest = {};
    Pack<T> kept;
    if constexpr (is_step) {
      const Pack<T> u = arrivals_.source(arrived, Shape::at_u), p = arrivals_.source(arrived, Shape::at_p);
      Pack<T> force = {};
      if (fields_.force) force = arrivals_.source(arrived, Shape::at_force);
      T b[V], sum[V];
      off<inner, k, true>(f - 2, Shape::plane_of_u, u_, see, sum);
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
        const NinePointColumn<T>& c = column<inner>(f - 2, v);
        b[v] = std::fma(-fields_.delta, row_times(c.k_diagonal, u_[back(k, 2)][v], sum[v]), force.v[v]);
        kept.v[v] = g[v] = b[v] * inverse<inner>(f - 2, v);
      }
      if constexpr (from_zero) {
        off<inner, k>(f - 2, Shape::plane_of_reference, referred_, see, sum);
        const bool counted = lane_.has(f - 2);
        UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
          const NinePointColumn<T>& c = column<inner>(f - 2, v);
          const bool in_domain = kind_[v] != int(no_row);  // columns beside it have b of their neighbours
          count(reference, counted && in_domain,
                b[v] + row_times(c.diagonal, referred_[back(k, 2)][v], sum[v]));
          referred_[k][v] = std::fma(whole_, u.v[v], p.v[v]);
        }
        show_plane<inner, k>(f, Shape::plane_of_reference, referred_, show);
      } else {
        newest = arrivals_.source(arrived, Shape::at_tried);
        UNROLL_REGISTERS for (int v = 0; v < V; ++v) newest.v[v] -= u.v[v] + p.v[v];
      }
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) u_[k][v] = u.v[v];
      show_plane<inner, k, true>(f, Shape::plane_of_u, u_, show);
    } else {
      const Pack<T> b = arrivals_.source(arrived, Shape::at_b);
      if constexpr (!from_zero) newest = arrivals_.source(arrived, Shape::at_x);
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) kept.v[v] = g[v] = b.v[v] * inverse<inner>(f - 2, v);
    }
    *reinterpret_cast<Pack<T>*>(row_of_g(1)) = kept;
    return newest;
  }

  /// Row f - 2 s of iterate s.
  template <bool inner, int k>
  __device__ __forceinline__ void sweep(int f, int s, const T* see, const T* arrived, const T (&first_g)[V]) {
    T g[V];
    if (s == 1) {
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) g[v] = first_g[v];
    } else {
      const Pack<T> earlier = pack(row_of_g(s));
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) g[v] = earlier.v[v];
    }
    const T weight = steps_.weight[s - 1], momentum = steps_.momentum[s - 1], keep = steps_.keep[s - 1];
    if (s == 1 && from_zero) {
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) x_[1][k][v] = weight * g[v];
      return;
    }
    T sum[V];
    off<inner, k>(f - 2 * s, Shape::plane_of(s - 1), x_[s - 1], see, sum);
    Pack<T> before = {};
    if constexpr (!is_step && !from_zero)
      if (s == 1) before = arrivals_.source(arrived, Shape::at_before);
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      const T centre = x_[s - 1][back(k, 2)][v];
      const T old = s == 1 ? before.v[v] : x_[s >= 2 ? s - 2 : 0][k][v];
      T stays;
      if (centred && s > 2)
        stays = momentum * old;
      else if ((s == 2 && from_zero) || (s == 1 && is_step))
        stays = keep * centre;
      else
        stays = kept(keep, centre, momentum, old);
      x_[s][k][v] = swept(stays, weight, coupled_to_nine(g[v], inverse<inner>(f - 2 * s, v), sum[v]));
    }
  }

  /// Of row f - 2 H.
  template <bool inner, int k>
  __device__ __forceinline__ void add_residual(int f, const T* see) {
    const int row = f - 2 * H;
    const Pack<T> g = pack(row_of_g(H));
    const bool done = lane_.has(row);
    T sum[V];
    off<inner, k>(row, Shape::plane_of(K), x_[K], see, sum);
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      const T scaled = coupled_to_nine(g.v[v], inverse<inner>(row, v), sum[v]) - x_[K][back(k, 2)][v];
      count(residual, done, scaled * column<inner>(row, v).diagonal);
    }
  }

  const NinePointMemory<Shape>& memory_;
  const Lane lane_;
  const Arrivals<Shape>& arrivals_;
  const Topology topology_;
  const NinePointsInside<T>& inside_;
  const Fields& fields_;
  const Steps& steps_;
  const RowStarts starts_;
  T whole_ = 0;
  int slot_ = 0, kind_[V];
  T inverse_[V], vertical_[V];
  T x_[K + 1][4][V] = {}, u_[4][V] = {}, referred_[4][V] = {};
};

/// As blocked_norms (cuda_block.hpp); of a step leave(part, norms, half) is for residuals (0) and for right-hand sides (1).
template <class Shape, bool centred, class Leave>
__device__ __forceinline__ void nine_point_norms(
    const Leave& leave, const SweepPlan& plan, RowStarts starts,
    const UniformNinePoints<typename Shape::Value>& medium, const typename Shape::Fields& fields,
    const SweepCoefficients<typename Shape::Value, Shape::K>& steps,
    const NinePointsInside<typename Shape::Value>& inside, unsigned char* shared) {
  using T = typename Shape::Value;
  const Topology& t = medium.topology();
  const Lane lane = Lane::of<T>(plan, t);
  const NinePointMemory<Shape> memory(shared);
  memory.clear(lane.thread, medium);
  // Slices end with a whole number of four turns.
  static_assert(SweepPlan::step % 4 == 0 && (Shape::H % 2 == 1 || !Shape::is_step));
  const int first = lane.row0 - Shape::H - Shape::H % 4, last = lane.row0 + lane.rows + 2 * Shape::H;
  const Arrivals<Shape> arrivals(memory.arriving, lane, first, starts, medium, fields);
  __syncthreads();
  for (int k = 0; k < Shape::ahead - 1; ++k) arrivals.fetch(first + k);
  NinePointFront<Shape, centred> front(memory, lane, arrivals, t, inside, fields, steps, starts);

  SlicesInTurn residuals(plan), references(plan);
  const auto end_slice = [&](SlicesInTurn& slices, int row, LaneNorms& norms, int half) {
    if (row < slices.end() || !slices.any()) return;
    leave(slices.next(), lane.mine ? norms.norms() : Norms{}, half);
    norms = {};
  };
  // Four turns at a time, so that rows change places without being moved; the row of the next turn.
  const auto four = [&](auto inner, int f) {
    front.template turn<decltype(inner)::value, 0>(f);
    front.template turn<decltype(inner)::value, 1>(f + 1);
    front.template turn<decltype(inner)::value, 2>(f + 2);
    front.template turn<decltype(inner)::value, 3>(f + 3);
    return f + 4;
  };
  // Every row at work is an inner one from `from` to `to`.
  int from = t.wrap_y != 0 ? first : max(first, 2 * Shape::H + 1),
      to = t.wrap_y != 0 ? last : min(last, t.ny - 1);
  from = first + (from - first + 3) / 4 * 4;
  for (int f = first; f < last;) {
    if (f >= from && f + 3 < to)
      f = four(std::true_type{}, f);
    else
      f = four(std::false_type{}, f);
    end_slice(residuals, f - 2 * Shape::H, front.residual, 0);
    if constexpr (Shape::is_step) end_slice(references, f - 2, front.reference, 1);
  }
}

}  // namespace wavesim::cuda
