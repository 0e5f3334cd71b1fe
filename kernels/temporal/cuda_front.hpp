#pragma once
// The rows that a lane has at work in blocked sweeps on a GPU (blocked_sweeps_cuda.hpp). Two rows of every iterate and
// H - late + 1 of g are in registers; a lane sees the columns of its neighbours through shared memory.

#include <type_traits>

#include "kernels/temporal/cuda_leave.hpp"
#include "kernels/temporal/cuda_rows.hpp"
#include "kernels/temporal/lane_norms.hpp"

namespace wavesim::cuda {

template <class Shape, bool centred>
class Front {
  using T = typename Shape::Value;
  using Medium = typename Shape::Medium;
  using Fields = typename Shape::Fields;
  using Steps = SweepCoefficients<T, Shape::K>;
  static constexpr int V = Shape::V, K = Shape::K, H = Shape::H, L = Shape::late;
  static constexpr bool is_step = Shape::is_step, varies = Shape::varies, from_zero = Shape::from_zero,
                        may_go_by_mass = Shape::may_go_by_mass;

 public:
  __device__ Front(const SharedMemory<Shape>& memory, const Lane& lane, const Arrivals<Shape>& arrivals,
                   LaneRows<Shape>& rows, const Medium& medium, const Fields& fields, const Steps& steps,
                   RowStarts starts)
      : memory_(memory),
        lane_(lane),
        arrivals_(arrivals),
        rows_(rows),
        medium_(medium),
        fields_(fields),
        steps_(steps),
        starts_(starts) {
    if constexpr (is_step) {
      whole_ = fields.whole ? T(1) : T(0);
      const ReferenceRows counted = reference_rows<H - L>(lane.row0, lane.rows, medium.topology().ny);
      counted_from_ = counted.from, counted_ = counted.count;
    }
  }

  LaneNorms residual, reference;

  /// Row f arrives. Before, x_[s][1 - k] is row f - 1 - s of iterate s and x_[s][k] the row below it, which row
  /// f - s replaces; g_[s] is row f - 1 - L - s of g; u_[1 - k] is row f - L of u.
  template <BlockedRows rows, int k>
  __device__ __forceinline__ void turn(int f) {
    Turn now{f, memory_.shown + (1 - k) * Shape::turn + lane_.thread};
    T* const show = memory_.shown + k * Shape::turn + lane_.thread + 1;
    UNROLL_REGISTERS for (int s = H - L; s > 0; --s) {
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) g_[s][v] = g_[s - 1][v];
    }
    arrivals_.wait();
    now.arrived = arrivals_.place(f);
    if constexpr (varies) look_again(now);
    arrivals_.fetch(f + Shape::ahead - 1);
    if constexpr (varies) rows_.arrive(source(now, Shape::at_east), source(now, Shape::at_north));
    if constexpr (is_step)
      arrive_for_step<rows, k>(now);
    else
      arrive_for_solve<rows>(now);
    if constexpr (may_go_by_mass) {
      const Pack<T> next = now.weight_2;
      T* const kept_weights = memory_.weights + lane_.thread * V;
      now.weight_2 = pack(kept_weights);  // of row f - 2
      *reinterpret_cast<Pack<T>*>(kept_weights) = next;
    }
    T partial[H + 1][V], r[V], last_but_one[V];
    sweep_but_north<rows, k>(now, partial);
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) last_but_one[v] = x_[K - 1][1 - k][v];
    sweep_with_north<rows, k>(now, partial, r);
    if constexpr (!is_step && !from_zero && !varies) {
      const Pack<T> b = source(now, Shape::at_before);
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) before_[v] = b.v[v];
    }
    if constexpr (is_step) show_plane(show, 0, L - 1, u_[k]);
    UNROLL_REGISTERS for (int s = from_zero; s <= K; ++s) show_plane(show, Shape::plane_of(s), s, x_[s][k]);
    leave(arrivals_, now.arrived, f - K, lane_, starts_, fields_, x_[K][k], last_but_one);
    const bool done = lane_.has(f - H);
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      if constexpr (varies) r[v] *= now.left_root.v[v];
      count(residual, done, r[v]);
    }
    __syncthreads();
  }

 private:
  /// What a turn has from memory.
  struct Turn {
    int f;
    const T* see;  // what the lane beside has shown in the turn before
    const T* arrived = nullptr;
    Pack<T> left_root = {}, sqrt_diagonal = {},
            plain = {};                    // D^1/2 of row f - H, of row f - L; row f - L of u, unscaled
    Pack<T> newest = {};                   // row f of the first iterate
    Pack<T> weight_1 = {}, weight_2 = {};  // of the first two steps where they may go by mass
  };
  __device__ __forceinline__ Pack<T> source(const Turn& now, int n) const {
    return arrivals_.source(now.arrived, n);
  }
  /// Without a branch, so that the compiler can put other work in between; a varying medium has no registers
  /// for that.
  __device__ __forceinline__ static void count(LaneNorms& norms, bool counts, T r) {
    if constexpr (varies) {
      if (counts) norms.add(double(r));
    } else {
      norms.add(counts ? double(r) : 0.0);
    }
  }
  template <BlockedRows rows>
  __device__ __forceinline__ bool beyond(int row) const {
    return rows == BlockedRows::some_beyond && unsigned(row) >= unsigned(medium_.topology().ny);
  }
  /// N times plane p in row f - s, added to y, but for the northern neighbour.
  template <BlockedRows rows>
  __device__ __forceinline__ void add_coupled(const Turn& now, T (&y)[V], int p, int s, const T (&centre)[V],
                                              const T (&south)[V]) const {
    const T from_west = now.see[p * Shape::plane + Shape::side], from_east = now.see[p * Shape::plane + 2];
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      const T west = v == 0 ? from_west : centre[v == 0 ? 0 : v - 1],
              east = v == V - 1 ? from_east : centre[v == V - 1 ? 0 : v + 1];
      y[v] = rows_.template coupled_at<rows>(now.f - s, s, v, y[v], south[v], west, east);
    }
  }
  __device__ __forceinline__ T weight(const Turn& now, int s, int v) const {
    if constexpr (may_go_by_mass)
      if (s <= 2) return s == 1 ? now.weight_1.v[v] : now.weight_2.v[v];
    return steps_.weight[s - 1];
  }
  __device__ __forceinline__ T keep(const Turn& now, int s, int v) const {
    if constexpr (may_go_by_mass)
      if (s == 2) return medium_.by_mass ? T(1) - now.weight_2.v[v] : steps_.keep[1];
    return steps_.keep[s - 1];
  }

  /// In a varying medium, rows that arrived in the last turn are looked at again before others are fetched in
  /// their place.
  __device__ __forceinline__ void look_again(Turn& now) const {
    const auto source_before = [&](int n) { return arrivals_.source(arrivals_.place(now.f - 1), n); };
    now.left_root = source_before(Shape::at_leaving_root);
    if constexpr (is_step)
      now.plain = source_before(Shape::at_u), now.sqrt_diagonal = source_before(Shape::at_root);
    else
      now.sqrt_diagonal = from_zero ? source(now, Shape::at_root) : source_before(Shape::at_root);
  }

  /// Row f of the first iterate, row f - L of g, row f + 1 - L of u.
  template <BlockedRows rows, int k>
  __device__ __forceinline__ void arrive_for_step(Turn& now) {
    const int f = now.f;
    Pack<T> north = source(now, Shape::at_u);
    const Pack<T> p = source(now, Shape::at_p);
    const bool counted = unsigned(f - L - counted_from_) < unsigned(counted_);
    if constexpr (!from_zero) {
      now.newest = source(now, Shape::at_tried);
      const T* const u_there = varies ? north.v : u_[1 - k];
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) now.newest.v[v] -= u_there[v];
    }
    if constexpr (varies) {
      const Pack<T> root = source(now, Shape::at_root);
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
        north.v[v] *= root.v[v];
        if constexpr (!from_zero) now.newest.v[v] *= root.v[v];
      }
    }
    T y[V] = {};
    add_coupled<rows>(now, y, 0, L, u_[1 - k], u_[k]);
    [[maybe_unused]] Pack<T> mass, damped_mass;
    if constexpr (varies) {
      damped_mass = mass = source(now, Shape::at_mass);
      if constexpr (temporal::damped<Medium>) damped_mass = source(now, Shape::at_damped_mass);
    }
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      const T centre = u_[1 - k][v];
      y[v] = with_north(y[v], rows_.template north<rows>(f - L, L, v), north.v[v]);
      T diagonal;
      if constexpr (varies) {
        g_[0][v] = scaled_right_hand_side<T>(mass.v[v], p.v[v], fields_.ratio, -damped_mass.v[v],
                                             now.plain.v[v], y[v] - centre);
        diagonal = now.sqrt_diagonal.v[v];
        if constexpr (may_go_by_mass) {
          const T light = weight_by_mass(now.sqrt_diagonal.v[v], damped_mass.v[v], steps_.weight[0]);
          now.weight_1.v[v] = medium_.by_mass ? light : steps_.weight[0];
          now.weight_2.v[v] = medium_.by_mass ? light : steps_.weight[1];
        }
      } else {
        const ScaledRow<T>& a = rows_.template masses<rows>(f, v);
        g_[0][v] = beyond<rows>(f) ? T(0)
                                   : scaled_right_hand_side<T>(a.scaled_mass, p.v[v], fields_.ratio, a.stiff,
                                                               centre, y[v]);
        diagonal = rows_.template of_row<rows>(f, v).diagonal;
      }
      count(reference, counted, scaled_reference(whole_, g_[0][v], centre, y[v]) * diagonal);
      u_[k][v] = north.v[v];
    }
  }
  template <BlockedRows rows>
  __device__ __forceinline__ void arrive_for_solve(Turn& now) {
    const Pack<T> b = source(now, Shape::at_b);
    if constexpr (!from_zero) now.newest = source(now, Shape::at_x);
    if constexpr (varies) {
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
        g_[0][v] = b.v[v] * inverse_or_zero(now.sqrt_diagonal.v[v]);
      }
      if constexpr (!from_zero) {
        const Pack<T> root = source(now, Shape::at_root), old = source(now, Shape::at_before);
        UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
          now.newest.v[v] *= root.v[v];
          before_[v] = old.v[v] * now.sqrt_diagonal.v[v];
        }
      }
    } else {
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
        g_[0][v] = b.v[v] * rows_.template of_row<rows>(now.f, v).inverse;
      }
    }
  }

  /// All that does not wait for the row above: independent from one sweep to the next. partial[s] is row f - s
  /// of iterate s, partial[H] of g + N x - x of the last.
  template <BlockedRows rows, int k>
  __device__ __forceinline__ void sweep_but_north(const Turn& now, T (&partial)[H + 1][V]) const {
    UNROLL_REGISTERS for (int s = 1; s <= H; ++s) {
      if (s == 1 && from_zero) {
        UNROLL_REGISTERS for (int v = 0; v < V; ++v) partial[s][v] = weight(now, 1, v) * g_[1 - L][v];
        continue;
      }
      T y[V];
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) y[v] = g_[s - L][v];
      add_coupled<rows>(now, y, Shape::plane_of(s - 1), s, x_[s - 1][1 - k], x_[s - 1][k]);
      UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
        const T centre = x_[s - 1][1 - k][v];
        if (s > K) {
          partial[s][v] = y[v] - centre;
          continue;
        }
        const T old = s == 1 ? before_[v] : x_[s >= 2 ? s - 2 : 0][k][v], m = steps_.momentum[s - 1];
        T stays;
        if (centred && s > 2)
          stays = m * old;
        else if ((s == 2 && from_zero) || (s == 1 && is_step))
          stays = keep(now, s, v) * centre;
        else
          stays = kept(keep(now, s, v), centre, m, old);
        partial[s][v] = swept(stays, weight(now, s, v), y[v]);
      }
    }
  }
  /// Up the chain of iterates; r is row f - H of the residual.
  template <BlockedRows rows, int k>
  __device__ __forceinline__ void sweep_with_north(const Turn& now, const T (&partial)[H + 1][V], T (&r)[V]) {
    const int f = now.f;
    UNROLL_REGISTERS for (int v = 0; v < V; ++v) {
      T north = 0;
      if constexpr (!from_zero) x_[0][k][v] = north = now.newest.v[v];
      UNROLL_REGISTERS for (int s = 1; s <= K; ++s) {
        if (s == 1 && from_zero)
          north = partial[1][v];
        else
          north = with_north(partial[s][v], rows_.template weight_north<rows>(f - s, s, v, weight(now, s, v)),
                             north);
        if (beyond<rows>(f - s)) north = 0;
        x_[s][k][v] = north;
      }
      r[v] = with_north(partial[H][v], rows_.template north<rows>(f - H, H, v), north);
      if constexpr (!varies) r[v] *= rows_.template of_row<rows>(f - H, v).diagonal;
    }
  }
  /// Shows the first and the last column of row f - s of a plane.
  __device__ __forceinline__ void show_plane(T* show, int p, int s, const T (&row)[V]) const {
    show[p * Shape::plane] = row[0], show[p * Shape::plane + Shape::side] = rows_.for_east(s, row[V - 1]);
  }

  const SharedMemory<Shape>& memory_;
  const Lane lane_;
  const Arrivals<Shape>& arrivals_;
  LaneRows<Shape>& rows_;
  const Medium& medium_;
  const Fields& fields_;
  const Steps& steps_;
  const RowStarts starts_;
  T whole_ = 0;
  int counted_from_ = 0, counted_ = 0;
  T x_[K + 1][2][V] = {}, before_[V] = {}, g_[H + 1 - L][V] = {}, u_[2][V] = {};
};

}  // namespace wavesim::cuda
