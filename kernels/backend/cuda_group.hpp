#pragma once
// The lanes of host_group.hpp as threads of a warp, or of a half, a quarter or an eighth of one. Compiled by
// nvcc only.

#include "kernels/backend/host_group.hpp"

namespace wavesim::cuda {

/// Its methods have a host half without a body, so that algorithms over groups can be HD.
template <int W>
class Group {
 public:
  static_assert(W == 4 || W == 8 || W == 16 || W == 32);
  static constexpr int lanes = W;

  template <class V>
  struct Lanes {
    V v = {};
    HD V& operator[](int) { return v; }
    HD const V& operator[](int) const { return v; }
  };

  /// The group of thread `thread` of its block.
  HD explicit Group(int thread)
      : lane_(thread % W), mask_((W == 32 ? 0xffffffffu : (1u << (W % 32)) - 1) << (thread % 32 / W * W)) {}

  template <class F>
  HD void each(const F& f) const {
    f(lane_);
  }
  template <class F>
  HD void each(int n, const F& f) const {
    if (lane_ < n) f(lane_);
  }
  template <class F>
  HD void each(int from, int to, const F& f) const {
    if (from <= lane_ && lane_ < to) f(lane_);
  }
  template <class V>
  HD V broadcast(const Lanes<V>& x, int lane) const {
#ifdef __CUDA_ARCH__
    return __shfl_sync(mask_, x.v, lane, W);
#else
    return x.v;
#endif
  }
  template <class V>
  HD Lanes<V> next(const Lanes<V>& x) const {
#ifdef __CUDA_ARCH__
    return {__shfl_down_sync(mask_, x.v, 1, W)};
#else
    return x;
#endif
  }
  template <class V>
  HD Lanes<V> before(const Lanes<V>& x) const {
#ifdef __CUDA_ARCH__
    return {__shfl_up_sync(mask_, x.v, 1, W)};
#else
    return x;
#endif
  }
  template <class V>
  HD V largest(const Lanes<V>& x) const {
    V most = x.v;
    UNROLL for (int offset = W / 2; offset > 0; offset /= 2) {
      const V other = across(most, offset);
      most = other > most ? other : most;
    }
    return most;
  }
  template <class V>
  HD V sum(const Lanes<V>& x) const {
    V all = x.v;
    UNROLL for (int offset = W / 2; offset > 0; offset /= 2) all += across(all, offset);
    return all;
  }
  template <class V>
  HD int argmax(const Lanes<V>& x) const {
    V most = x.v;
    int at = lane_;
    UNROLL for (int offset = W / 2; offset > 0; offset /= 2) {
      const V other = across(most, offset);
      const int there = across(at, offset);
      const bool take = other > most || (other == most && there < at);
      most = take ? other : most;
      at = take ? there : at;
    }
    return at;
  }
  HD void sync() const {
#ifdef __CUDA_ARCH__
    __syncwarp(mask_);
#endif
  }

 private:
  template <class V>
  HD V across(const V& v, int offset) const {
#ifdef __CUDA_ARCH__
    return __shfl_xor_sync(mask_, v, offset, W);
#else
    return v;
#endif
  }

  int lane_;
  unsigned mask_;
};

}  // namespace wavesim::cuda
