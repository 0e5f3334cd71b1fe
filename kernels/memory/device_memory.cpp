#ifdef WAVESIM_HAVE_CUDA

#include "kernels/memory/device_memory.hpp"

#include <cstdint>
#include <string>

#include "kernels/backend/cuda_check.hpp"

namespace wavesim {

namespace {

/// Whether the current device has a pool, which then keeps all memory that is released.
bool pooled() {
  static const bool has = [] {
    int device = 0, supported = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device));
    if (supported == 0) return false;
    cudaMemPool_t pool = nullptr;
    check(cudaDeviceGetDefaultMemPool(&pool, device));
    std::uint64_t all = UINT64_MAX;
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    return true;
  }();
  return has;
}

}  // namespace

void* allocate_on_device(std::size_t bytes, cudaStream_t stream) {
  void* p = nullptr;
  const cudaError_t e = pooled() ? cudaMallocAsync(&p, bytes, stream) : cudaMalloc(&p, bytes);
  if (e != cudaErrorMemoryAllocation) {
    check(e);
    return p;
  }
  cudaGetLastError();  // clears the error, which is reported here
  std::size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  throw DeviceError(
      "the GPU has no room for another " + std::to_string(bytes >> 20) + " MiB (" +
      std::to_string(free >> 20) + " of " + std::to_string(total >> 20) +
      " MiB free); use fewer cells, precision: single, solver.format: stencil, or --device cpu");
}

void release_on_device(void* p, cudaStream_t stream) {
  if (pooled())
    cudaFreeAsync(p, stream);
  else
    cudaFree(p);
}

void* SparseDeviceMemory::allocate(std::size_t bytes) {
  int device = 0;
  void* p = nullptr;
  check(cudaGetDevice(&device));
  check(cudaMallocManaged(&p, bytes));
  all_.insert(p);
#if CUDART_VERSION >= 13000
  cudaMemLocation here{};
  here.type = cudaMemLocationTypeDevice;
  here.id = device;
#else
  const int here = device;
#endif
  check(cudaMemAdvise(p, bytes, cudaMemAdviseSetPreferredLocation, here));
  return p;
}

bool SparseDeviceMemory::release(void* p) {
  if (all_.erase(p) == 0) return false;
  cudaFree(p);
  return true;
}

}  // namespace wavesim

#endif
