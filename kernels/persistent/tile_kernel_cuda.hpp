#pragma once
// tile_kernel.hpp on a GPU: a cooperative launch, and a barrier of the grid at the end of each phase. Compiled by nvcc only.

#include "kernels/backend/device_share.hpp"
#include "kernels/persistent/tile_kernel.hpp"

namespace wavesim {

namespace cuda {

/// Two doubles to a load, where their number is even.
template <class R>
__device__ R load_part(const double* at) {
  using Word = std::conditional_t<sizeof(R) % sizeof(double2) == 0, double2, double>;
  alignas(sizeof(Word)) R r;
#pragma unroll
  for (std::size_t d = 0; d < sizeof(R) / sizeof(Word); ++d)
    reinterpret_cast<Word*>(&r)[d] = __ldcg(reinterpret_cast<const Word*>(at) + d);
  return r;
}

/// Joins the parts of all tiles, in thread 0: `most` of each lane, zeros among them where there is no tile. All threads call it.
template <class R>
__device__ R sum_of_tiles(const double* parts, int most, R* warp) {
  constexpr int words = sizeof(R) / sizeof(double), together = 8;
  const int t = int(threadIdx.x);
  R sum = {};
  if (t < sum_order::lanes) {
#pragma unroll 1
    for (int k = 0; k < most; k += together) {
      R part[together];
#pragma unroll
      for (int j = 0; j < together; ++j)
        if (k + j < most) part[j] = load_part<R>(parts + (std::size_t(k + j) * sum_order::lanes + t) * words);
#pragma unroll
      for (int j = 0; j < together; ++j)
        if (k + j < most) sum.join(part[j]);
    }
    sum = warp_sum(sum);
    if (t % 32 == 0) warp[t / 32] = sum;
  }
  __syncthreads();
  if (t == 0)
#pragma unroll
    for (int w = 1; w < sum_order::lanes / 32; ++w) sum.join(warp[w]);
  return sum;
}

template <class P>
__global__ void __launch_bounds__(persistent::lanes, 1)
    tile_kernel(Guard guard, GridBarrier barrier, int most, TileShare share, sum_order::Cut cut,
                const __grid_constant__ P program) {
  constexpr int warps = persistent::lanes / 32, of_tile = sum_order::lanes / 32,
                tiles = P::rounds * TileShare::at_once;
  extern __shared__ double of_block[];
  __shared__ double room[P::rounds * warps * PartsOfTiles::most];
  __shared__ typename P::State state;
  __shared__ bool again;
  if (guard.closed()) return;
  const int t = int(threadIdx.x);
  const TileLane at(share, int(blockIdx.x), t);
  auto* const shared = reinterpret_cast<typename P::Shared*>(of_block);
  const int own_tile = t < tiles ? share.tile(at.block, t) : -1,  // the one whose sum this thread ends
      part = own_tile < 0 ? -1 : sum_order::part_of_tile(cut, share.across, own_tile);
  typename P::Lane lane;
  program.begin(at, lane, shared);
  if (t == 0) state = program.state;
  __syncthreads();

  const auto go_on = [&](auto number) {
    constexpr int phase = number;
    using R = typename P::template R<phase>;
    constexpr int words = sizeof(R) / sizeof(double);
    static_assert(words <= PartsOfTiles::most);
    double* const parts =
        barrier.parts +
        phase * PartsOfTiles::doubles(most);  // a block may still read those of the last phase
    R* const warp = reinterpret_cast<R*>(room);
    R sums[P::rounds] = {};
    program.template measure<phase>(at, lane, shared, state, sums);
#pragma unroll
    for (int j = 0; j < P::rounds; ++j) {
      sums[j] = warp_sum(sums[j]);
      if (t % 32 == 0) warp[j * warps + t / 32] = sums[j];
    }
    __syncthreads();  // also: all lanes have written what other blocks read
    if (t < 32) {
      if (part >= 0) {
        const R* const of = warp + t / TileShare::at_once * warps + t % TileShare::at_once * of_tile;
        R sum = of[0];
#pragma unroll
        for (int w = 1; w < of_tile; ++w) sum.join(of[w]);
        reinterpret_cast<R*>(parts)[part] = sum;
      }
      __syncwarp();
      if (t == 0) wait_for_all(barrier.arrived);
    }
    __syncthreads();
    program.template fetch<phase>(at, lane);
    const R sum = sum_of_tiles(parts, most, warp);
    if (t == 0) again = program.next(state, sum, blockIdx.x == 0);
    __syncthreads();
    if (again) {
      program.template advance<phase>(at, lane, shared, state);
      __syncthreads();
    }
    return again;
  };
  while (go_on(std::integral_constant<int, 0>{}) && go_on(std::integral_constant<int, 1>{})) {
  }
  program.end(at, lane, shared);
}

}  // namespace cuda

template <>
class TileKernel<Cuda> {
 public:
  TileKernel(Cuda& be, Extent e)
      : be_(be),
        share_(e),
        cut_(sum_order::cut_rows(e)),
        parts_(be, 2 * PartsOfTiles::doubles(cut_.most_parts_of_leaf())),
        arrived_(be, 1) {}

  /// Whether all blocks of such a program can be resident, with so many bytes of shared memory each; where several backends share the
  /// GPU, those of all of them, because such kernels wait for one another otherwise.
  template <class P>
  bool fits(std::size_t bytes) const {
    int device = 0, units = 0, blocks = 0, optin = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, device));
    check(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    const auto kernel = cuda::tile_kernel<P>;
    // The limit is the kernel's, for all that launch it with sizes of their own: it is always the largest.
    cudaFuncAttributes own{};
    check(cudaFuncGetAttributes(&own, kernel));
    const std::size_t most = std::size_t(optin) - own.sharedSizeBytes;
    if (!share_.fits() || bytes > most) return false;
    const bool allowed =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(most)) == cudaSuccess &&
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, persistent::lanes, bytes) ==
            cudaSuccess;
    cudaGetLastError();
    return allowed && blocks * units >= share_.blocks * backends_on_device;
  }
  /// Where it fits, with `shared` elements for each block. `bytes`: read and written in memory.
  template <class P>
  void run(const char* label, std::size_t shared, double bytes, P program) {
    be_.counts().add(label, bytes, true);
    cuda::Guard guard = be_.guarding();
    cuda::GridBarrier barrier{parts_.data(), arrived_.data()};
    int most = cut_.most_parts_of_leaf();
    void* arguments[] = {&guard, &barrier, &most, &share_, &cut_, &program};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(cuda::tile_kernel<P>),
                                      dim3(unsigned(share_.blocks)), dim3(persistent::lanes), arguments,
                                      shared * sizeof(typename P::Shared), be_.stream()));
  }

 private:
  Cuda& be_;
  TileShare share_;
  sum_order::Cut cut_;
  Buffer<Cuda, double> parts_;
  Buffer<Cuda, unsigned> arrived_;
};

}  // namespace wavesim
