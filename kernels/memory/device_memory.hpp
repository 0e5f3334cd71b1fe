#pragma once
// Memory of a GPU from the device's own pool, which keeps what is released for those who ask next: an
// allocation of new memory costs 0.1 to 1 ms, one from the pool a few microseconds. Where a device has no
// pool, from the driver.

#include <cuda_runtime_api.h>

#include <cstddef>

namespace wavesim {

/// In the order of the stream, which does not record. Throws DeviceError, with advice, where there is no
/// room.
void* allocate_on_device(std::size_t bytes, cudaStream_t stream);

/// Nobody uses the memory any more: all that did is done.
void release_on_device(void* p, cudaStream_t stream);

}  // namespace wavesim
