#pragma once
// Lanes of host_group.hpp for groups with scratch memory (scratch.hpp). The groups of a warp go through the
// same steps, so one instruction synchronises them all (a mask for each group costs ten more). A thread may
// take the turns of two lanes, so that a broadcast serves more work. Compiled by nvcc only.

#include "kernels/backend/host_group.hpp"

namespace wavesim::cuda {

/// A lane: its number, and which of its thread's turns it takes. The turn is a constant, because a GPU cannot
/// index registers at run time. Functions of lanes take it as `auto`.
template <int turn>
struct LaneInTurn {
  int number;
  HD operator int() const { return number; }
};

template <int W, int threads>
class WideGroup {
 public:
  static constexpr int lanes = W, turns = W / threads;
  static_assert(turns * threads == W && turns <= 2);

  template <class V>
  struct Lanes {
    V v[turns] = {};
    template <int turn>
    HD V& operator[](LaneInTurn<turn>) {
      return v[turn];
    }
    template <int turn>
    HD const V& operator[](LaneInTurn<turn>) const {
      return v[turn];
    }
  };

  HD explicit WideGroup(int thread) : first_(thread % threads) {}

  template <class F>
  HD void each(const F& f) const {
    f(LaneInTurn<0>{first_});
    if constexpr (turns == 2) f(LaneInTurn<1>{first_ + threads});
  }
  template <class F>
  HD void each(int n, const F& f) const {
    each([&](auto i) {
      if (i < n) f(i);
    });
  }
  template <class V>
  HD V broadcast(const Lanes<V>& x, int lane) const {
    V mine = x.v[0];
    if constexpr (turns == 2)
      if (lane >= threads) mine = x.v[1];
    return of_thread(mine, lane % threads);
  }
  template <class V>
  HD Lanes<V> before(const Lanes<V>& x) const {
    Lanes<V> y;
    UNROLL for (int t = 0; t < turns; ++t) y.v[t] = of_thread_before(x.v[t]);
    if constexpr (turns == 2) {
      const V last = of_thread(x.v[0], threads - 1);
      if (first_ == 0) y.v[1] = last;
    }
    return y;
  }
  template <class V>
  HD V largest(const Lanes<V>& x) const {
    V most = x.v[0];
    if constexpr (turns == 2) most = x.v[1] > most ? x.v[1] : most;
    UNROLL for (int offset = threads / 2; offset > 0; offset /= 2) {
      const V other = across(most, offset);
      most = other > most ? other : most;
    }
    return most;
  }
  HD void sync() const {
#ifdef __CUDA_ARCH__
    __syncwarp();
#endif
  }
  /// The largest n of the warp's groups.
  HD int together(int n) const {
#ifdef __CUDA_ARCH__
    return threads == 32 ? n : __reduce_max_sync(whole_warp, n);
#else
    return n;
#endif
  }

 private:
  static constexpr unsigned whole_warp = 0xffffffffu;
#ifdef __CUDA_ARCH__
  template <class V>
  HD static V of_thread(V v, int thread) {
    return __shfl_sync(whole_warp, v, thread, threads);
  }
  template <class V>
  HD static V of_thread_before(V v) {
    return __shfl_up_sync(whole_warp, v, 1, threads);
  }
  template <class V>
  HD static V across(V v, int offset) {
    return __shfl_xor_sync(whole_warp, v, offset, threads);
  }
#else  // a host half without a meaning, so that algorithms over groups can be HD
  template <class V>
  HD static V of_thread(V v, int) {
    return v;
  }
  template <class V>
  HD static V of_thread_before(V v) {
    return v;
  }
  template <class V>
  HD static V across(V v, int) {
    return v;
  }
#endif

  int first_;
};

}  // namespace wavesim::cuda
