#pragma once
// Steps in perfectly matched layers on a GPU: a block of threads has a tile in shared memory.

#include "kernels/backend/cuda.hpp"
#include "kernels/leapfrog/layers.hpp"
#include "kernels/numbers/peaks.hpp"

namespace wavesim {
namespace cuda {

struct Block {
  template <class F>
  __device__ void each(const GridPart& part, const F& f) const {
    const int columns = part.cols(), points = part.rows() * columns;
    // k / columns by a multiplication, which takes a tenth of a division's instructions: exact for k columns < 2^20
    constexpr int bits = 20;
    const unsigned over_columns = (1u << bits) / unsigned(columns) + 1;
    for (int k = int(threadIdx.x); k < points; k += int(blockDim.x)) {
      const int row = int(unsigned(k) * over_columns >> bits), col = part.col + k - row * columns;
      f(part.row + row, col, col + 1);
    }
  }
  template <class F>
  __device__ void each_number(int from, int to, const F& f) const {
    for (int k = from + int(threadIdx.x); k < to; k += int(blockDim.x)) f(k);
  }
  __device__ void wait() const { __syncthreads(); }
};

inline constexpr int threads_of_tile = 512;

template <class Layers>
__global__ void __launch_bounds__(threads_of_tile, 2)
    layers_kernel(const __grid_constant__ Layers layers, Guard guard) {
  if (guard.closed()) return;
  extern __shared__ __align__(128) unsigned char shared[];
  const Block block;
  LayersTile(layers, int(blockIdx.x), reinterpret_cast<typename Layers::T*>(shared), block).go();
}

}  // namespace cuda

template <class Layers>
void Cuda::leapfrog_in_layers(const char* label, const Layers& layers) {
  counts_.add(label, layers.bytes(), false);
  [[maybe_unused]] static const bool allowed =
      cuda::allow_shared_memory(cuda::layers_kernel<Layers>, cuda::most_of_two_blocks);
  const int shared = values_of_layers * layers.stride * int(sizeof(typename Layers::T));
  cuda::layers_kernel<Layers>
      <<<layers.frame.tiles(), cuda::threads_of_tile, shared, stream_>>>(layers, guard_);
  check(cudaGetLastError());
}

}  // namespace wavesim
