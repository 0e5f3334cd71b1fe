#pragma once
// Blocked sweeps on a GPU where chunks are low (blocked_sweeps.hpp): a block has all rows of its chunk, and the H beside it at
// each side, in registers at once, and does one sweep in all of them after the other. A front (cuda_front.hpp) takes a turn for
// each row, however few there are; here a pass takes K + 1 turns. A thread has V columns of N rows.

#include "kernels/temporal/cuda_resident_exchange.hpp"
#include "kernels/temporal/cuda_rows.hpp"
#include "kernels/temporal/lane_norms.hpp"

namespace wavesim::cuda {

template <class Plan, bool centred>
class ResidentRows {
  using Shape = typename Plan::Shape;
  using T = typename Plan::T;
  using Medium = typename Shape::Medium;
  using Fields = typename Shape::Fields;
  using Steps = SweepCoefficients<T, Shape::K>;
  static constexpr int N = Plan::N, V = Plan::V, K = Shape::K, H = Shape::H;
  static constexpr bool is_step = Shape::is_step, from_zero = Shape::from_zero;
  static_assert(!Shape::varies);
  enum { with_keep = 1, with_momentum = 2 };

 public:
  /// `first`: the first row of the block's threads; `group`: of the thread.
  __device__ ResidentRows(const ResidentMemory<Plan>& memory, ResidentThreads threads, const Lane& lane,
                          int first, int group, const LaneRows<Shape>& rows, const Topology& topology,
                          const Fields& fields, const Steps& steps, RowStarts starts)
      : exchange_(memory, threads.groups, lane.thread, group, topology.wrap_y == 0 && first == 0,
                  topology.wrap_y == 0 && first + threads.groups * N == topology.ny),
        lane_(lane),
        base_(first + group * N),
        residual_(memory.residual + lane.thread * V),
        reference_(memory.reference + lane.thread * V),
        rows_(rows),
        topology_(topology),
        fields_(fields),
        steps_(steps),
        starts_(starts) {}

  /// g, and the first iterate, or the first two. Leaves what the residual is relative to, from row counted.from on.
  template <BlockedRows rows>
  __device__ __forceinline__ void begin(const ReferenceRows& counted) {
    if constexpr (is_step)
      begin_step<rows>(counted);
    else
      begin_solve<rows>();
    if constexpr (from_zero) UNROLL_REGISTERS for (int i = 0; i < N; ++i) {
        UNROLL_REGISTERS for (int v = 0; v < V; ++v) odd_[i][v] = steps_.weight[0] * g_[i].v[v];
      }
  }
  /// Sweeps up to the last, which is in `even`, and the one before it in `odd`. K is even.
  template <BlockedRows rows>
  __device__ __forceinline__ void sweeps() {
    if constexpr (!from_zero) sweep<rows, 1, is_step ? with_keep : with_keep | with_momentum>(1, even_, odd_);
    sweep<rows, 0, from_zero ? with_keep : with_keep | with_momentum>(2, odd_, even_);
    static_assert(K % 2 == 0);
    constexpr int terms = centred ? with_momentum : with_keep | with_momentum;
    ROLLED for (int s = 3; s < K; s += 2) {
      sweep<rows, 1, terms>(s, even_, odd_);
      sweep<rows, 0, terms>(s + 1, odd_, even_);
    }
  }
  /// Leaves the residual, from the chunk's first row on.
  template <BlockedRows rows>
  __device__ __forceinline__ void residual() {
    T r[V];
    each_row<rows, H % 2>(H, even_, [&](int i, int v, T y, T north) {
      r[v] = with_north(y - even_[i][v], rows_.template north<rows>(base_ + i, H, v), north) *
             rows_.template of_row<rows>(base_ + i, v).diagonal;
      if (v == V - 1 && lane_.has(base_ + i))
        store_columns(residual_ + (base_ + i - lane_.row0) * Plan::columns, r);
    });
  }
  /// Stores what the pass is for.
  __device__ __forceinline__ void store() const {
    if (!lane_.mine) return;
    UNROLL_REGISTERS for (int i = 0; i < N; ++i) {
      if (!lane_.has(base_ + i)) continue;
      const int at = starts_(base_ + i) + lane_.col;
      if constexpr (is_step) {
        Pack<T> u = pack(fields_.u + at), p = pack(fields_.p + at);
        UNROLL_REGISTERS for (int v = 0; v < V; ++v) fields_.advance(even_[i][v], u.v[v], p.v[v]);
        store_columns(fields_.u_to + at, u.v);
        store_columns(fields_.p_to + at, p.v);
      } else {
        store_columns(fields_.x_to + at, even_[i]);
        if (fields_.before_to) store_columns(fields_.before_to + at, odd_[i]);
      }
    }
  }

 private:
  /// The lane's columns of a row of a field; zero outside of the domain and where there is none. Ghost rows hold zeros.
  __device__ __forceinline__ Pack<T> load(const T* field, int row) const {
    if (!field || !lane_.in_domain) return {};
    if (topology_.wrap_y != 0) row += row < 0 ? topology_.ny : row >= topology_.ny ? -topology_.ny : 0;
    return pack(field + starts_(row) + lane_.from_col);
  }
  template <BlockedRows rows>
  __device__ __forceinline__ void begin_step(const ReferenceRows& counted) {
    constexpr int turn = from_zero;  // not that of the sweep which comes first
    const T whole = fields_.whole ? T(1) : T(0);
    Pack<T> u[N + 2];
    UNROLL_REGISTERS for (int i = 0; i < N + 2; ++i) u[i] = load(fields_.u, base_ + i - 1);
    exchange_.template show_sides<turn>([&](int i) -> const T(&)[V] { return u[i + 1].v; });
    __syncthreads();
    UNROLL_REGISTERS for (int i = 0; i < N; ++i) {
      const int row = base_ + i;
      const Pack<T> p = load(fields_.p, row);
      const T(&centre)[V] = u[i + 1].v;
      T west, east, reference[V];
      exchange_.template beside<turn>(i, centre, west, east);
      Pack<T> g;
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
        T y = coupled_in_row<rows>(row, 0, v, T(0), u[i].v[v], west, centre, east);
        y = with_north(y, rows_.template north<rows>(row, 0, v), u[i + 2].v[v]);
        const ScaledRow<T>& a = rows_.template masses<rows>(row, v);
        g.v[v] = scaled_right_hand_side<T>(a.scaled_mass, p.v[v], fields_.ratio, a.stiff, centre[v], y);
        reference[v] =
            scaled_reference(whole, g.v[v], centre[v], y) * rows_.template of_row<rows>(row, v).diagonal;
      }
      g_[i] = g;
      if (unsigned(row - counted.from) < unsigned(counted.count))
        store_columns(reference_ + (row - counted.from) * Plan::columns, reference);
      if constexpr (!from_zero) {
        const Pack<T> tried = load(fields_.tried, row);
        UNROLL_REGISTERS for (int v = 0; v < V; ++v) even_[i][v] = tried.v[v] - centre[v];
      }
    }
  }
  template <BlockedRows rows>
  __device__ __forceinline__ void begin_solve() {
    UNROLL_REGISTERS for (int i = 0; i < N; ++i) {
      const int row = base_ + i;
      Pack<T> g = load(fields_.b, row);
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) g.v[v] *= rows_.template of_row<rows>(row, v).inverse;
      g_[i] = g;
      if constexpr (!from_zero) {
        const Pack<T> x = load(fields_.x, row), before = load(fields_.before, row);
        UNROLL_REGISTERS for (int v = 0; v < V; ++v) even_[i][v] = x.v[v], odd_[i][v] = before.v[v];
      }
    }
  }
  /// N times row x, added to g, but for the northern neighbour.
  template <BlockedRows rows>
  __device__ __forceinline__ T coupled_in_row(int row, int s, int v, T g, T south, T west, const T (&x)[V],
                                              T east) const {
    return rows_.template coupled_at<rows>(row, s, v, g, south, v == 0 ? west : x[v == 0 ? 0 : v - 1],
                                           v == V - 1 ? east : x[v == V - 1 ? 0 : v + 1]);
  }
  /// f(i, v, y, north) for each of the thread's points, where y is g + N x but for the northern neighbour: from below.
  template <BlockedRows rows, int turn, class F>
  __device__ __forceinline__ void each_row(int s, const T (&x)[N][V], const F& f) {
    exchange_.template show<turn>(x);
    __syncthreads();
    // what the rest of the pass takes of this iterate
    if (base_ + N < lane_.row0 - (H - s) || base_ > lane_.row0 + lane_.rows + (H - s)) return;
    const Pack<T> above = exchange_.template above<turn>();
    Pack<T> south = exchange_.template below<turn>();
    UNROLL_REGISTERS for (int i = 0; i < N; ++i) {
      T west, east;
      exchange_.template beside<turn>(i, x[i], west, east);
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
        const T y = coupled_in_row<rows>(base_ + i, s, v, g_[i].v[v], south.v[v], west, x[i], east);
        f(i, v, y, i == N - 1 ? above.v[v] : x[i == N - 1 ? i : i + 1][v]);
      }
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) south.v[v] = x[i][v];
    }
  }
  /// Sweep s, in place of the iterate before the last.
  template <BlockedRows rows, int turn, int terms>
  __device__ __forceinline__ void sweep(int s, const T (&x)[N][V], T (&to)[N][V]) {
    const T w = steps_.weight[s - 1], m = steps_.momentum[s - 1], keep = steps_.keep[s - 1];
    each_row<rows, turn>(s, x, [&](int i, int v, T y, T north) {
      T stays;
      if (terms == with_momentum)
        stays = m * to[i][v];
      else if (terms == with_keep)
        stays = keep * x[i][v];
      else
        stays = kept(keep, x[i][v], m, to[i][v]);
      to[i][v] = with_north(swept(stays, w, y), rows_.template weight_north<rows>(base_ + i, s, v, w), north);
    });
  }

  const ResidentExchange<Plan> exchange_;
  const Lane lane_;
  const int base_;
  T *const residual_, *const reference_;
  const LaneRows<Shape>& rows_;
  const Topology& topology_;
  const Fields& fields_;
  const Steps& steps_;
  const RowStarts starts_;
  T even_[N][V] = {}, odd_[N][V] = {};
  Pack<T> g_[N];
};

}  // namespace wavesim::cuda
