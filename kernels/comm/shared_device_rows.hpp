#pragma once
// Rows of fields in the memory of GPUs, shared out among ranks.

#include <cuda_runtime_api.h>

#include <memory>

#include "kernels/comm/ranks.hpp"
#include "kernels/comm/shared_rows.hpp"

namespace wavesim {

/// In the order of the stream, on the current GPU: through NCCL where each rank has a GPU of its own and the program is built
/// with it, else through memory of the host. All ranks together; throws DeviceError.
std::unique_ptr<SharedRows> make_shared_device_rows(Ranks& ranks, cudaStream_t stream);

}  // namespace wavesim
