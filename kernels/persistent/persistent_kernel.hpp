#pragma once
// A persistent kernel: all blocks are resident and go through turns together. A lane keeps its data in
// registers, a block keeps its data in shared memory. At the end of a turn one value of each lane is reduced
// over all lanes, and every block receives the sum. So a turn costs one barrier of the grid, and vectors need
// no global memory.
//
// A program P, a struct of pointers and numbers that kernels take by value, has
//   Lane, Shared element, State     what lanes, blocks and all blocks alike keep
//   R                               what is joined
//   begin(at, lane, shared)         once
//   R measure(at, lane, shared, turn)
//   fetch(at, lane, turn)           loads what others wrote in `measure`, during the reduction
//   bool next(state, sum, first)    in each block, the same in all; `first`: in the one that may write.
//                                   False: that was the last turn.
//   advance(at, lane, shared, state, turn)
//   end(at, lane, shared)           once
// with a barrier of the block between any two of them except `fetch` and `next`. In `measure` a block writes
// data for others to one place in odd turns and to another in even turns, because the others may still read
// those of the turn before. They read them with `fresh`.

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"

namespace wavesim {

/// A lane of a block.
struct LanePlace {
  int block = 0, lane = 0;
};

/// Constants, because the order of sums follows them (sum_order.hpp). There is one block for each
/// multiprocessor of a Hopper GPU, less four.
namespace persistent {
inline constexpr int blocks = 128, lanes = 512;
/// Shared memory of a block in bytes: Hopper's 227 KiB, less what the kernel keeps for itself.
inline constexpr std::size_t shared_bytes = (227 << 10) - 2048;
}  // namespace persistent

/// Runs such programs on a backend.
template <class B>
class PersistentKernel;

#ifdef __CUDACC__

namespace cuda {

/// A barrier of the grid with a reduction.
struct GridBarrier {
  double* parts = nullptr;  // two sets: a block may still read one while others write the next
  unsigned* arrived = nullptr;
};

/// Waits until all blocks of the grid have arrived. The increments of all blocks sum to a change of the highest
/// bit only, so nothing has to be reset (as in cooperative_groups).
__device__ inline void wait_for_all(unsigned* arrived) {
  constexpr unsigned highest = 0x80000000u;
  const unsigned mine = blockIdx.x == 0 ? highest - (gridDim.x - 1) : 1;
  unsigned before, now;
  asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(arrived), "r"(mine)
               : "memory");
  do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(arrived) : "memory");
  while (((before ^ now) & highest) == 0);
}

/// The sum of the blocks' parts, in lane 0: all loads before the first addition.
template <class R>
__device__ R sum_of_parts(const double* parts, int lane) {
  constexpr int words = sizeof(R) / sizeof(double), each = persistent::blocks / 32;
  R part[each] = {};
#pragma unroll
  for (int k = 0; k < each; ++k)
    if (lane + 32 * k < int(gridDim.x))
#pragma unroll
      for (int d = 0; d < words; ++d)
        reinterpret_cast<double*>(part + k)[d] = __ldcg(parts + (lane + 32 * k) * words + d);
#pragma unroll
  for (int k = 1; k < each; ++k) part[0].join(part[k]);
  return warp_sum<32>(part[0]);
}

template <class P>
__global__ void __launch_bounds__(persistent::lanes, 1)
    persistent_kernel(Guard guard, GridBarrier barrier, P program) {
  using R = typename P::R;
  constexpr int warps = persistent::lanes / 32, words = sizeof(R) / sizeof(double);
  extern __shared__ double of_block[];
  __shared__ R warp[warps];
  __shared__ typename P::State state;
  __shared__ bool again;
  if (guard.closed()) return;
  const LanePlace at{int(blockIdx.x), int(threadIdx.x)};
  auto* const shared = reinterpret_cast<typename P::Shared*>(of_block);
  typename P::Lane lane;
  program.begin(at, lane, shared);
  if (at.lane == 0) state = program.state;
  __syncthreads();
  for (int turn = 0;; ++turn) {
    double* const parts = barrier.parts + (turn & 1) * persistent::blocks * words;
    const R own = warp_sum<32>(program.measure(at, lane, shared, turn));
    if (at.lane % 32 == 0) warp[at.lane / 32] = own;
    __syncthreads();  // also: all lanes have written what other blocks read
    if (at.lane < 32) {
      const R sum = warp_sum<warps>(warp[at.lane % warps]);
      if (at.lane == 0) {
        reinterpret_cast<R*>(parts)[blockIdx.x] = sum;
        wait_for_all(barrier.arrived);
      }
    }
    __syncthreads();
    program.fetch(at, lane, turn);
    if (at.lane < 32) {
      const R sum = sum_of_parts<R>(parts, at.lane);
      if (at.lane == 0) again = program.next(state, sum, blockIdx.x == 0);
    }
    __syncthreads();
    if (!again) break;
    program.advance(at, lane, shared, state, turn);
    __syncthreads();
  }
  program.end(at, lane, shared);
}

}  // namespace cuda

template <>
class PersistentKernel<Cuda> {
 public:
  explicit PersistentKernel(Cuda& be)
      : be_(be), parts_(be, std::size_t(2) * persistent::blocks * most_sums), arrived_(be, 1) {}

  /// `blocks` of them, with `shared` elements each. `bytes`: read and written in memory.
  template <class P>
  void run(const char* label, int blocks, std::size_t shared, double bytes, P program) {
    static_assert(sizeof(typename P::R) <= most_sums * sizeof(double));
    be_.counts().add(label, bytes, true);
    const std::size_t size = shared * sizeof(typename P::Shared);
    const auto kernel = cuda::persistent_kernel<P>;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(size)));
    cuda::Guard guard = be_.guarding();
    cuda::GridBarrier barrier{parts_.data(), arrived_.data()};
    void* arguments[] = {&guard, &barrier, &program};
    const cudaError_t e =
        cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), dim3(unsigned(blocks)),
                                    dim3(persistent::lanes), arguments, size, be_.stream());
    if (e == cudaErrorCooperativeLaunchTooLarge) {
      cudaGetLastError();
      throw DeviceError("this GPU has fewer than " + std::to_string(blocks) +
                        " multiprocessors with the shared memory of an H100; use method: cg");
    }
    check(e);
  }

 private:
  static constexpr int most_sums = 8;
  Cuda& be_;
  Buffer<Cuda, double> parts_;
  Buffer<Cuda, unsigned> arrived_;
};

#else

/// The same on the CPU, block by block and lane by lane.
template <>
class PersistentKernel<Host> {
 public:
  explicit PersistentKernel(Host& be) : be_(be) {}

  template <class P>
  void run(const char* label, int blocks, std::size_t shared, double bytes, P program) {
    using namespace persistent;
    using R = typename P::R;
    be_.counts().add(label, bytes, true);
    std::vector<typename P::Lane> lane(std::size_t(blocks) * lanes);
    std::vector<typename P::Shared> memory(std::size_t(blocks) * shared);
    std::vector<R> parts(blocks);
    const auto all = [&](auto f) {
#pragma omp parallel for schedule(static) if (std::size_t(blocks) * shared > 1 << 14)
      for (int b = 0; b < blocks; ++b)
        f(b, lane.data() + std::size_t(b) * lanes, memory.data() + std::size_t(b) * shared);
    };
    typename P::State state = program.state;
    all([&](int b, auto* own, auto* s) {
      for (int t = 0; t < lanes; ++t) program.begin({b, t}, own[t], s);
    });
    for (int turn = 0;; ++turn) {
      all([&](int b, auto* own, auto* s) {
        R sum[lanes];
        for (int t = 0; t < lanes; ++t) sum[t] = program.measure({b, t}, own[t], s, turn);
        for (int warp = 0; warp < lanes / 32; ++warp) {
          warp_sum<32>(sum + 32 * warp);
          sum[warp] = sum[32 * warp];
        }
        warp_sum<lanes / 32>(sum);
        parts[std::size_t(b)] = sum[0];
      });
      R sum[persistent::blocks] = {};
      std::copy(parts.begin(), parts.end(), sum);
      for (int b = 32; b < persistent::blocks; ++b) sum[b % 32].join(sum[b]);
      warp_sum<32>(sum);
      if (!program.next(state, sum[0], true)) break;
      all([&](int b, auto* own, auto* s) {
        for (int t = 0; t < lanes; ++t) {
          program.fetch({b, t}, own[t], turn);
          program.advance({b, t}, own[t], s, state, turn);
        }
      });
    }
    all([&](int b, auto* own, auto* s) {
      for (int t = 0; t < lanes; ++t) program.end({b, t}, own[t], s);
    });
  }

 private:
  template <int n, class R>
  static void warp_sum(R* lane) {
    for (int offset = n / 2; offset > 0; offset /= 2)
      for (int t = 0; t < offset; ++t) lane[t].join(lane[t + offset]);
  }
  Host& be_;
};

#endif

}  // namespace wavesim
