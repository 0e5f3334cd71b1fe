#pragma once
// Steps in perfectly matched layers on a GPU: a block of threads has a tile in shared memory.

#include "kernels/backend/cuda.hpp"
#include "kernels/leapfrog/layers.hpp"
#include "kernels/numbers/peaks.hpp"
#include "kernels/temporal/cuda_lane.hpp"

namespace wavesim {
namespace cuda {

/// Its threads lie on a box: each has a column of it, and of a part's rows every so many.
class Block {
 public:
  static constexpr bool one_column = true;
  static constexpr int stride = most_points_of_box(true);
  __device__ explicit Block(const GridPart& box) : columns_(box.cols()) {
    col_ = box.col + int(threadIdx.x) % columns_, row_ = int(threadIdx.x) / columns_;
    rows_ = int(blockDim.x) / columns_;
  }
  template <class F>
  __device__ void each(const GridPart& part, const F& f) const {
    if (col_ < part.col || col_ >= part.col_to || row_ >= rows_) return;
    ROLLED for (int row = part.row + row_; row < part.row_to; row += rows_) f(row, col_, col_ + 1);
  }
  template <class F>
  __device__ __forceinline__ void loop(int from, int to, const F& f) const {
    if (from < to) f(0);
  }
  template <class F>
  __device__ void each_number(int from, int to, const F& f) const {
    for (int k = from + int(threadIdx.x); k < to; k += int(blockDim.x)) f(k);
  }
  __device__ void wait() const { __syncthreads(); }

 private:
  const int columns_;
  int col_, row_, rows_;
};

inline constexpr int threads_of_tile = 512;

template <class Layers>
__global__ void __launch_bounds__(threads_of_tile, 2)
    layers_kernel(const __grid_constant__ Layers layers, Guard guard) {
  if (guard.closed()) return;
  extern __shared__ __align__(128) unsigned char shared[];
  const Block block(layers.frame.box(layers.frame.tile(int(blockIdx.x))));
  LayersTile(layers, int(blockIdx.x), reinterpret_cast<typename Layers::T*>(shared), block).go();
}

}  // namespace cuda

template <class Layers>
void Cuda::leapfrog_in_layers(const char* label, const Layers& layers) {
  counts_.add(label, layers.bytes(), false);
  constexpr int shared = values_of_layers * cuda::Block::stride * int(sizeof(typename Layers::T));
  static_assert(shared <= cuda::most_of_two_blocks);
  [[maybe_unused]] static const bool allowed = cuda::allow_shared_memory(cuda::layers_kernel<Layers>, shared);
  cuda::layers_kernel<Layers>
      <<<layers.frame.tiles(), cuda::threads_of_tile, shared, stream_>>>(layers, guard_);
  check(cudaGetLastError());
}

}  // namespace wavesim
