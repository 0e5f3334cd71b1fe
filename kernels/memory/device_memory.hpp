#pragma once
// Memory of a GPU from the device's own pool, which keeps released memory for later allocations: new memory
// costs 0.1 to 1 ms, memory of the pool a few microseconds. Where a device has no pool, the driver allocates
// it.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "kernels/grid/rows_in_memory.hpp"

namespace wavesim {

/// In the order of the stream, which must not be recording. Throws DeviceError, with advice, where memory is
/// short.
void* allocate_on_device(std::size_t bytes, cudaStream_t stream);

/// All work that used the memory has to be complete.
void release_on_device(void* p, cudaStream_t stream);

/// Allocations of which only parts are in memory. The others take addresses: a kernel that touches them fails.
class SparseDeviceMemory {
 public:
  SparseDeviceMemory() = default;
  SparseDeviceMemory(const SparseDeviceMemory&) = delete;
  ~SparseDeviceMemory();
  /// On the current GPU. Parts may overlap; what is in them at first is undefined. Throws DeviceError.
  void* allocate(std::size_t bytes, std::vector<ByteRange> parts);
  /// Whether p was of this memory; no work uses it any more.
  bool release(void* p);

 private:
  struct Allocation {
    std::size_t bytes = 0;                                            // of addresses
    std::vector<std::pair<ByteRange, unsigned long long>> in_memory;  // with the driver's handles
  };
  static void release(void* p, const Allocation& a);
  std::map<void*, Allocation> all_;
};

}  // namespace wavesim
