// levels_of_list.hpp on a GPU, in one launch.
#include "kernels/sptrsv/levels_of_list.hpp"

#include "kernels/backend/cuda.hpp"

namespace wavesim {

namespace cuda {

/// A thread for each element. Blocks take their elements in order, so that the blocks before them have started.
/// A level is its own flag: it is -1 until it is known. Long chains of neighbours, such as the rows of a grid,
/// would cost a wait for each link; within a warp one scan over maxima and sums resolves them together.
__global__ void __launch_bounds__(threads)
    level_kernel(int n, bool forward, Dependencies on, int* level, unsigned* ticket) {
  constexpr int unknown = 1 << 30;
  __shared__ unsigned block;
  __shared__ int own[threads];  // levels of this block
  if (threadIdx.x == 0) block = atomicAdd(ticket, 1);
  own[threadIdx.x] = -1;
  __syncthreads();
  const int base = int(block) * threads, place = base + int(threadIdx.x), lane = threadIdx.x % 32;
  const int i = forward ? place : n - 1 - place;
  volatile int* const all = level;
  int k = 0, end = 0;
  if (place < n) {
    k = on.start[i];
    end = on.start[i + 1];
  }
  int known = 0;         // one more than the highest level seen so far
  bool chained = false;  // waits for the element of the lane before
  bool told = place >= n;
  while (!__all_sync(0xffffffffu, told)) {
    for (; k < end; ++k) {
      const int j = on.neighbour[k];
      if (forward ? j >= i : j <= i) continue;
      const int there = forward ? j : n - 1 - j;
      if (there == place - 1 && lane > 0) {
        chained = true;
        continue;
      }
      const int d = there >= base ? atomicOr(own + (there - base), 0) : all[j];  // a read that may race
      if (d < 0) break;
      known = max(known, d + 1);
    }
    int d = k == end ? known : unknown;
    bool joined = chained;  // to the lane `reach` before
#pragma unroll
    for (int reach = 1; reach < 32; reach *= 2) {
      const int before = __shfl_up_sync(0xffffffffu, d, reach);
      const bool further = __shfl_up_sync(0xffffffffu, joined, reach);
      if (joined && lane >= reach) d = max(d, before + reach);
      joined = joined && lane >= reach && further;
    }
    if (!told && d < unknown) {
      atomicExch(own + threadIdx.x, d);
      all[i] = d;
      told = true;
    }
    __syncwarp();
  }
}

}  // namespace cuda

void levels_of(Cuda& be, int n, bool forward, Dependencies on, int* level) {
  be.counts().add("depths", 0, false);
  if (n == 0) return;
  check(cudaMemsetAsync(level, 0xff, std::size_t(n) * sizeof(int), be.stream()));
  const Buffer<Cuda, unsigned> ticket(be, 1);
  cuda::level_kernel<<<sum_order::blocks_of(n), cuda::threads, 0, be.stream()>>>(n, forward, on, level,
                                                                                 ticket.data());
  check(cudaGetLastError());
}

}  // namespace wavesim
