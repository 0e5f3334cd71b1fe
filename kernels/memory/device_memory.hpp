#pragma once
// Memory of a GPU from the device's own pool, which keeps released memory for later allocations: new memory
// costs 0.1 to 1 ms, memory of the pool a few microseconds. Where a device has no pool, the driver allocates
// it.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <set>

namespace wavesim {

/// In the order of the stream, which must not be recording. Throws DeviceError, with advice, where memory is
/// short.
void* allocate_on_device(std::size_t bytes, cudaStream_t stream);

/// All work that used the memory has to be complete.
void release_on_device(void* p, cudaStream_t stream);

/// Memory that is there where it is touched: pages that no kernel has written or read take addresses only. Their first
/// contents are undefined.
class SparseDeviceMemory {
 public:
  SparseDeviceMemory() = default;
  SparseDeviceMemory(const SparseDeviceMemory&) = delete;
  /// For the current GPU alone. Throws DeviceError.
  void* allocate(std::size_t bytes);
  /// Whether p was of this memory; no work uses it any more.
  bool release(void* p);

 private:
  std::set<void*> all_;
};

}  // namespace wavesim
