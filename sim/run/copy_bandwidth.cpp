#include "sim/run/copy_bandwidth.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

#ifdef WAVESIM_HAVE_CUDA
#include <cuda_runtime_api.h>
#endif

namespace wavesim {

namespace {

constexpr int repetitions = 4;  // the first warms up

/// The best of some repetitions of `copy`, which moves 2 * bytes.
template <class Copy>
double best(std::size_t bytes, const Copy& copy) {
  using clock = std::chrono::steady_clock;
  double seconds = 1e30;
  for (int k = 0; k < repetitions; ++k) {
    const auto begin = clock::now();
    copy();
    if (k > 0) seconds = std::min(seconds, std::chrono::duration<double>(clock::now() - begin).count());
  }
  return 2 * double(bytes) / seconds;
}

double on_host() {
  const std::size_t n = std::size_t(8) << 20;  // 64 MiB each way
  const auto from = std::make_unique_for_overwrite<double[]>(n);
  const auto to = std::make_unique_for_overwrite<double[]>(n);
  const double* a = from.get();
  double* b = to.get();
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) from[i] = double(i);
  return best(n * sizeof(double), [&] {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < n; ++i) b[i] = a[i];
  });
}

#ifdef WAVESIM_HAVE_CUDA
double on_cuda() {
  const std::size_t bytes = std::size_t(1) << 28;
  void *from = nullptr, *to = nullptr;
  double rate = 0;
  if (cudaMalloc(&from, bytes) == cudaSuccess && cudaMalloc(&to, bytes) == cudaSuccess)
    rate = best(bytes, [&] {
      cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
      cudaDeviceSynchronize();
    });
  cudaFree(from);
  cudaFree(to);
  return cudaGetLastError() == cudaSuccess ? rate : 0;
}
#endif

}  // namespace

double copy_bandwidth(const DeviceFacts& device) {
#ifdef WAVESIM_HAVE_CUDA
  if (device.kind == "cuda") return on_cuda();
#endif
  return device.kind == "cpu" ? on_host() : 0;
}

}  // namespace wavesim
