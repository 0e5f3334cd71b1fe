#pragma once
// What a block of threads does in blocked sweeps on a GPU, by the medium: five points, or nine.

#include "kernels/temporal/cuda_block.hpp"
#include "kernels/temporal/cuda_nine_point_front.hpp"

namespace wavesim::cuda {

/// `Plan`: its shared memory; `Inside`: what inner rows have in common; `norms`: the work, with leave(part, norms of a lane)
/// for each slice.
template <class T, int K, class Medium>
struct Pass {
  template <class Fields, bool from_zero>
  using Plan = SharedMemoryPlan<T, Medium, Fields, K, from_zero>;
  using Inside = BlockedInside<T, K, Medium>;
  template <class Shape, bool centred, class... Work>
  __device__ __forceinline__ static void norms(unsigned char* shared, const Work&... work) {
    blocked_norms<Shape, centred>(work..., shared);
  }
};
template <class T, int K>
struct Pass<T, K, UniformNinePoints<T>> {
  template <class Fields, bool from_zero>
  using Plan = NinePointPlan<T, Fields, K, from_zero>;
  using Inside = NinePointsInside<T>;
  template <class Shape, bool centred, class... Work>
  __device__ __forceinline__ static void norms(unsigned char* shared, const Work&... work) {
    nine_point_norms<Shape, centred>(work..., shared);
  }
};

}  // namespace wavesim::cuda
