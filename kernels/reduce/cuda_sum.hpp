#pragma once
// The end of a reduction on a GPU: each block leaves its part in memory, and the last block of the grid adds
// them up in their order. A part is its own flag: its place holds sentinels until it is written, so that blocks
// need neither a ticket nor a fence and end as soon as they have written (the same as in level_schedule.hpp;
// a fence and a ticket took each block about as long as a tile of a small grid; blocked_sweeps_cuda.hpp says
// why it has one). Blocks start in their order, and those before the last wait for nobody. Compiled by nvcc
// only.

#include <cstddef>

#include "kernels/backend/hd.hpp"
#include "kernels/numbers/sentinel.hpp"

namespace wavesim::cuda {

template <class R>
__device__ R shuffle_down(const R& r, int offset) {
  constexpr int n = sizeof(R) / sizeof(double);
  R o;
#pragma unroll
  for (int k = 0; k < n; ++k)
    reinterpret_cast<double*>(&o)[k] =
        __shfl_down_sync(0xffffffffu, reinterpret_cast<const double*>(&r)[k], offset);
  return o;
}

/// The first n lanes of a warp, a power of two, joined in a tree; valid in lane 0.
template <int n = 32, class R>
__device__ R warp_sum(R r) {
#pragma unroll
  for (int offset = n / 2; offset > 0; offset /= 2) r.join(shuffle_down(r, offset));
  return r;
}

/// Warps of a block of `threads` threads one after the other; valid in thread 0.
template <int threads, class R>
__device__ R block_sum(R r, int thread) {
  __shared__ R warp[threads / 32];
  r = warp_sum(r);
  if (thread % 32 == 0) warp[thread / 32] = r;
  __syncthreads();
  if (thread == 0)
    for (int w = 1; w < threads / 32; ++w) r.join(warp[w]);
  __syncthreads();
  return r;
}

/// The part of a block, in memory: doubles, two to a load where their number is even.
template <class S>
class Part {
 public:
  using Bits = Sentinel<double>::Bits;
  __device__ void load(const double* parts, int block) {
    const Bits* at = place(parts, block);
    if constexpr (n % 2 == 0) {
#pragma unroll
      for (int k = 0; k < n; k += 2)
        asm volatile("ld.relaxed.gpu.global.v2.b64 {%0, %1}, [%2];"
                     : "=l"(v_[k]), "=l"(v_[k + 1])
                     : "l"(at + k));
    } else {
#pragma unroll
      for (int k = 0; k < n; ++k)
        asm volatile("ld.relaxed.gpu.global.b64 %0, [%1];" : "=l"(v_[k]) : "l"(at + k));
    }
  }
  __device__ void store(double* parts, int block) const {
    Bits* at = place(parts, block);
    if constexpr (n % 2 == 0) {
#pragma unroll
      for (int k = 0; k < n; k += 2)
        asm volatile("st.relaxed.gpu.global.v2.b64 [%0], {%1, %2};" ::"l"(at + k), "l"(v_[k]), "l"(v_[k + 1])
                     : "memory");
    } else {
#pragma unroll
      for (int k = 0; k < n; ++k)
        asm volatile("st.relaxed.gpu.global.b64 [%0], %1;" ::"l"(at + k), "l"(v_[k]) : "memory");
    }
  }
  __device__ void set(const S& sum) {
#pragma unroll
    for (int k = 0; k < n; ++k) {
      v_[k] = Bits(__double_as_longlong(reinterpret_cast<const double*>(&sum)[k]));
      if (v_[k] == Sentinel<double>::bits) v_[k] = Sentinel<double>::quiet;
    }
  }
  __device__ S sum() const {
    S s;
#pragma unroll
    for (int k = 0; k < n; ++k)
      reinterpret_cast<double*>(&s)[k] = __longlong_as_double(static_cast<long long>(v_[k]));
    return s;
  }
  __device__ void set_sentinels() {
#pragma unroll
    for (int k = 0; k < n; ++k) v_[k] = Sentinel<double>::bits;
  }
  __device__ bool there() const {
    bool all = true;
#pragma unroll
    for (int k = 0; k < n; ++k) all &= v_[k] != Sentinel<double>::bits;
    return all;
  }

 private:
  static constexpr int n = sizeof(S) / sizeof(double);
  __device__ static Bits* place(double* parts, int block) {
    return reinterpret_cast<Bits*>(parts) + std::size_t(block) * n;
  }
  __device__ static const Bits* place(const double* parts, int block) {
    return reinterpret_cast<const Bits*>(parts) + std::size_t(block) * n;
  }
  Bits v_[n];
};

/// By one thread of a block.
template <class S>
__device__ void leave_part(const S& sum, double* parts, int block) {
  Part<S> part;
  part.set(sum);
  part.store(parts, block);
}

/// Joins `count` parts, first, first + stride, ..., in that order as they are written, and sets their places to
/// sentinels again. `most`: the largest count of a lane. Several loads are in flight together, of places beyond `count`, too:
/// the block that joins fetches this code for the first time, so what counts is how short it is.
template <class S, int stride, int doubles_together = 8>
__device__ S join_parts(double* parts, int first, int count, int most) {
  constexpr int doubles = sizeof(S) / sizeof(double),
                together = doubles >= doubles_together ? 1 : doubles_together / doubles;
  S sum = {};
  double* at = parts + std::size_t(first) * doubles;
#pragma unroll 1
  for (; most > 0; most -= together, count -= together, at += together * stride * doubles) {
    Part<S> part[together];
    bool all;
    do {
#pragma unroll
      for (int j = 0; j < together; ++j) part[j].load(at, j * stride);
      all = true;
#pragma unroll
      for (int j = 0; j < together; ++j) all &= part[j].there() || j >= count;
    } while (!all);
#pragma unroll
    for (int j = 0; j < together; ++j)
      if (j < count) sum.join(part[j].sum());
#pragma unroll
    for (int j = 0; j < together; ++j) {
      part[j].set_sentinels();
      if (j < count) part[j].store(at, j * stride);
    }
  }
  __syncwarp();
  return sum;
}

/// Sets all places to sentinels, before the first reduction.
static __global__ void set_sentinels_kernel(Sentinel<double>::Bits* parts, int count) {
  const int k = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (k < count) parts[k] = Sentinel<double>::bits;
}

}  // namespace wavesim::cuda
