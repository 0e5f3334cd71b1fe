#pragma once
// What the threads of a block show one another of a field whose rows all are in their registers (cuda_resident_rows.hpp).

#include "kernels/temporal/cuda_resident_plan.hpp"

namespace wavesim::cuda {

/// Two turns alternate between two places, so that one barrier between showing and seeing is enough.
template <class Plan>
class ResidentExchange {
  using T = typename Plan::T;
  static constexpr int N = Plan::N, V = Plan::V;

 public:
  /// `below_zero`, `above_zero`: beyond the first and the last group there is nothing.
  __device__ ResidentExchange(const ResidentMemory<Plan>& memory, int groups, int lane, int group,
                              bool below_zero, bool above_zero)
      : in_warp_(lane % 32),
        below_zero_(group == 0 && below_zero),
        above_zero_(group == groups - 1 && above_zero),
        own_(memory.borders + group * Plan::borders + lane * V),
        below_(memory.borders + max(group - 1, 0) * Plan::borders + lane * V),
        above_(memory.borders + min(group + 1, groups - 1) * Plan::borders + lane * V),
        sides_(memory.sides + group * Plan::sides + lane / 32) {}

  /// The first and the last column of each warp.
  template <int turn, class Row>
  __device__ __forceinline__ void show_sides(const Row& row) const {
    if (in_warp_ != 0 && in_warp_ != 31) return;
    const bool first = in_warp_ == 0;
    T* const to = sides_ + turn * Plan::side + (first ? 0 : Plan::slots) + 1;
    UNROLL_REGISTERS for (int i = 0; i < N; ++i) to[i * 2 * Plan::slots] = first ? row(i)[0] : row(i)[V - 1];
  }
  /// These, and the lowest and the highest row of the thread.
  template <int turn>
  __device__ __forceinline__ void show(const T (&x)[N][V]) const {
    store_columns(own_ + turn * Plan::border, x[0]);
    store_columns(own_ + turn * Plan::border + Plan::columns, x[N - 1]);
    show_sides<turn>([&](int i) -> const T(&)[V] { return x[i]; });
  }
  /// The rows below and above the thread's. Groups at the ends see zeros or their own.
  template <int turn>
  __device__ __forceinline__ Pack<T> below() const {
    if (below_zero_) return {};
    return pack(below_ + turn * Plan::border + Plan::columns);
  }
  template <int turn>
  __device__ __forceinline__ Pack<T> above() const {
    if (above_zero_) return {};
    return pack(above_ + turn * Plan::border);
  }
  /// The columns beside those of row i. All threads of a warp together.
  template <int turn>
  __device__ __forceinline__ void beside(int i, const T (&x)[V], T& west, T& east) const {
    constexpr unsigned all = 0xffffffffu;
    west = __shfl_up_sync(all, x[V - 1], 1);
    east = __shfl_down_sync(all, x[0], 1);
    const T* const from = sides_ + turn * Plan::side + i * 2 * Plan::slots;
    if (in_warp_ == 0) west = from[Plan::slots];
    if (in_warp_ == 31) east = from[2];
  }

 private:
  const int in_warp_;
  const bool below_zero_, above_zero_;
  T* const own_;
  const T *const below_, *const above_;
  T* const sides_;
};

}  // namespace wavesim::cuda
