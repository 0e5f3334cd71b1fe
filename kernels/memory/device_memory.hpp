#pragma once
// Memory of a GPU from the device's own pool, which keeps released memory for later allocations: new memory
// costs 0.1 to 1 ms, memory of the pool a few microseconds. Where a device has no pool, the driver allocates
// it.

#include <cuda_runtime_api.h>

#include <cstddef>

namespace wavesim {

/// In the order of the stream, which must not be recording. Throws DeviceError, with advice, where memory is
/// short.
void* allocate_on_device(std::size_t bytes, cudaStream_t stream);

/// All work that used the memory has to be complete.
void release_on_device(void* p, cudaStream_t stream);

}  // namespace wavesim
