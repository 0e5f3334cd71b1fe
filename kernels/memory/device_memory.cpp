#ifdef WAVESIM_HAVE_CUDA

#include "kernels/memory/device_memory.hpp"

#include <cuda.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

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

[[noreturn]] void no_room(std::size_t bytes) {
  std::size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  throw DeviceError(
      "the GPU has no room for another " + std::to_string(bytes >> 20) + " MiB (" +
      std::to_string(free >> 20) + " of " + std::to_string(total >> 20) +
      " MiB free); use fewer cells, precision: single, solver.format: stencil, or --device cpu");
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
  no_room(bytes);
}

void release_on_device(void* p, cudaStream_t stream) {
  if (pooled())
    cudaFreeAsync(p, stream);
  else
    cudaFree(p);
}

namespace {

/// The driver's virtual memory management, which the runtime library has no functions for. Found in the driver that is loaded,
/// so that the program starts where there is none.
struct VirtualMemory {
  decltype(&cuMemGetAllocationGranularity) granularity = nullptr;
  decltype(&cuMemAddressReserve) reserve = nullptr;
  decltype(&cuMemAddressFree) free_addresses = nullptr;
  decltype(&cuMemCreate) create = nullptr;
  decltype(&cuMemRelease) release = nullptr;
  decltype(&cuMemMap) map = nullptr;
  decltype(&cuMemUnmap) unmap = nullptr;
  decltype(&cuMemSetAccess) set_access = nullptr;

  VirtualMemory() {
    const auto find = [](auto& function, const char* name) {
      void* found = nullptr;
#if CUDART_VERSION >= 12050
      check(cudaGetDriverEntryPointByVersion(name, &found, 11020, cudaEnableDefault));
#else
      check(cudaGetDriverEntryPoint(name, &found, cudaEnableDefault));
#endif
      if (!found)
        throw DeviceError(std::string("the driver of the GPU has no ") + name + "; install a newer driver");
      function = reinterpret_cast<std::decay_t<decltype(function)>>(found);
    };
    find(granularity, "cuMemGetAllocationGranularity");
    find(reserve, "cuMemAddressReserve");
    find(free_addresses, "cuMemAddressFree");
    find(create, "cuMemCreate");
    find(release, "cuMemRelease");
    find(map, "cuMemMap");
    find(unmap, "cuMemUnmap");
    find(set_access, "cuMemSetAccess");
  }
};
const VirtualMemory& virtual_memory() {
  static const VirtualMemory functions;
  return functions;
}

void check_driver(CUresult result, std::size_t bytes) {
  if (result == CUDA_SUCCESS) return;
  if (result == CUDA_ERROR_OUT_OF_MEMORY) no_room(bytes);
  throw DeviceError("the CUDA device failed: error " + std::to_string(int(result)) +
                    " of the driver's virtual memory; try again, or run with --device cpu");
}

CUdeviceptr address(void* p, std::size_t offset = 0) { return reinterpret_cast<CUdeviceptr>(p) + offset; }

}  // namespace

SparseDeviceMemory::~SparseDeviceMemory() {
  for (const auto& [p, a] : all_) release(p, a);
}

void* SparseDeviceMemory::allocate(std::size_t bytes, std::vector<ByteRange> parts) {
  const VirtualMemory& driver = virtual_memory();
  CUmemAllocationProp here{};
  here.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  here.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  check(cudaGetDevice(&here.location.id));
  std::size_t granule = 0;
  check_driver(driver.granularity(&granule, &here, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED), 0);

  Allocation made;
  made.bytes = (bytes + granule - 1) / granule * granule;
  CUdeviceptr start = 0;
  check_driver(driver.reserve(&start, made.bytes, granule, 0, 0), bytes);
  void* const p = reinterpret_cast<void*>(start);
  try {
    for (const ByteRange& part : whole_granules(std::move(parts), granule)) {
      const std::size_t size = part.end - part.first;
      CUmemGenericAllocationHandle handle = 0;
      CUresult result = driver.create(&handle, size, &here, 0);
      if (result == CUDA_ERROR_OUT_OF_MEMORY && pooled()) {  // the pool keeps what was released
        cudaMemPool_t pool = nullptr;
        check(cudaDeviceGetDefaultMemPool(&pool, here.location.id));
        check(cudaMemPoolTrimTo(pool, 0));
        result = driver.create(&handle, size, &here, 0);
      }
      check_driver(result, size);
      result = driver.map(address(p, part.first), size, 0, handle, 0);
      if (result != CUDA_SUCCESS) driver.release(handle);
      check_driver(result, size);
      made.in_memory.push_back({part, handle});
      CUmemAccessDesc access{};
      access.location = here.location;
      access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
      check_driver(driver.set_access(address(p, part.first), size, &access, 1), size);
    }
  } catch (...) {
    release(p, made);
    throw;
  }
  all_.emplace(p, std::move(made));
  return p;
}

void SparseDeviceMemory::release(void* p, const Allocation& a) {
  const VirtualMemory& driver = virtual_memory();
  for (const auto& [part, handle] : a.in_memory) {
    driver.unmap(address(p, part.first), part.end - part.first);
    driver.release(handle);
  }
  driver.free_addresses(address(p), a.bytes);
}

bool SparseDeviceMemory::release(void* p) {
  const auto found = all_.find(p);
  if (found == all_.end()) return false;
  release(p, found->second);
  all_.erase(found);
  return true;
}

}  // namespace wavesim

#endif
