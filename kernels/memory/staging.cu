#include "kernels/memory/staging.hpp"

#include "kernels/backend/cuda_check.hpp"

namespace wavesim {

namespace cuda {

template <class Word>
__global__ void copy_kernel(Word* to, const Word* from, int n) {
  for (int k = int(threadIdx.x); k < n; k += int(blockDim.x)) to[k] = from[k];
}

}  // namespace cuda

void copy_by_kernel(void* pinned, const void* from, std::size_t bytes, cudaStream_t stream) {
  constexpr int threads = 128;
  const bool words = bytes % sizeof(int) == 0 && reinterpret_cast<std::size_t>(from) % sizeof(int) == 0;
  if (words)
    cuda::copy_kernel<<<1, threads, 0, stream>>>(static_cast<int*>(pinned), static_cast<const int*>(from),
                                                 int(bytes / sizeof(int)));
  else
    cuda::copy_kernel<<<1, threads, 0, stream>>>(static_cast<char*>(pinned), static_cast<const char*>(from),
                                                 int(bytes));
  check(cudaGetLastError());
}

}  // namespace wavesim
