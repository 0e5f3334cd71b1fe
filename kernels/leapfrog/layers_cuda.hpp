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
    for (int k = int(threadIdx.x); k < points; k += int(blockDim.x)) {
      const int col = part.col + k % columns;
      f(part.row + k / columns, col, col + 1);
    }
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
  LayersTile(layers, int(blockIdx.x), layers.pass.fields(0, layers.steps), false,
             reinterpret_cast<typename Layers::T*>(shared), block)
      .go();
}

/// The tiles, shared out over the blocks, in pass number n.
template <class Layers>
__device__ void step_tiles(const Layers& layers, int n, unsigned char* shared) {
  const Block block;
  const auto fields = layers.pass.fields(n, layers.steps);
  const int tiles = layers.frame.tiles();
  for (int tile = int(blockIdx.x); tile < tiles; tile += int(gridDim.x)) {
    __syncthreads();  // what had the memory before is done with it
    LayersTile(layers, tile, fields, n % 2 != 0, reinterpret_cast<typename Layers::T*>(shared), block).go();
  }
}

/// What a tile has in shared memory; a pass alone has none.
template <class Pass>
int bytes_of_tiles(const LayersPass<Pass>& layers) {
  return values_of_layers * layers.stride * int(sizeof(typename Pass::value));
}
template <class Pass>
int bytes_of_tiles(const Pass&) {
  return 0;
}
template <class Pass>
double bytes_of_pass(const LayersPass<Pass>& layers) {
  return layers.pass.bytes() + layers.bytes();
}
template <class Pass>
double bytes_of_pass(const Pass& pass) {
  return pass.bytes();
}
template <class Pass>
HD const Pass& pass_of(const LayersPass<Pass>& layers) {
  return layers.pass;
}
template <class Pass>
HD const Pass& pass_of(const Pass& pass) {
  return pass;
}

}  // namespace cuda

template <class Layers>
void Cuda::leapfrog_in_layers(const char* label, const Layers& layers) {
  counts_.add(label, layers.bytes(), false);
  [[maybe_unused]] static const bool allowed =
      cuda::allow_shared_memory(cuda::layers_kernel<Layers>, cuda::most_of_two_blocks);
  cuda::layers_kernel<Layers>
      <<<layers.frame.tiles(), cuda::threads_of_tile, cuda::bytes_of_tiles(layers), stream_>>>(layers,
                                                                                               guard_);
  check(cudaGetLastError());
}

}  // namespace wavesim
